#include <bit>

#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/scan/factories.h"
#include "cuda/scan/rows.cuh"
#include "cuda/scan/tree.cuh"

namespace satdof::cuda {

namespace {

// Copies the rows to `padded`, whose pitch is a power of two; elements beyond the input are 0.
template <class T>
__global__ void pad(const T* in, Rows rows, T* padded, size_t paddedPitch) {
  const unsigned row = rowOfBlock();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows.count && i < paddedPitch)
    padded[row * paddedPitch + i] = i < rows.length ? in[row * rows.pitch + i] : T{0};
}

// Copies the exclusive scan back; adds the input if `inclusive`.
template <class T>
__global__ void unpad(const T* padded, size_t paddedPitch, const T* in, T* out, Rows rows, bool inclusive) {
  const unsigned row = rowOfBlock();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows.count || i >= rows.length) return;
  const T before = padded[row * paddedPitch + i];
  out[row * rows.pitch + i] = inclusive ? before + in[row * rows.pitch + i] : before;
}

enum class Step { up, root, down };

// One level of the tree in every row: one thread per node, whose children span `offset` elements each.
template <Step kStep, class T>
__global__ void sweep(T* trees, unsigned size, unsigned rows, unsigned nodes, unsigned offset) {
  const unsigned row = rowOfBlock();
  const unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || node >= nodes) return;
  T* const tree = trees + size_t{row} * size;
  if constexpr (kStep == Step::up) sweepUp<Adjacent>(tree, node, offset);
  if constexpr (kStep == Step::root) clearRoot<Adjacent, T>(tree, size, nullptr);
  if constexpr (kStep == Step::down) sweepDown<Adjacent>(tree, node, offset);
}

// Blelloch's balanced tree (1990; GPU Gems 3, 39.2.2) in global memory: up-sweep, root = 0, down-sweep with a
// swap in every node. Cost for n elements, n a power of two: 2 log2 n launches, 2 (n - 1) additions, n - 1
// swaps; scratch memory for up to 2 n elements.
template <class T>
class BlellochGlobal : public RowScan {
 public:
  explicit BlellochGlobal(const ScanOptions& options)
      : rows_{options.length, options.rows, options.pitch},
        inclusive_(options.inclusive),
        threads_(static_cast<unsigned>(options.blockSize)),
        size_(std::bit_ceil(options.length)),
        trees_(size_t{size_} * options.rows) {}

  void run(const void* in, void* out, CUstream_st* stream) override {
    const T* const input = static_cast<const T*>(in);
    launch(pad<T>, {grid(size_), threads_, 0, stream}, input, rows_, trees_.data(), size_);
    for (unsigned offset = 1; offset < size_; offset *= 2) step<Step::up>(size_ / 2 / offset, offset, stream);
    step<Step::root>(1, 0, stream);
    for (unsigned offset = size_ / 2; offset > 0; offset /= 2) step<Step::down>(size_ / 2 / offset, offset, stream);
    launch(unpad<T>, {grid(rows_.length), threads_, 0, stream}, trees_.data(), size_, input, static_cast<T*>(out),
           rows_, inclusive_);
  }

 private:
  dim3 grid(unsigned threads) const { return rowGrid(ceilDivide(threads, threads_), rows_.count); }

  template <Step kStep>
  void step(unsigned nodes, unsigned offset, CUstream_st* stream) const {
    launch(sweep<kStep, T>, {grid(nodes), threads_, 0, stream}, trees_.data(), size_, rows_.count, nodes, offset);
  }

  Rows rows_;
  bool inclusive_;
  unsigned threads_;
  unsigned size_;  // elements of a padded row, a power of two
  DeviceArray<T> trees_;
};

}  // namespace

std::unique_ptr<RowScan> makeBlellochGlobal(const ScanOptions& options) { return makeForType<BlellochGlobal>(options); }

}  // namespace satdof::cuda
