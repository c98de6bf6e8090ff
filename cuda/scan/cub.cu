#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/device/device_scan.cuh>

#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/scan/factories.h"
#include "cuda/scan/rows.cuh"

namespace satdof::cuda {

namespace {

constexpr struct {
  int threads = 256;
  int itemsPerThread = 8;
} kTuning;

// One block per row, which scans tile after tile and carries the sum.
template <class T>
__global__ void __launch_bounds__(kTuning.threads) scanRows(const T* in, T* out, Rows rows, bool inclusive) {
  using Load = ::cub::BlockLoad<T, kTuning.threads, kTuning.itemsPerThread, ::cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = ::cub::BlockStore<T, kTuning.threads, kTuning.itemsPerThread, ::cub::BLOCK_STORE_WARP_TRANSPOSE>;
  using Scan = ::cub::BlockScan<T, kTuning.threads>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } shared;
  const unsigned row = rowOfBlock();
  if (row >= rows.count) return;
  const size_t base = row * rows.pitch;
  T carry{0};
  for (unsigned first = 0; first < rows.length; first += kTuning.threads * kTuning.itemsPerThread) {
    const int count = static_cast<int>(rows.length - first);
    T items[kTuning.itemsPerThread], scanned[kTuning.itemsPerThread];
    Load(shared.load).Load(in + base + first, items, count, T{0});
    __syncthreads();
    T sum;
    Scan(shared.scan).ExclusiveSum(items, scanned, sum);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTuning.itemsPerThread; ++i) scanned[i] += inclusive ? carry + items[i] : carry;
    Store(shared.store).Store(out + base + first, scanned, count);
    __syncthreads();
    carry += sum;
  }
}

// The CUB library: DeviceScan for one row, scanRows() with BlockScan for several rows.
template <class T>
class Cub : public RowScan {
 public:
  explicit Cub(const ScanOptions& options)
      : rows_{options.length, options.rows, options.pitch}, inclusive_(options.inclusive) {
    if (rows_.count > 1) return;
    size_t bytes = 0;
    deviceScan(nullptr, bytes, nullptr, nullptr, nullptr);
    scratch_ = DeviceArray<char>(bytes);
  }

  void run(const void* in, void* out, CUstream_st* stream) override {
    if (rows_.count > 1) {
      launch(scanRows<T>, {rowGrid(1, rows_.count), kTuning.threads, 0, stream}, static_cast<const T*>(in),
             static_cast<T*>(out), rows_, inclusive_);
      return;
    }
    size_t bytes = scratch_.bytes();
    deviceScan(scratch_.data(), bytes, static_cast<const T*>(in), static_cast<T*>(out), stream);
  }

 private:
  void deviceScan(void* scratch, size_t& bytes, const T* in, T* out, CUstream_st* stream) const {
    if (inclusive_)
      SATDOF_CUDA(::cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, rows_.length, stream));
    else
      SATDOF_CUDA(::cub::DeviceScan::ExclusiveSum(scratch, bytes, in, out, rows_.length, stream));
  }

  Rows rows_;
  bool inclusive_;
  DeviceArray<char> scratch_;
};

}  // namespace

std::unique_ptr<RowScan> makeCub(const ScanOptions& options) { return makeForType<Cub>(options); }

}  // namespace satdof::cuda
