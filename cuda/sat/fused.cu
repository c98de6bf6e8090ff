#include "cuda/device.h"
#include "cuda/sat/fused_builder.h"

namespace satdof::cuda {

FusedShape fusedShapeFor(int width, int height) {
  constexpr double kPixelsOfMultiprocessor = 6000;
  return double{1} * width * height > kPixelsOfMultiprocessor * device().multiprocessors ? FusedShape::large
                                                                                         : FusedShape::small;
}

FusedBuilder::FusedBuilder(const TableOptions& options, std::optional<FusedShape> shape) : options_(options) {
  constexpr int kLargest = 32768;
  if (options.width < 1 || options.height < 1 || options.width > kLargest || options.height > kLargest)
    throw std::runtime_error("cannot make a table of " + std::to_string(options.width) + "x" +
                             std::to_string(options.height) + ": each side must be from 1 to " +
                             std::to_string(kLargest));
  shape_ = shape.value_or(fusedShapeFor(options.width, options.height));
  for (Interval& interval : intervals_) {
    SATDOF_CUDA(cudaEventCreate(&interval.begin));
    SATDOF_CUDA(cudaEventCreate(&interval.end));
  }
}

FusedBuilder::~FusedBuilder() {
  for (const Interval& interval : intervals_) {
    cudaEventDestroy(interval.begin);
    cudaEventDestroy(interval.end);
  }
}

void FusedBuilder::build(cudaArray* picture, PictureFormat format, const Quantisation& quantisation,
                         cudaArray* table, CUstream_st* stream) {
  if (format == PictureFormat::uint4 && options_.type != ElementType::uint32)
    throw std::runtime_error("a picture of integers cannot be summed into a float32 table: choose uint32");
  const FusedJob job{surfaces_.get(picture), surfaces_.get(table), options_.width, options_.height,
                     quantisation};
  cudaStreamCaptureStatus capture;
  SATDOF_CUDA(cudaStreamIsCapturing(stream, &capture));
  if (capture != cudaStreamCaptureStatusNone) {
    enqueue(job, format, stream);
    return;
  }
  const Interval& interval = intervals_[builds_ % kRing];
  SATDOF_CUDA(cudaEventRecord(interval.begin, stream));
  enqueue(job, format, stream);
  SATDOF_CUDA(cudaEventRecord(interval.end, stream));
  ++builds_;
}

std::vector<StageTime> FusedBuilder::stageTimes() const {
  for (size_t back = 1; back <= kRing && back <= builds_; ++back) {
    const Interval& interval = intervals_[(builds_ - back) % kRing];
    const cudaError_t state = cudaEventQuery(interval.end);
    if (state == cudaErrorNotReady) continue;
    SATDOF_CUDA(state);
    float timeMs = 0;
    SATDOF_CUDA(cudaEventElapsedTime(&timeMs, interval.begin, interval.end));
    return {{"fused", timeMs * 1000}};
  }
  return {};
}

std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options, FusedDesign design) {
  return design == FusedDesign::twoPass ? makeFusedTwoPass(options, {}) : makeFusedSinglePass(options, {});
}

std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options) {
  return makeFusedTableBuilder(options, FusedDesign::singlePass);
}

}  // namespace satdof::cuda
