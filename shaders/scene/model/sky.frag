#version 450 core
#include "shaders/scene/environment.glsl"
#include "shaders/scene/sky.glsl"

layout(binding = 0) uniform sampler2D sky;
uniform float level;  // of detail

// OVER_GROUND: alpha is 0 below the horizon, as in shaders/scene/sky.frag.
void main() {
  vec3 towards = normalize(direction);
  colour = vec4(textureLod(sky, skyCoordinates(toEnvironment(towards)), level).rgb * environment.z, 1.0);
#ifdef OVER_GROUND
  if (towards.y < -0.02) colour.a = 0.0;
#endif
  finishSky();
}
