#include <cuda_runtime.h>

#include "cuda/runtime/launch.cuh"
#include "cuda/scan/factories.h"
#include "cuda/scan/rows.cuh"

namespace satdof::cuda {

namespace {

// Copies the rows, shifted to the right by `shift` elements behind zeros. With a shift of 1, an inclusive
// scan gives the exclusive scan of the input.
template <class T>
__global__ void place(const T* in, T* out, Rows rows, unsigned shift) {
  const unsigned row = rowOfBlock();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows.count || i >= rows.length) return;
  out[row * rows.pitch + i] = i < shift ? T{0} : in[row * rows.pitch + i - shift];
}

// One step of the tree, one thread per node, nodes `span` elements apart: data[first + node * span +
// distance] += data[first + node * span].
template <class T>
__global__ void addAcross(T* data, Rows rows, unsigned nodes, unsigned span, unsigned first, unsigned distance) {
  const unsigned row = rowOfBlock();
  const unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows.count || node >= nodes) return;
  T* const from = data + row * rows.pitch + first + size_t{node} * span;
  from[distance] += from[0];
}

// The tree of Brent and Kung (1982) in global memory. The up-sweep follows GPU Gems 3, 39.2.2; the
// down-sweep adds the prefix at the end of each node to the middle of the next node, so that n need not be a
// power of two. In place. Cost: 2 log2 n launches, 2 n additions; large strides waste most of each memory
// transaction.
template <class T>
class GlobalSweep : public RowScan {
 public:
  explicit GlobalSweep(const ScanOptions& options)
      : rows_{options.length, options.rows, options.pitch},
        shift_(options.inclusive ? 0 : 1),
        threads_(static_cast<unsigned>(options.blockSize)) {}

  void run(const void* in, void* out, CUstream_st* stream) override {
    T* const data = static_cast<T*>(out);
    launch(place<T>, {grid(rows_.length), threads_, 0, stream}, static_cast<const T*>(in), data, rows_, shift_);
    unsigned offset = 1;
    for (; offset <= rows_.length / 2; offset *= 2) step(data, rows_.length / (2 * offset), offset, offset - 1, stream);
    for (; offset > 0; offset /= 2)
      if (rows_.length > offset) step(data, (rows_.length - offset) / (2 * offset), offset, 2 * offset - 1, stream);
  }

 private:
  dim3 grid(unsigned threads) const { return rowGrid(ceilDivide(threads, threads_), rows_.count); }

  void step(T* data, unsigned nodes, unsigned offset, unsigned first, CUstream_st* stream) const {
    if (nodes == 0) return;
    launch(addAcross<T>, {grid(nodes), threads_, 0, stream}, data, rows_, nodes, 2 * offset, first, offset);
  }

  Rows rows_;
  unsigned shift_;
  unsigned threads_;
};

}  // namespace

std::unique_ptr<RowScan> makeGlobalSweep(const ScanOptions& options) { return makeForType<GlobalSweep>(options); }

}  // namespace satdof::cuda
