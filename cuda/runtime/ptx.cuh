#pragma once
#include <cuda_runtime.h>
#include <surface_indirect_functions.h>

#include <cstdint>

// What C++ has no words for, as PTX, and in C++ for the emulator.
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

// Relaxed at the scope of the device: the words that blocks exchange while they run.
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
// Each word by itself: one may be older than the other.
__device__ inline ulonglong2 loadRelaxedPair(const unsigned long long* address) {
  ulonglong2 words;
#ifdef SATDOF_EMULATED
  emulator::poll(address, &words, sizeof words);
#else
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(words.x), "=l"(words.y)
               : "l"(address)
               : "memory");
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
__device__ inline void storeRelaxedPair(unsigned long long* address, unsigned long long x,
                                        unsigned long long y) {
#ifdef SATDOF_EMULATED
  const ulonglong2 words{x, y};
  emulator::storeAtomically(address, &words, sizeof words);
#else
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(address), "l"(x), "l"(y) : "memory");
#endif
}

// Stores a texel at (x, y) unless it is outside, to be evicted first from the caches.
__device__ inline void streamTexel(cudaSurfaceObject_t surface, int x, int y, uint4 texel) {
#ifdef SATDOF_EMULATED
  surf2Dwrite(texel, surface, x * int{sizeof(uint4)}, y, cudaBoundaryModeZero);
#else
  asm volatile("sust.b.2d.cs.v4.b32.zero [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(surface),
               "r"(x * int{sizeof(uint4)}), "r"(y), "r"(texel.x), "r"(texel.y), "r"(texel.z), "r"(texel.w)
               : "memory");
#endif
}

// 1 / sqrt(x) of a normal x, within 2 units in the last place, by one instruction.
__device__ inline float inverseRoot(float x) {
#ifdef SATDOF_EMULATED
  return 1.0f / sqrtf(x);
#else
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#endif
}

// Keeps the compiler from holding what it has computed from `value` in registers.
__device__ inline std::uint32_t opaque(std::uint32_t value) {
  asm volatile("" : "+r"(value));
  return value;
}

// The lanes whose `digit` has the same bits under `mask`, one bit, as this lane's. In PTX: from C++ the compiler
// tests the bit twice.
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
