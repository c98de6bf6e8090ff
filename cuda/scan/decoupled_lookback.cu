#include "cuda/scan/decoupled_lookback.cuh"

#include "cuda/scan/factories.h"

namespace satdof::cuda {

namespace {

// Tile shapes, see SinglePassScan. A Turing multiprocessor has only 1024 threads, so it holds fewer blocks.
// HugeTiles are for outputs larger than the L2 cache.
struct SmallTiles {
  static constexpr int kVectors = 4;
  static constexpr bool kStreams = false;
  static constexpr unsigned kThreads = 128, kBlocks = 8, kWindows = 4;
};
struct MediumTiles {
  static constexpr int kVectors = 4;
  static constexpr bool kStreams = false;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr unsigned kThreads = 256, kBlocks = 4, kWindows = 4;
#else
  static constexpr unsigned kThreads = 256, kBlocks = 5, kWindows = 4;
#endif
};
struct LargeTiles {
  static constexpr int kVectors = 8;
  static constexpr bool kStreams = false;
  static constexpr unsigned kThreads = 512, kBlocks = 2, kWindows = 1;
};
struct HugeTiles {
  static constexpr int kVectors = 8;
  static constexpr bool kStreams = true;
  static constexpr unsigned kThreads = 1024, kBlocks = 1, kWindows = 1;
};

// Small tiles occupy more multiprocessors; large tiles, for long rows, look back less often. Thresholds are
// measured.
struct TilesByLength {
  template <class Function>
  static auto with(const Rows& rows, Function&& function) {
    constexpr struct {
      size_t smallElements = size_t{1} << 18, mediumElements = (size_t{1} << 21) - 1, largeElements = size_t{1} << 23;
    } kTuning;
    if (size_t{rows.length} * rows.count <= kTuning.smallElements) return function.template operator()<SmallTiles>();
    if (rows.length <= kTuning.mediumElements) return function.template operator()<MediumTiles>();
    if (rows.length <= kTuning.largeElements) return function.template operator()<LargeTiles>();
    return function.template operator()<HugeTiles>();
  }
};

template <class T>
using DecoupledLookback = SinglePassScan<T, TilesByLength>;

}  // namespace

std::unique_ptr<RowScan> makeDecoupledLookback(const ScanOptions& options) {
  return makeForType<DecoupledLookback>(options);
}

}  // namespace satdof::cuda
