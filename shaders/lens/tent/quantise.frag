#version 450 core
#include "shaders/lens/tent/quantise.glsl"
layout(location = 0) out uvec4 element;

void main() { element = cellAt(ivec2(gl_FragCoord.xy)); }
