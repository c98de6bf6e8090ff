#pragma once
#include <array>
#include <span>

// The scan variants by name. Also used by builds without CUDA.
namespace satdof {

enum class Scan {
  hillisSteele,
  blelloch,
  blellochPadded,
  blellochVectorized,
  globalSweep,
  blellochGlobal,
  warpShuffle,
  reduceThenScan,
  decoupledLookback,
  cub,
  fused,
};

struct ScanInfo {
  Scan value;
  const char* name;     // as on the command line
  const char* summary;  // what it does and where it comes from
  bool hasBlockSize;    // whether the block-size setting applies
};

inline constexpr std::array kScans = {
    ScanInfo{Scan::fused, "fused", "whole table in one tiled pass over the image, no transpose", false},
    ScanInfo{Scan::hillisSteele, "hillis-steele", "naive, double-buffered (GPU Gems 3, 39.2.1)", true},
    ScanInfo{Scan::blelloch, "blelloch", "work-efficient up-sweep and down-sweep (39.2.2)", true},
    ScanInfo{Scan::blellochPadded, "blelloch-padded", "the same without bank conflicts (39.2.3)", true},
    ScanInfo{Scan::blellochVectorized, "blelloch-vectorized",
             "eight elements a thread by two float4 (39.2.5)", true},
    ScanInfo{Scan::globalSweep, "global-sweep",
             "one launch per tree level in global memory (Brent and Kung 1982)", true},
    ScanInfo{Scan::blellochGlobal, "blelloch-global",
             "the same with a root of 0 and swaps, padded to a power of two (Blelloch 1990)", true},
    ScanInfo{Scan::warpShuffle, "warp-shuffle", "registers and warp shuffles", true},
    ScanInfo{Scan::reduceThenScan, "reduce-then-scan", "reduce, scan the sums, rescan (Billeter et al. 2009)",
             true},
    ScanInfo{Scan::decoupledLookback, "decoupled-lookback", "single pass (Merrill and Garland 2016)", false},
    ScanInfo{Scan::cub, "cub", "the CUB library", false},
};

inline std::span<const ScanInfo> entries(Scan) { return kScans; }

}  // namespace satdof
