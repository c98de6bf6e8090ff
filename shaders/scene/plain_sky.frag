#version 450 core
#include "shaders/scene/sky.glsl"

uniform float light;
uniform float emptyBelow;  // alpha is 0 in directions with a smaller y, as in shaders/scene/sky.frag

void main() {
  colour = vec4(vec3(light), normalize(direction).y < emptyBelow ? 0.0 : 1.0);
  finishSky();
}
