#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "app/core/system/thread_pool.h"

namespace satdof {

// Stream compaction in main memory: writes every i with flags[i] == 1, ascending, to the front of `indices`
// and returns their number. Flags are 0 or 1. `indices` has room for all of them; the rest of `indices` stays
// unchanged. The functions do not allocate.

// One thread: the reference.
std::uint32_t compactSequential(ThreadPool&, std::span<const std::uint32_t> flags, std::span<std::uint32_t> indices);

// All threads: each thread counts the flags of a piece, one thread scans the counts, each thread writes the indices of
// its piece. Cost: 2 n reads, and one write for each flag that is set.
std::uint32_t compactOnAllCores(ThreadPool& pool, std::span<const std::uint32_t> flags,
                                std::span<std::uint32_t> indices);

struct CpuCompactionInfo {
  const char* name;
  const char* summary;
  std::uint32_t (*run)(ThreadPool&, std::span<const std::uint32_t> flags, std::span<std::uint32_t> indices);
};

inline constexpr CpuCompactionInfo kSequentialCpuCompaction{"cpu-sequential", "one core, one branch an element",
                                                            compactSequential};
inline constexpr CpuCompactionInfo kParallelCpuCompaction{"cpu", "all cores: count, scan the counts, write the pieces",
                                                          compactOnAllCores};
inline constexpr std::array kCpuCompactions = {kSequentialCpuCompaction, kParallelCpuCompaction};

}  // namespace satdof
