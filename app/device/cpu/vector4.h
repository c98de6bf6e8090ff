#pragma once
#include <cstdint>
#include <cstring>

#include "app/device/cpu/vectorised.h"
#include "shaders/common/random.h"

// GCC warns that calls with Uint8 have another ABI with AVX2. All functions with Uint8 are inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

// Vectors of four channels for loops over pixels.
namespace satdof {

using Float4 = float __attribute__((vector_size(16)));
using Uint4 = std::uint32_t __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));
using Uint8 = std::uint32_t __attribute__((vector_size(32)));

template <class Vector, class T>
SATDOF_INLINE inline Vector loadVector(const T* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class Vector, class T>
SATDOF_INLINE inline void storeVector(T* to, Vector v) {
  std::memcpy(to, &v, sizeof v);
}

// Joins the vectors of two neighbouring pixels, and splits them.
SATDOF_INLINE inline Uint8 both(Uint4 first, Uint4 second) {
  return __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7);
}
SATDOF_INLINE inline Uint4 first(Uint8 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
SATDOF_INLINE inline Uint4 second(Uint8 v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }

SATDOF_INLINE inline Float4 toFloat(Float4 v) { return v; }
// Rounds to nearest: the upper and lower 16 bits convert exactly, so only their sum rounds.
SATDOF_INLINE inline Float4 toFloat(Uint4 v) {
  const auto high = __builtin_convertvector(reinterpret_cast<Int4>(v >> 16), Float4);
  const auto low = __builtin_convertvector(reinterpret_cast<Int4>(v & 0xffffu), Float4);
  return high * 65536.0f + low;
}
// Truncates values in [0, 2^31) to integers.
SATDOF_INLINE inline Uint4 toWords(Float4 v) { return reinterpret_cast<Uint4>(__builtin_convertvector(v, Int4)); }

// dither() of shaders/lens/near_scatter.glsl for the channels 0 to 3.
SATDOF_INLINE inline Float4 dithers(int x, int y) {
  const Uint4 v = Uint4{0, 1, 2, 3} + (static_cast<std::uint32_t>(y) * 16384u + static_cast<std::uint32_t>(x)) * 4u;
  return __builtin_convertvector(reinterpret_cast<Int4>(glsl::pcg(v) >> 8), Float4) * 5.9604644775390625e-8f;
}

}  // namespace satdof
