#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace satdof {

// shaders/sat/quantisation.glsl as C++, its functions as members.
struct FixedPointShader {
  using uint = uint32_t;
  static float min(float a, float b) { return std::min(a, b); }
  static float max(float a, float b) { return std::max(a, b); }
  static float roundEven(float v) { return std::nearbyint(v); }
#include "shaders/sat/quantisation.glsl"
};

// The fixed-point element of an image value: clamp(v, 0, ceiling) * scale, rounded half to even.
inline uint32_t quantise(float v, float scale, float ceiling) {
  return FixedPointShader{}.quantise(v, scale, ceiling);
}

}  // namespace satdof
