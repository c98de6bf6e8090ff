#version 450 core
#include "shaders/scene/model/light.glsl"

layout(binding = 0) uniform sampler2D sky;
uniform float level;  // of detail

in vec3 direction;
layout(location = 0) out vec4 colour;
layout(location = 1) out float depth;

void main() {
  vec2 uv = skyCoordinates(turned(normalize(direction)));
  colour = vec4(textureLod(sky, uv, level).rgb * environment.z, 1.0);
  depth = 0.0;
}
