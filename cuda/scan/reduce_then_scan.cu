#include <algorithm>

#include "cuda/runtime/device.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/scan/factories.h"
#include "cuda/scan/rows.cuh"
#include "cuda/scan/warp_tile.cuh"

namespace satdof::cuda {

namespace {

constexpr struct {
  int vectorsPerThread = 4;
  unsigned threadsPerMultiprocessor = 1024;
} kTuning;

template <class T>
using Tile = WarpTile<T, kTuning.vectorsPerThread>;

// sums[row * sumPitch + piece] = the sum of a piece of a row. One block per piece.
template <class T>
__global__ void reducePieces(const T* in, T* sums, size_t sumPitch, Rows rows, unsigned pieceLength) {
  const unsigned row = rowOfBlock();
  if (row >= rows.count) return;
  const unsigned tileSize = Tile<T>::kItems * blockDim.x;
  const unsigned begin = blockIdx.x * pieceLength;
  const unsigned end = begin + min(rows.length - begin, pieceLength);
  const T* const line = in + row * rows.pitch;
  T sum{0};
  for (unsigned first = begin; first < end; first += tileSize) {
    Tile<T> tile;
    tile.load(line + first, end - first);
    sum += tile.threadSum();
  }
  T* const warpSums = sharedMemory<T>();
  sum = sumLanes(sum);
  if (threadIdx.x % kWarpSize == 0) warpSums[threadIdx.x / kWarpSize] = sum;
  __syncthreads();
  if (threadIdx.x >= kWarpSize) return;
  sum = sumLanes(threadIdx.x < blockDim.x / kWarpSize ? warpSums[threadIdx.x] : T{0});
  if (threadIdx.x == 0) sums[row * sumPitch + blockIdx.x] = sum;
}

// Scans a piece tile by tile, starting from its carry, or from 0 if `carries` is null. One block per piece.
template <class T>
__global__ void scanPieces(const T* in, T* out, const T* carries, size_t carryPitch, Rows rows, unsigned pieceLength,
                           bool inclusive) {
  const unsigned row = rowOfBlock();
  if (row >= rows.count) return;
  const unsigned tileSize = Tile<T>::kItems * blockDim.x;
  const unsigned begin = blockIdx.x * pieceLength;
  const unsigned end = begin + min(rows.length - begin, pieceLength);
  const size_t base = row * rows.pitch;
  T carry = carries == nullptr ? T{0} : carries[row * carryPitch + blockIdx.x];
  for (unsigned first = begin; first < end; first += tileSize) {
    Tile<T> tile;
    tile.load(in + base + first, end - first);
    const T sum = tile.scan(sharedMemory<T>(), inclusive);
    tile.store(out + base + first, end - first, carry);
    carry += sum;
    __syncthreads();
  }
}

// Reduce, then scan (Billeter, Olsson, Assarsson 2009, section 3): cuts the rows into as many pieces as there
// are resident blocks, reduces every piece, scans the sums, scans every piece from its carry. Cost: 2 n
// reads, n writes, three launches; if every row is one piece, n reads, n writes, one launch.
template <class T>
class ReduceThenScan : public RowScan {
 public:
  explicit ReduceThenScan(const ScanOptions& options)
      : rows_{options.length, options.rows, options.pitch},
        inclusive_(options.inclusive),
        threads_(static_cast<unsigned>(options.blockSize)) {
    const unsigned resident = device().multiprocessors * kTuning.threadsPerMultiprocessor / threads_;
    const unsigned tiles = ceilDivide(rows_.length, tileSize());
    const unsigned wanted = std::clamp(resident / rows_.count, 1u, tiles);
    pieceLength_ = ceilDivide(tiles, wanted) * tileSize();
    pieces_ = ceilDivide(rows_.length, pieceLength_);
    if (pieces_ > 1) sums_ = DeviceArray<T>(rowPitch(pieces_) * rows_.count);
  }

  void run(const void* in, void* out, CUstream_st* stream) override {
    if (pieces_ > 1) {
      launch(reducePieces<T>, {rowGrid(pieces_, rows_.count), threads_, sharedBytes(), stream},
             static_cast<const T*>(in), sums_.data(), rowPitch(pieces_), rows_, pieceLength_);
      scan(sums_.data(), sums_.data(), nullptr, {pieces_, rows_.count, rowPitch(pieces_)}, pieces_, false, stream);
    }
    scan(static_cast<const T*>(in), static_cast<T*>(out), sums_.data(), rows_, pieceLength_, inclusive_, stream);
  }

 private:
  unsigned tileSize() const { return Tile<T>::kItems * threads_; }
  size_t sharedBytes() const { return threads_ / kWarpSize * sizeof(T); }

  void scan(const T* in, T* out, const T* carries, const Rows& rows, unsigned pieceLength, bool inclusive,
            CUstream_st* stream) const {
    launch(scanPieces<T>, {rowGrid(ceilDivide(rows.length, pieceLength), rows.count), threads_, sharedBytes(), stream},
           in, out, carries, rowPitch(pieces_), rows, pieceLength, inclusive);
  }

  Rows rows_;
  bool inclusive_;
  unsigned threads_;
  unsigned pieceLength_;
  unsigned pieces_;
  DeviceArray<T> sums_;
};

}  // namespace

std::unique_ptr<RowScan> makeReduceThenScan(const ScanOptions& options) { return makeForType<ReduceThenScan>(options); }

}  // namespace satdof::cuda
