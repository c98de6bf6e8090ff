#pragma once
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/scan/lookback.cuh"
#include "cuda/scan/rows.cuh"
#include "cuda/scan/scan.h"
#include "cuda/scan/warp_tile.cuh"

namespace satdof::cuda {

// One tile per block, in the order of tickets. words[row * tilesPerRow + tile]: look-back state of a tile.
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
// Tiles::with(rows, function) calls function.operator()<Tile>() with the tile shape for these rows:
//   kVectors   vectors of 4 elements per thread;
//   kThreads   threads per block;
//   kBlocks    resident blocks per multiprocessor;
//   kWindows   windows of 32 tiles that the look-back fetches at once;
//   kStreams   whether the output bypasses the L2 cache (evict-first).
template <class T, class Tiles>
class SinglePassScan : public RowScan {
 public:
  explicit SinglePassScan(const ScanOptions& options)
      : rows_{options.length, options.rows, options.pitch},
        inclusive_(options.inclusive),
        tilesPerRow_(Tiles::with(rows_,
                                 [&]<class Tile>() {
                                   return ceilDivide(rows_.length,
                                                     WarpTile<T, Tile::kVectors>::kItems * Tile::kThreads);
                                 })),
        words_(makeInvalidWords<TileWord>(size_t{tilesPerRow_} * rows_.count)),
        counter_(makeTicketCounter()) {}

  void run(const void* in, void* out, CUstream_st* stream) override {
    Tiles::with(rows_, [&]<class Tile>() {
      launch(scanSinglePass<T, Tile>, {tilesPerRow_ * rows_.count, Tile::kThreads, 0, stream},
             static_cast<const T*>(in), static_cast<T*>(out), words_.data(), counter_.data(), rows_, tilesPerRow_,
             inclusive_);
    });
  }

 private:
  Rows rows_;
  bool inclusive_;
  unsigned tilesPerRow_;
  DeviceArray<TileWord> words_;
  DeviceArray<TileWord> counter_;
};

}  // namespace satdof::cuda
