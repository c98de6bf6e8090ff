#version 450 core
#include "shaders/lens/tent/blur.glsl"
layout(location = 0) out vec4 blurred;

void main() { blurred = blurredAt(ivec2(gl_FragCoord.xy)); }
