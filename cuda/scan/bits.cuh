#pragma once
#include <type_traits>

namespace satdof::cuda {

// Bit casts between elements and words of 32 bits. T: unsigned or float.
template <class T>
__device__ unsigned toBits(T value) {
  if constexpr (std::is_same_v<T, float>)
    return __float_as_uint(value);
  else
    return value;
}
template <class T>
__device__ T fromBits(unsigned bits) {
  if constexpr (std::is_same_v<T, float>)
    return __uint_as_float(bits);
  else
    return bits;
}

}  // namespace satdof::cuda
