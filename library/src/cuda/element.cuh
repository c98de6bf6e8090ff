#pragma once
#include <cuda_runtime.h>

#include <cstring>

#include "library/src/cuda/sums.h"
#include "library/src/tent.h"

namespace satdof::cuda {

// Calls task(T{}) with the C++ type of `type`. kMax: the largest possible size in bytes; floats only if it is
// 8.
template <unsigned kMax = 8, class Task>
__device__ void withType(Type type, Task&& task) {
  switch (type) {
    case Type::uint8:
      return task(std::uint8_t{});
    case Type::int8:
      return task(std::int8_t{});
    default:
      break;
  }
  if constexpr (kMax >= 4) {
    switch (type) {
      case Type::uint16:
        return task(std::uint16_t{});
      case Type::int16:
        return task(std::int16_t{});
      case Type::uint32:
        return task(std::uint32_t{});
      case Type::int32:
        return task(std::int32_t{});
      default:
        break;
    }
  }
  if constexpr (kMax == 8) {
    switch (type) {
      case Type::uint64:
        return task(0ull);
      case Type::int64:
        return task(0ll);
      case Type::float32:
        return task(float{});
      default:
        return task(double{});
    }
  }
}

__device__ inline unsigned long long bitsOf(double value) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
__device__ inline double doubleOf(unsigned long long bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// A word is round(value * scale); a sum of words times `unit` is the sum of values. unit = 1 / scale.
struct Unit {
  double scale, unit;
};
// For the largest magnitude m and sums of weight n: scale = 2^(b - 1 - floor(log2 m)), b = min(51, 62 -
// ceil(log2 n)). Then |word| <= 2^b, as fixedWord() needs, and |sum| <= 2^62. The unit is NaN if an element
// is not finite.
__device__ inline Unit unitOf(const FixedPoint& fixed) {
  if (fixed.maxima == nullptr) return {fixed.scale, 1.0};
  constexpr unsigned long long kInfinity = 0x7ff0000000000000;
  if (fixed.maxima->magnitude >= kInfinity) return {0.0, doubleOf(kInfinity | 1)};
  const double most = doubleOf(fixed.maxima->magnitude);
  if (most == 0.0) return {1.0, 1.0};
  const auto radius = static_cast<double>(__uint_as_float(fixed.maxima->radius));
  constexpr double kWidest = cpu::kMaxTentRadius<float>;
  const double weight =
      fixed.tents ? tentWeight(radius < kWidest ? radius : kWidest) : boxWeight(0, 0, radius, Border::clamp);
  const double elements = fixed.elements > weight ? fixed.elements : weight;
  int logarithm;
  if (frexp(elements, &logarithm) == 0.5) --logarithm;  // rounded up
  const int bits = 62 - logarithm < 51 ? 62 - logarithm : 51;
  const int wanted = bits - ilogb(most) - 1, exponent = wanted < 1000 ? wanted : 1000;
  return {ldexp(1.0, exponent), ldexp(1.0, -exponent)};
}

// The radius of each pixel; `one` for all pixels if each.data is null. Negative radii and NaN count as 0.
struct Radii {
  cpu::Image<const float> each;
  float one;

  __device__ float at(int x, int y) const {
    return each.data == nullptr ? one : fmaxf(each.data[y * each.stride + x], 0.0f);
  }
};

// The element as a word, modulo its range: cpu::Widened of integers, cpu::Fixed of floats.
template <class W, class T>
__device__ W wordOf(T value, double scale) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<W>(fixedWord(static_cast<double>(value), scale));
  else
    return static_cast<W>(value);
}

}  // namespace satdof::cuda
