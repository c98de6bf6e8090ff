#pragma once
#include <array>
#include <span>

// The variants of stream compaction by name. Also used in builds without CUDA.
namespace satdof {

enum class Compaction { scanScatter, sequential, decoupledLookback, cub };

struct CompactionInfo {
  Compaction value;
  const char* name;     // as on the command line
  const char* summary;  // what it does and where it comes from
  bool usesScan;        // whether the scan setting applies
};

inline constexpr std::array kCompactions = {
    CompactionInfo{Compaction::scanScatter, "scan-scatter", "scan of the flags, then scatter (GPU Gems 3, 39.3.1)",
                   true},
    CompactionInfo{Compaction::sequential, "billeter",
                   "count, scan the counts, compact pieces in sequence (Billeter et al. 2009)", false},
    CompactionInfo{Compaction::decoupledLookback, "decoupled-lookback",
                   "single-pass scan that compacts each tile (Merrill and Garland 2016)", false},
    CompactionInfo{Compaction::cub, "cub", "the CUB library", false},
};

inline std::span<const CompactionInfo> entries(Compaction) { return kCompactions; }

}  // namespace satdof
