#pragma once
#include <vector>

#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/scan/rows.cuh"
#include "cuda/scan/scan.h"

// Scans of rows of any length from scans of tiles (GPU Gems 3, 39.2.4): scans every tile, scans the sums of
// the tiles in the same way, then adds to every tile the sum of the tiles before it.
namespace satdof::cuda {

// One tile per block. Tile, the scan of one tile, has
//   kItems                    elements per thread: a tile has kItems * blockDim.x elements;
//   sharedElements(threads)   dynamic shared memory, in elements;
//   scan(in, out, count, inclusive, total)   device function for the whole block: scans the first `count`
//                             elements (1 to a tile) and writes their sum to *total unless total is null.
//                             `out` may equal `in`.
template <class Tile, class T>
__global__ void scanTiles(const T* in, T* out, T* sums, size_t sumPitch, Rows rows, bool inclusive) {
  const unsigned row = rowOfBlock();
  if (row >= rows.count) return;
  const unsigned first = blockIdx.x * Tile::kItems * blockDim.x;
  const size_t base = row * rows.pitch + first;
  Tile::scan(in + base, out + base, min(rows.length - first, Tile::kItems * blockDim.x), inclusive,
             sums == nullptr ? nullptr : sums + row * sumPitch + blockIdx.x);
}

// Adds sums[tile] to every element of tiles 1, 2, ...; tile 0 needs no addition. Accesses of four elements;
// all loads of a thread come before its stores.
template <class Tile, class T>
__global__ void uniformAdd(T* data, const T* sums, size_t sumPitch, Rows rows) {
  constexpr unsigned kVectors = (Tile::kItems + 3) / 4;
  const unsigned row = rowOfBlock();
  if (row >= rows.count) return;
  const unsigned tile = blockIdx.x + 1;
  const unsigned tileSize = Tile::kItems * blockDim.x;
  const unsigned first = tile * tileSize;
  const unsigned count = min(rows.length - first, tileSize);
  const T sum = sums[row * sumPitch + tile];
  T* const line = data + row * rows.pitch + first;
  const auto index = [](unsigned v) { return 4 * (threadIdx.x + v * blockDim.x); };
  typename Vector<T>::Type vectors[kVectors];
#pragma unroll
  for (unsigned v = 0; v < kVectors; ++v) vectors[v] = loadVector(line, index(v), count);
#pragma unroll
  for (unsigned v = 0; v < kVectors; ++v) {
    const auto& [x, y, z, w] = vectors[v];
    storeVector(line, index(v), count, {sum + x, sum + y, sum + z, sum + w});
  }
}

// Cost for n elements in tiles of B elements: 2 n (1 + 1/B + 1/B^2 + ...) reads and as many writes, log_B n
// levels. Rows of one tile: one launch, n reads, n writes.
template <class Tile, class T>
class BlockSumScan : public RowScan {
 public:
  explicit BlockSumScan(const ScanOptions& options)
      : inclusive_(options.inclusive), threads_(static_cast<unsigned>(options.blockSize)) {
    Rows rows{options.length, options.rows, options.pitch};
    for (;;) {
      const unsigned tiles = ceilDivide(rows.length, tileSize());
      levels_.push_back({rows, tiles, rowPitch(tiles), {}});
      if (tiles == 1) break;
      levels_.back().sums = DeviceArray<T>(levels_.back().sumPitch * rows.count);
      rows = {tiles, rows.count, levels_.back().sumPitch};
    }
  }

  void run(const void* in, void* out, CUstream_st* stream) override {
    scanLevel(0, static_cast<const T*>(in), static_cast<T*>(out), inclusive_, stream);
    for (size_t i = 1; i < levels_.size(); ++i)
      scanLevel(i, levels_[i - 1].sums.data(), levels_[i - 1].sums.data(), false, stream);
    for (size_t i = levels_.size() - 1; i-- > 0;) {
      const Level& level = levels_[i];
      T* const data = i == 0 ? static_cast<T*>(out) : levels_[i - 1].sums.data();
      launch(uniformAdd<Tile, T>, {rowGrid(level.tiles - 1, level.rows.count), threads_, 0, stream}, data,
             level.sums.data(), level.sumPitch, level.rows);
    }
  }

 private:
  struct Level {
    Rows rows;
    unsigned tiles;
    size_t sumPitch;
    DeviceArray<T> sums;
  };

  unsigned tileSize() const { return Tile::kItems * threads_; }

  void scanLevel(size_t i, const T* in, T* out, bool inclusive, CUstream_st* stream) {
    const Level& level = levels_[i];
    launch(scanTiles<Tile, T>,
           {rowGrid(level.tiles, level.rows.count), threads_, Tile::sharedElements(threads_) * sizeof(T), stream}, in,
           out, level.sums.data(), level.sumPitch, level.rows, inclusive);
  }

  bool inclusive_;
  unsigned threads_;
  std::vector<Level> levels_;
};

}  // namespace satdof::cuda
