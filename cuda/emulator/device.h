#pragma once
#include <math.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda/emulator/block.h"
#include "cuda/emulator/watch.h"

// CUDA C++ for kernels: qualifiers, indices, warp and block functions, atomics, mathematics.
#define __device__
#define __host__
#define __global__
#define __shared__ static  // only one block runs at a time
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))

#define threadIdx (::satdof::emulator::current->thread)
#define blockIdx (::satdof::emulator::current->block)
#define blockDim (::satdof::emulator::launched->block)
#define gridDim (::satdof::emulator::launched->grid)

inline namespace satdof_emulator {

inline void __syncthreads() { satdof::emulator::waitForBlock(0, "__syncthreads"); }
inline int __syncthreads_or(int value) { return satdof::emulator::waitForBlock(value, "__syncthreads_or") & 1; }
inline int __syncthreads_and(int value) { return satdof::emulator::waitForBlock(value, "__syncthreads_and") >> 1 & 1; }
inline int __syncthreads_count(int value) {
  return static_cast<int>(satdof::emulator::waitForBlock(value, "__syncthreads_count") >> 2);
}
inline void __syncwarp(unsigned mask = 0xffffffffu) { satdof::emulator::waitForLanes(mask, 0, 0, "__syncwarp"); }
inline unsigned __ballot_sync(unsigned mask, int value) {
  return satdof::emulator::vote(mask, value != 0, "__ballot_sync");
}

template <class T>
T exchangeLanes(unsigned mask, T value, unsigned source, const char* name) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = satdof::emulator::waitForLanes(mask, bits, source, name);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
// Shuffles within segments of `width` lanes, a power of two. If the source is outside the segment, a lane
// gets its own value.
template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  const unsigned lane = satdof::emulator::current->index % 32, of = static_cast<unsigned>(width) - 1;
  return exchangeLanes(mask, value, (lane & ~of) | (static_cast<unsigned>(source) & of), "__shfl_sync");
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const unsigned lane = satdof::emulator::current->index % 32, of = static_cast<unsigned>(width) - 1;
  return exchangeLanes(mask, value, (lane & of) >= delta ? lane - delta : lane, "__shfl_up_sync");
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const unsigned lane = satdof::emulator::current->index % 32, of = static_cast<unsigned>(width) - 1;
  return exchangeLanes(mask, value, (lane & of) + delta <= of ? lane + delta : lane, "__shfl_down_sync");
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  const unsigned lane = satdof::emulator::current->index % 32, of = static_cast<unsigned>(width) - 1;
  const unsigned source = lane ^ static_cast<unsigned>(bits);
  return exchangeLanes(mask, value, (source & ~of) <= (lane & ~of) ? source : lane, "__shfl_xor_sync");
}

// *address = change(*address). Returns the old value.
template <class T, class Change>
T changeAtomically(T* address, Change&& change) {
  T old;
  satdof::emulator::beginChange(address, &old, sizeof(T));
  const T changed = change(old);
  satdof::emulator::endChange(address, &changed, sizeof(T));
  return old;
}
template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  return changeAtomically(address, [&](T old) { return old + value; });
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value) {
  return changeAtomically(address, [&](T old) { return old < value ? value : old; });
}

// Cache hints have no effect.
template <class T>
T __ldg(const T* address) {
  return *address;
}
template <class T>
T __ldcs(const T* address) {
  return *address;
}
template <class T>
void __stcs(T* address, T value) {
  *address = value;
}

inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline int __popc(unsigned bits) { return std::popcount(bits); }
inline int __ffs(int bits) { return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned>(bits)) + 1; }
inline int __clzll(long long bits) { return std::countl_zero(static_cast<unsigned long long>(bits)); }
inline float __fsqrt_rn(float value) { return sqrtf(value); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
// Byte i of the result is byte k of {high, low}, where k is the low 3 bits of nibble i of `selector`.
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  const std::uint64_t bytes = std::uint64_t{high} << 32 | low;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) result |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}

// As in CUDA, the arguments may have different types; the usual arithmetic conversions apply.
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr auto min(A a, B b) {
  using T = decltype(a + b);
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr auto max(A a, B b) {
  using T = decltype(a + b);
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

}  // namespace satdof_emulator
