#pragma once
#include <array>
#include <cmath>
#include <span>

// The variants of the scan by name. Also used in builds without CUDA.
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

// The cost of a scan of n elements in the literature, n a power of two. Empty if it depends on the tile size.
struct ScanTheory {
  const char* additions = "";
  const char* steps = "";  // parallel steps, one after the other
  double (*additionsOf)(double n) = nullptr;
  double (*stepsOf)(double n) = nullptr;
};
inline constexpr ScanTheory kDoublingTheory = {"n log2 n - (n - 1)", "log2 n",
                                               [](double n) { return n * std::log2(n) - (n - 1); },
                                               [](double n) { return std::log2(n); }};
inline constexpr ScanTheory kTreeTheory = {"2 (n - 1)", "2 log2 n", [](double n) { return 2 * (n - 1); },
                                           [](double n) { return 2 * std::log2(n); }};

struct ScanInfo {
  Scan value;
  const char* name;     // as on the command line
  const char* summary;  // what it does and where it comes from
  bool hasBlockSize;    // whether the block-size setting applies
  ScanTheory theory = {};
};

inline constexpr std::array kScans = {
    ScanInfo{Scan::fused, "fused", "whole table in one tiled pass over the image, no transpose", false},
    ScanInfo{Scan::hillisSteele, "hillis-steele", "naive, double-buffered (GPU Gems 3, 39.2.1)", true, kDoublingTheory},
    ScanInfo{Scan::blelloch, "blelloch", "work-efficient up-sweep and down-sweep (39.2.2)", true, kTreeTheory},
    ScanInfo{Scan::blellochPadded, "blelloch-padded", "the same without bank conflicts (39.2.3)", true, kTreeTheory},
    ScanInfo{Scan::blellochVectorized, "blelloch-vectorized", "eight elements a thread by two float4 (39.2.5)", true,
             kTreeTheory},
    ScanInfo{Scan::globalSweep, "global-sweep", "one launch per tree level in global memory (Brent and Kung 1982)",
             true},
    ScanInfo{Scan::blellochGlobal, "blelloch-global",
             "the same with a root of 0 and swaps, padded to a power of two (Blelloch 1990)", true, kTreeTheory},
    ScanInfo{Scan::warpShuffle, "warp-shuffle", "registers and warp shuffles", true},
    ScanInfo{Scan::reduceThenScan, "reduce-then-scan", "reduce, scan the sums, rescan (Billeter et al. 2009)", true},
    ScanInfo{Scan::decoupledLookback, "decoupled-lookback", "single pass (Merrill and Garland 2016)", false},
    ScanInfo{Scan::cub, "cub", "the CUB library", false},
};

inline std::span<const ScanInfo> entries(Scan) { return kScans; }

}  // namespace satdof
