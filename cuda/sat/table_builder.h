#pragma once
#include <memory>

#include "cuda/runtime/work.h"
#include "cuda/scan/element_type.h"
#include "cuda/scan/variants.h"
#include "shaders/sat/quantisation.h"

// Summed-area tables on CUDA, behind plain C++: opaque handles, no CUDA syntax.
namespace satdof::cuda {

using satdof::Quantisation;

enum class ImageFormat { half4, uint4 };

struct TableOptions {
  int width = 0, height = 0;
  Scan scan = Scan::fused;
  ElementType type = ElementType::uint32;
  int blockSize = 256;
};

// Builds inclusive tables of images of one size. Owns its scratch memory; build() neither allocates nor
// waits.
class TableBuilder : public Work {
 public:
  // Enqueues one table on `stream`. Both arrays are made or registered for surface load/store. `image`:
  // width x height texels of `format`. `table`: four 32-bit channels, width x height texels, or height x
  // width when transposed().
  virtual void build(cudaArray* image, ImageFormat format, const Quantisation& quantisation, cudaArray* table,
                     CUstream_st* stream) = 0;
  // Whether element (x, y) of the table lies at texel (y, x).
  virtual bool transposed() const = 0;
};

// Throws std::runtime_error when the size or block size does not fit, or memory runs out.
std::unique_ptr<TableBuilder> makeTableBuilder(const TableOptions& options);

}  // namespace satdof::cuda
