#pragma once
#include "cuda/runtime/ptx.cuh"

namespace satdof::cuda {

// The gravitational field at a body: acceleration and potential.
struct Field {
  float x = 0, y = 0, z = 0;
  float potential = 0;

  __device__ Field& operator+=(const Field& other) {
    x += other.x;
    y += other.y;
    z += other.z;
    potential += other.potential;
    return *this;
  }
};

enum class Masses { general, one };  // one: every source has mass 1

// Adds the field of `source` at `target`; the potential only if the source is another body (not `self`). A
// source at the target adds no acceleration. Cost without potential: 12 single-precision instructions and a
// reciprocal square root; with masses of one, 11.
template <Masses masses, bool withPotential>
__device__ inline void addField(Field& field, const float3& target, const float4& source, float softeningSquared,
                                bool self = false) {
  const float x = source.x - target.x, y = source.y - target.y, z = source.z - target.z;
  const float inverse = inverseRoot(fmaf(z, z, fmaf(y, y, fmaf(x, x, softeningSquared))));
  const float massOverDistance = masses == Masses::one ? inverse : source.w * inverse;
  const float scale = massOverDistance * (inverse * inverse);
  field.x = fmaf(scale, x, field.x);
  field.y = fmaf(scale, y, field.y);
  field.z = fmaf(scale, z, field.z);
  if (withPotential && !self) field.potential -= massOverDistance;
}

}  // namespace satdof::cuda
