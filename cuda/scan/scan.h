#pragma once
#include <array>
#include <cstddef>
#include <memory>

#include "cuda/scan/element_type.h"
#include "cuda/scan/variants.h"

// Prefix sums on CUDA, behind plain C++.
struct CUstream_st;

namespace satdof::cuda {

struct ScanOptions {
  Scan scan = Scan::warpShuffle;
  ElementType type = ElementType::uint32;
  bool inclusive = true;
  unsigned length = 0;  // elements in a row
  unsigned rows = 1;    // 1 for a plain array
  size_t pitch = 0;     // elements from one row to the next
  int blockSize = 256;  // threads a block, where the variant takes one
};

inline constexpr std::array kBlockSizes = {32, 64, 128, 256, 512, 1024};

// The pitch that rows of `length` elements need: rounded up to 16 bytes.
constexpr size_t rowPitch(unsigned length) { return (size_t{length} + 3) / 4 * 4; }

// Sums every row on its own: out[i] = in[0] + ... + in[i], or up to in[i - 1] when exclusive. Owns its
// scratch memory, so one object serves one stream at a time; run() neither allocates nor waits, and can be
// captured in a graph.
class RowScan {
 public:
  virtual ~RowScan() = default;
  // Enqueues one scan. `in` and `out`: device memory, aligned to 16 bytes, rows * pitch elements of which the
  // first `length` of each row are touched; they must not overlap.
  virtual void run(const void* in, void* out, CUstream_st* stream) = 0;
};

// Throws std::runtime_error naming the value and the choices when `options` do not fit: an empty row, a pitch
// shorter than a row or (for several rows) no multiple of 4, a block size that is no power of two from 32 to
// 1024, Scan::fused, which builds whole tables only; or when memory runs out.
std::unique_ptr<RowScan> makeRowScan(const ScanOptions& options);

// Throws std::runtime_error naming the value and the choices unless `blockSize` is in kBlockSizes.
void requireBlockSize(int blockSize);

}  // namespace satdof::cuda
