#pragma once
#include <memory>

#include "cuda/runtime/texels.h"
#include "cuda/runtime/work.h"
#include "cuda/scan/element_type.h"
#include "cuda/scan/variants.h"
#include "shaders/sat/quantisation.h"

// Summed-area tables on CUDA.
namespace satdof::cuda {

using satdof::Quantisation;

enum class ImageFormat { half4, uint4 };

struct TableOptions {
  int width = 0, height = 0;
  Scan scan = Scan::fused;
  ElementType type = ElementType::uint32;
  int blockSize = 256;
};

// Builds inclusive tables of images of one size. Owns its scratch memory: one object serves one stream at a
// time. build() does not allocate or wait, except for new arrays.
class TableBuilder : public Work {
 public:
  // Enqueues one table on `stream`. `image`: width x height texels of `format`; half4 is in an array, uint4 is
  // summed without quantisation and needs ElementType::uint32. `table`: four 32-bit channels, width x height
  // texels, or height x width if transposed().
  virtual void build(const Texels& image, ImageFormat format, const Quantisation& quantisation,
                     const Texels& table, CUstream_st* stream) = 0;
  // Whether element (x, y) of the table is at texel (y, x).
  virtual bool transposed() const = 0;
};

// Throws std::runtime_error if the size or block size is not supported or memory runs out.
std::unique_ptr<TableBuilder> makeTableBuilder(const TableOptions& options);

}  // namespace satdof::cuda
