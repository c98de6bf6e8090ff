#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "app/core/system/thread_pool.h"

namespace satdof {

// Memory of a sort. Grows to the largest number of records seen.
struct CpuSortScratch {
  std::vector<std::uint32_t> keys, values, places;
};

// Stable radix sorts by ascending unsigned key, in place. `values` follow their keys; they have the size of
// `keys`, or none. The bits of floats sort correctly if no float is negative.

// One thread, bit by bit from the lowest: a stable partition puts zeros before ones. Cost: 32 times 2 n reads
// and n writes.
void sortByBits(ThreadPool&, std::span<std::uint32_t> keys, std::span<std::uint32_t> values, CpuSortScratch& scratch);

// All threads, eight bits at a time: each thread counts the digits of a piece, a scan turns counts into places, each
// thread moves its piece. A digit that all keys share costs no move. Cost: at most 4 times 2 n reads and n writes.
void sortByBytes(ThreadPool& pool, std::span<std::uint32_t> keys, std::span<std::uint32_t> values,
                 CpuSortScratch& scratch);

struct CpuSortInfo {
  const char* name;
  const char* summary;
  void (*run)(ThreadPool&, std::span<std::uint32_t> keys, std::span<std::uint32_t> values, CpuSortScratch&);
};

inline constexpr CpuSortInfo kSequentialCpuSort{"cpu-sequential", "one core, a stable partition for each bit",
                                                sortByBits};
inline constexpr CpuSortInfo kParallelCpuSort{"cpu", "all cores, eight bits at a time", sortByBytes};
inline constexpr std::array kCpuSorts = {kSequentialCpuSort, kParallelCpuSort};

}  // namespace satdof
