#version 450 core
#include "shaders/scene/bodies/state.glsl"

layout(local_size_x = 256) in;

void main() {
  uint body = gl_GlobalInvocationID.x;
  if (body >= uint(count)) return;
  vec3 velocity = velocities[body].xyz + accelerations[body].xyz * kickBy;
  velocities[body].xyz = velocity;
  positions[body].xyz += velocity * driftBy;
}
