#pragma once
#include "cuda/emulator/device.h"

// Half floats. Conversions round as CUDA: to nearest, ties to even.
inline namespace satdof_emulator {

struct __half_raw {
  unsigned short x;
};
struct __half {
  __half() = default;
  __half(__half_raw raw) : bits(raw.x) {}
  unsigned short bits;
};
struct __half2_raw {
  unsigned short x, y;
};
struct __half2 {
  __half2(__half2_raw raw) : low(__half_raw{raw.x}), high(__half_raw{raw.y}) {}
  __half low, high;
};

inline __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
inline unsigned short __half_as_ushort(__half value) { return value.bits; }

inline float __half2float(__half value) {
  const unsigned sign = (value.bits & 0x8000u) << 16, magnitude = value.bits & 0x7fffu;
  // Multiplying by 2^112 changes the bias of the exponent from 15 to 127, and makes subnormals normal.
  if (magnitude < 0x7c00u) return __uint_as_float(sign | __float_as_uint(__uint_as_float(magnitude << 13) * 0x1p112f));
  return __uint_as_float(sign | 0x7f800000u | magnitude << 13);
}
inline float2 __half22float2(__half2 value) { return {__half2float(value.low), __half2float(value.high)}; }

inline __half __float2half(float value) {
  const unsigned bits = __float_as_uint(value), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return __half_raw{0x7fff};
  if (magnitude >= 0x477ff000u) return __half_raw{static_cast<unsigned short>(sign | 0x7c00u)};
  unsigned half;
  if (magnitude < 0x38800000u) {  // subnormal: adding 1/2 rounds to a multiple of 2^-24
    half = __float_as_uint(__uint_as_float(magnitude) + 0.5f) - 0x3f000000u;
  } else {
    half = (magnitude + 0xfffu + (magnitude >> 13 & 1u) - 0x38000000u) >> 13;
  }
  return __half_raw{static_cast<unsigned short>(sign | half)};
}
inline __half __float2half_rn(float value) { return __float2half(value); }

}  // namespace satdof_emulator
