#pragma once
#include <array>
#include <span>

// The radix sorts by name. Also used by builds without CUDA.
namespace satdof {

enum class Sort { merge, split, cub };

struct SortInfo {
  Sort value;
  const char* name;     // as on the command line
  const char* summary;  // what it does and where it comes from
};

inline constexpr std::array kSorts = {
    SortInfo{Sort::merge, "merge", "tiles split in shared memory, then merged in pairs (GPU Gems 3, 39.3.3)"},
    SortInfo{Sort::split, "split", "split of the whole array, one scan per bit (39.3.3)"},
    SortInfo{Sort::cub, "cub", "the CUB library"},
};

inline std::span<const SortInfo> entries(Sort) { return kSorts; }

}  // namespace satdof
