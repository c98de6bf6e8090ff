#version 450 core
#include "shaders/scene/bodies/state.glsl"

// For a sample of bodies, one per workgroup: the exact acceleration by all pairs, and the acceleration of the solver.
layout(local_size_x = 128) in;
layout(std430, binding = 3) restrict writeonly buffer Partial { vec4 partial[]; };

shared vec3 sums[128];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint body = gl_WorkGroupID.x * (uint(count) / gl_NumWorkGroups.x);
  vec3 position = positions[body].xyz;
  vec3 sum = vec3(0.0);
  for (uint other = lane; other < uint(count); other += gl_WorkGroupSize.x) {
    vec3 apart = positions[other].xyz - position;
    float inverse = inversesqrt(dot(apart, apart) + softeningSquared);
    sum += positions[other].w * inverse * inverse * inverse * apart;
  }
  sums[lane] = sum;
  for (uint rest = 64u; rest > 0u; rest /= 2u) {
    barrier();
    if (lane < rest) sums[lane] += sums[lane + rest];
  }
  if (lane == 0u) {
    uint at = uint(firstPartial) + 2u * gl_WorkGroupID.x;
    partial[at] = vec4(sums[0], 0.0);
    partial[at + 1u] = accelerations[body];
  }
}
