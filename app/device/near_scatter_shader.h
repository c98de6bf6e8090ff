#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace satdof {

// shaders/lens/near_scatter.glsl as C++, its functions as members. Compile with -ffp-contract=off.
struct NearScatterShader {
  using uint = std::uint32_t;
  static float abs(float v) { return std::abs(v); }
  template <class T>
  static T min(T a, T b) {
    return std::min(a, b);
  }
  template <class T>
  static T max(T a, T b) {
    return std::max(a, b);
  }
  static float clamp(float v, float low, float high) { return std::clamp(v, low, high); }
  static uint floatBitsToUint(float v) { return std::bit_cast<uint>(v); }
  static float uintBitsToFloat(uint bits) { return std::bit_cast<float>(bits); }
#include "shaders/lens/near_scatter.glsl"
};

}  // namespace satdof
