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

enum class ImageFormat { half4, uint4 };  // four channels of half floats, or of unsigned integers

struct TableOptions {
  int width = 0, height = 0;
  Scan scan = Scan::fused;
  ElementType type = ElementType::uint32;
  int blockSize = 256;
};

// Builds inclusive summed-area tables of images of one size. Owns its scratch memory, so one object serves
// one stream at a time. build() does not allocate or wait, except in the first call with new arrays.
class TableBuilder : public Work {
 public:
  // Enqueues one table on `stream`. `image`: width x height texels of `format`. half4 must be in a CUDA
  // array; uint4 is summed without quantisation and needs ElementType::uint32. `table`: four 32-bit channels,
  // width x height texels, or height x width if transposed().
  virtual void build(const Texels& image, ImageFormat format, const Quantisation& quantisation, const Texels& table,
                     CUstream_st* stream) = 0;
  // Whether table element (x, y) is at texel (y, x).
  virtual bool transposed() const = 0;
};

// Throws std::runtime_error if the size or the block size is not supported, or if memory runs out.
std::unique_ptr<TableBuilder> makeTableBuilder(const TableOptions& options);

}  // namespace satdof::cuda
