#version 450 core
#include "shaders/scene/bodies/state.glsl"

const int kGroup = 256;
layout(local_size_x = 256) in;

shared vec4 tile[kGroup];

// Gravity of all bodies on one body per invocation, O(n^2). The workgroup reads bodies in tiles through shared memory:
// one read from global memory serves 256 pairs.
void main() {
  int body = int(gl_GlobalInvocationID.x);
  vec3 position = positions[min(body, count - 1)].xyz;
  vec3 acceleration = vec3(0.0);
  float potential = 0.0;
  for (int first = 0; first < count; first += kGroup) {
    int from = first + int(gl_LocalInvocationID.x);
    tile[gl_LocalInvocationID.x] = from < count ? positions[from] : vec4(0.0);
    barrier();
    int last = min(count - first, kGroup);
    for (int j = 0; j < last; ++j) {
      vec3 apart = tile[j].xyz - position;
      float inverse = inversesqrt(dot(apart, apart) + softeningSquared);
      float massOverDistance = first + j == body ? 0.0 : tile[j].w * inverse;
      acceleration += massOverDistance * inverse * inverse * apart;
      potential -= massOverDistance;
    }
    barrier();
  }
  if (body < count) accelerations[body] = vec4(acceleration, potential);
}
