#pragma once
#include <array>
#include <cstddef>
#include <memory>

#include "cuda/scan/element_type.h"
#include "cuda/scan/variants.h"

// Prefix sums on CUDA.
struct CUstream_st;

namespace satdof::cuda {

struct ScanOptions {
  Scan scan = Scan::warpShuffle;
  ElementType type = ElementType::uint32;
  bool inclusive = true;
  unsigned length = 0;    // elements in a row
  unsigned rows = 1;      // 1 for a plain array
  std::size_t pitch = 0;  // elements from one row to the next
  int blockSize = 256;    // threads per block, for variants with ScanInfo::hasBlockSize
};

inline constexpr std::array kBlockSizes = {32, 64, 128, 256, 512, 1024};

// The smallest pitch for rows of `length` elements: a multiple of 16 bytes.
constexpr std::size_t rowPitch(unsigned length) { return (std::size_t{length} + 3) / 4 * 4; }

// Prefix sums of every row: out[i] = in[0] + ... + in[i], or up to in[i - 1] if exclusive. Owns its scratch
// memory, so one object serves one stream at a time. run() does not allocate or wait, and can be captured in
// a graph.
class RowScan {
 public:
  virtual ~RowScan() = default;
  // Enqueues one scan. `in` and `out`: rows * pitch elements of device memory, aligned to 16 bytes; only the
  // first `length` elements of each row are accessed. The two must not overlap.
  virtual void run(const void* in, void* out, CUstream_st* stream) = 0;
};

// Throws std::runtime_error, with the value and the choices, if `options` are not supported: empty rows; with
// several rows, a pitch shorter than a row or not a multiple of 4; a block size not in kBlockSizes;
// Scan::fused, which only builds whole tables. Also if memory runs out.
std::unique_ptr<RowScan> makeRowScan(const ScanOptions& options);

// The row scan that a compaction or sort uses for the setting `scan`: decoupled look-back in place of
// Scan::fused, which only builds whole tables.
Scan rowScanOf(Scan scan);

// Throws std::runtime_error with the value and the choices unless `blockSize` is in kBlockSizes.
void requireBlockSize(int blockSize);

}  // namespace satdof::cuda
