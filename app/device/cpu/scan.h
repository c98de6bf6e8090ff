#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "app/core/system/thread_pool.h"

namespace satdof {

// Prefix sums in main memory: out[i] = in[0] + ... + in[i], or up to in[i - 1] if exclusive. Integers wrap
// modulo 2^32. `out` has the size of `in` and may be `in`. The functions do not allocate.

// One thread, one addition an element: the reference. T: std::uint32_t or float.
template <class T>
void scanSequential(ThreadPool&, std::span<const T> in, std::span<T> out, bool inclusive);

// All threads: each thread sums a piece, one thread scans the sums to carries, each thread scans its piece from the
// carry. Cost: 2 n reads, n writes. Sums of floats depend on the number of threads.
template <class T>
void scanOnAllCores(ThreadPool& pool, std::span<const T> in, std::span<T> out, bool inclusive);

template <class T>
using CpuScanFunction = void (*)(ThreadPool&, std::span<const T> in, std::span<T> out, bool inclusive);

struct CpuScanInfo {
  const char* name;
  const char* summary;
  CpuScanFunction<std::uint32_t> uint32;
  CpuScanFunction<float> float32;
};

inline constexpr CpuScanInfo kSequentialCpuScan{"cpu-sequential", "one core, one addition an element",
                                                scanSequential<std::uint32_t>, scanSequential<float>};
inline constexpr CpuScanInfo kParallelCpuScan{"cpu", "all cores: reduce, scan the sums, scan the pieces",
                                              scanOnAllCores<std::uint32_t>, scanOnAllCores<float>};
inline constexpr std::array kCpuScans = {kSequentialCpuScan, kParallelCpuScan};

}  // namespace satdof
