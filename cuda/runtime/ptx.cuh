#pragma once
#include <cuda_runtime.h>
#include <surface_indirect_functions.h>

#include <cstdint>

// Instructions that CUDA C++ has no function for, as PTX; in the emulator's build, as C++.
namespace satdof::cuda {

// The dynamic shared memory of the block, aligned to 16 bytes.
template <class T>
__device__ T* sharedMemory() {
#ifdef SATDOF_EMULATED
  return static_cast<T*>(emulator::dynamicShared());
#else
  extern __shared__ uint4 memory[];
  return reinterpret_cast<T*>(memory);
#endif
}

// Relaxed loads and stores at device scope, for words that blocks exchange while they run.
__device__ inline std::uint32_t loadRelaxed(const std::uint32_t* address) {
  std::uint32_t word;
#ifdef SATDOF_EMULATED
  emulator::poll(address, &word, sizeof word);
#else
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(address) : "memory");
#endif
  return word;
}
__device__ inline unsigned long long loadRelaxed(const unsigned long long* address) {
  unsigned long long word;
#ifdef SATDOF_EMULATED
  emulator::poll(address, &word, sizeof word);
#else
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(address) : "memory");
#endif
  return word;
}
// Two words by one access of 16 bytes. Each word is atomic, the pair is not: one may be older than the other.
__device__ inline ulonglong2 loadRelaxedPair(const unsigned long long* address) {
  ulonglong2 words;
#ifdef SATDOF_EMULATED
  emulator::poll(address, &words, sizeof words);
#else
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(words.x), "=l"(words.y) : "l"(address) : "memory");
#endif
  return words;
}
__device__ inline void storeRelaxed(std::uint32_t* address, std::uint32_t word) {
#ifdef SATDOF_EMULATED
  emulator::storeAtomically(address, &word, sizeof word);
#else
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(address), "r"(word) : "memory");
#endif
}
__device__ inline void storeRelaxed(unsigned long long* address, unsigned long long word) {
#ifdef SATDOF_EMULATED
  emulator::storeAtomically(address, &word, sizeof word);
#else
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(word) : "memory");
#endif
}
__device__ inline void storeRelaxedPair(unsigned long long* address, unsigned long long x, unsigned long long y) {
#ifdef SATDOF_EMULATED
  const ulonglong2 words{x, y};
  emulator::storeAtomically(address, &words, sizeof words);
#else
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(address), "l"(x), "l"(y) : "memory");
#endif
}

// Stores a texel at (x, y) with the cache hint evict-first. No store outside the surface.
__device__ inline void streamTexel(cudaSurfaceObject_t surface, int x, int y, uint4 texel) {
#ifdef SATDOF_EMULATED
  surf2Dwrite(texel, surface, x * int{sizeof(uint4)}, y, cudaBoundaryModeZero);
#else
  asm volatile("sust.b.2d.cs.v4.b32.zero [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(surface), "r"(x * int{sizeof(uint4)}),
               "r"(y), "r"(texel.x), "r"(texel.y), "r"(texel.z), "r"(texel.w)
               : "memory");
#endif
}

// 1 / sqrt(x) for a normal x, with an error of at most 2 units in the last place, by one instruction.
__device__ inline float inverseRoot(float x) {
#ifdef SATDOF_EMULATED
  return 1.0f / sqrtf(x);
#else
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#endif
}

// Returns `value`, but hides from the compiler that it is the same: expressions of it are computed again
// instead of being kept in registers.
__device__ inline std::uint32_t opaque(std::uint32_t value) {
  asm volatile("" : "+r"(value));
  return value;
}

// The lanes whose digit & mask equals this lane's; `mask` has one bit. As PTX, since nvcc tests the bit twice
// for the C++ version.
__device__ inline std::uint32_t lanesWithSameBit(std::uint32_t digit, std::uint32_t mask) {
#ifdef SATDOF_EMULATED
  const std::uint32_t set = __ballot_sync(0xffffffffu, (digit & mask) != 0);
  return (digit & mask) != 0 ? set : ~set;
#else
  std::uint32_t lanes;
  asm volatile(
      "{\n"
      ".reg .pred set;\n"
      "and.b32 %0, %1, %2;\n"
      "setp.ne.u32 set, %0, 0;\n"
      "vote.sync.ballot.b32 %0, set, 0xffffffff;\n"
      "@!set not.b32 %0, %0;\n"
      "}"
      : "=&r"(lanes)
      : "r"(digit), "r"(mask));
  return lanes;
#endif
}

}  // namespace satdof::cuda
