#version 450 core
#include "shaders/scene/bodies/state.glsl"

// Partial sums of energy and momentum, one row per workgroup.
layout(local_size_x = 128) in;
// {kinetic, potential, 0, 0}, momentum
layout(std430, binding = 3) restrict writeonly buffer Partial { vec4 partial[]; };

shared vec4 energy[128];
shared vec4 momentum[128];

void main() {
  uint lane = gl_LocalInvocationID.x;
  vec4 energySum = vec4(0.0), momentumSum = vec4(0.0);
  uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint body = gl_GlobalInvocationID.x; body < uint(count); body += stride) {
    float mass = positions[body].w;
    vec3 velocity = velocities[body].xyz;
    energySum.xy += 0.5 * mass * vec2(dot(velocity, velocity), accelerations[body].w);
    momentumSum.xyz += mass * velocity;
  }
  energy[lane] = energySum;
  momentum[lane] = momentumSum;
  for (uint rest = 64u; rest > 0u; rest /= 2u) {
    barrier();
    if (lane < rest) {
      energy[lane] += energy[lane + rest];
      momentum[lane] += momentum[lane + rest];
    }
  }
  if (lane == 0u) {
    partial[2u * gl_WorkGroupID.x] = energy[0];
    partial[2u * gl_WorkGroupID.x + 1u] = momentum[0];
  }
}
