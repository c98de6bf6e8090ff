#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/scan/factories.h"
#include "cuda/scan/lookback.cuh"
#include "cuda/scan/rows.cuh"
#include "cuda/scan/warp_tile.cuh"

namespace satdof::cuda {

namespace {

// Vectors of a thread, threads of a block, resident blocks of a multiprocessor (1024 threads on Turing),
// windows of 32 tiles fetched at once when looking back, and whether the output exceeds the L2 cache.
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

// Calls function.operator()<Tiles>() with the tiles for these rows. Small tiles use more multiprocessors;
// large tiles, for long rows, look back less often.
template <class Function>
auto withTiles(const Rows& rows, Function&& function) {
  constexpr struct {
    size_t smallElements = size_t{1} << 18, mediumElements = (size_t{1} << 21) - 1,
           largeElements = size_t{1} << 23;
  } kTuning;
  if (size_t{rows.length} * rows.count <= kTuning.smallElements)
    return function.template operator()<SmallTiles>();
  if (rows.length <= kTuning.mediumElements) return function.template operator()<MediumTiles>();
  if (rows.length <= kTuning.largeElements) return function.template operator()<LargeTiles>();
  return function.template operator()<HugeTiles>();
}

template <class T, class Tiles>
__global__ void __launch_bounds__(Tiles::kThreads, Tiles::kBlocks)
    scanSinglePass(const T* in, T* out, TileWord* words, TileWord* counter, Rows rows, unsigned tilesPerRow,
                   bool inclusive) {
  using Tile = WarpTile<T, Tiles::kVectors>;
  __shared__ Ticket sharedTicket;
  __shared__ T sharedCarry;
  __shared__ T warpSums[Tiles::kThreads / kWarpSize];
  if (threadIdx.x == 0) sharedTicket = takeTicket(counter, tilesPerRow * rows.count);
  __syncthreads();
  const Ticket ticket = sharedTicket;
  const unsigned row = ticket.tile / tilesPerRow;
  const unsigned tileOfRow = ticket.tile % tilesPerRow;
  const unsigned first = tileOfRow * Tile::kItems * Tiles::kThreads;
  const size_t base = row * rows.pitch + first;

  Tile tile;
  tile.load(in + base, rows.length - first);
  const T sum = tile.scan(warpSums, inclusive);
  T carry{0};
  if (tilesPerRow > 1) {
    if (threadIdx.x < kWarpSize) {
      TileWord* const rowWords = words + size_t{row} * tilesPerRow;
      if (tileOfRow > 0) {
        if (threadIdx.x == 0) publish(rowWords + tileOfRow, sum, ticket.run, TileStatus::aggregate);
        carry = sumTilesBefore<T, Tiles::kWindows>(rowWords, tileOfRow, ticket.run);
      }
      if (threadIdx.x == 0) publish(rowWords + tileOfRow, carry + sum, ticket.run, TileStatus::inclusive);
      if (threadIdx.x == 0) sharedCarry = carry;
    }
    __syncthreads();
    carry = sharedCarry;
  }
  tile.template store<Tiles::kStreams>(out + base, rows.length - first, carry);
}

// Single-pass scan with decoupled look-back (Merrill and Garland 2016). Cost: n reads, n writes, one launch.
template <class T>
class DecoupledLookback : public RowScan {
 public:
  explicit DecoupledLookback(const ScanOptions& options)
      : rows_{options.length, options.rows, options.pitch},
        inclusive_(options.inclusive),
        tilesPerRow_(withTiles(rows_,
                               [&]<class Tiles>() {
                                 return ceilDivide(rows_.length,
                                                   WarpTile<T, Tiles::kVectors>::kItems * Tiles::kThreads);
                               })),
        words_(makeInvalidWords<TileWord>(size_t{tilesPerRow_} * rows_.count)),
        counter_(makeTicketCounter()) {}

  void run(const void* in, void* out, CUstream_st* stream) override {
    withTiles(rows_, [&]<class Tiles>() {
      launch(scanSinglePass<T, Tiles>, {tilesPerRow_ * rows_.count, Tiles::kThreads, 0, stream},
             static_cast<const T*>(in), static_cast<T*>(out), words_.data(), counter_.data(), rows_,
             tilesPerRow_, inclusive_);
    });
  }

 private:
  Rows rows_;
  bool inclusive_;
  unsigned tilesPerRow_;
  DeviceArray<TileWord> words_;
  DeviceArray<TileWord> counter_;
};

}  // namespace

std::unique_ptr<RowScan> makeDecoupledLookback(const ScanOptions& options) {
  return makeForType<DecoupledLookback>(options);
}

}  // namespace satdof::cuda
