#pragma once
#include <array>
#include <span>

// The variants of the radix sort by name. Also used in builds without CUDA.
namespace satdof {

enum class Sort { merge, mergeTwoBuffers, split, onesweep, cub };

struct SortInfo {
  Sort value;
  const char* name;     // as on the command line
  const char* summary;  // what it does and where it comes from
  bool usesScan;        // whether the scan setting applies
};

inline constexpr std::array kSorts = {
    SortInfo{Sort::merge, "merge", "tiles split in shared memory, then merged by all blocks (after 39.3.3)", false},
    SortInfo{Sort::mergeTwoBuffers, "merge-two-buffers",
             "tiles split until sorted, then a block merges a pair of runs (GPU Gems 3, 39.3.3)", false},
    SortInfo{Sort::split, "split", "split of the whole array, one scan per bit (39.3.3)", true},
    SortInfo{Sort::onesweep, "onesweep", "eight bits a pass, one pass over memory each (Adinets and Merrill 2022)",
             false},
    SortInfo{Sort::cub, "cub", "the CUB library", false},
};

inline std::span<const SortInfo> entries(Sort) { return kSorts; }

}  // namespace satdof
