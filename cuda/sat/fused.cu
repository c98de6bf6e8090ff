#include "cuda/device.h"
#include "cuda/sat/fused_builder.h"
#include "cuda/sat/fused_tile.cuh"

namespace satdof::cuda {

FusedShape fusedShapeFor(int width, int height) {
  constexpr double kSmallPixelsOfMultiprocessor = 32000;
  using Large = FusedTile<unsigned, PictureFormat::half4, FusedShape::large>;
  const bool fits = sizeof(Large::Shared) <= device().sharedBytesOfBlock;  // not on Turing
  return fits && double{1} * width * height > kSmallPixelsOfMultiprocessor * device().multiprocessors
             ? FusedShape::large
             : FusedShape::small;
}

FusedBuilder::FusedBuilder(const TableOptions& options, std::optional<FusedShape> shape)
    : options_(options), shape_(shape.value_or(fusedShapeFor(options.width, options.height))) {}

void FusedBuilder::build(cudaArray* picture, PictureFormat format, const Quantisation& quantisation,
                         cudaArray* table, CUstream_st* stream) {
  if (format == PictureFormat::uint4 && options_.type != ElementType::uint32)
    throw std::runtime_error("cannot sum a picture of integers into a float32 table: choose uint32");
  const FusedJob job{surfaces_.get(picture), surfaces_.get(table), options_.width, options_.height,
                     quantisation};
  timer_.begin(stream);
  enqueue(job, format, stream);
  timer_.next(stream);
}

std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options, FusedDesign design) {
  return design == FusedDesign::twoPass ? makeFusedTwoPass(options, {}) : makeFusedSinglePass(options, {});
}

std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options) {
  return makeFusedTableBuilder(options, FusedDesign::singlePass);
}

}  // namespace satdof::cuda
