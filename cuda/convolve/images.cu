#include "cuda/convolve/pass.cuh"
#include "cuda/runtime/timed_work.h"

namespace satdof::cuda {

namespace {

class FilterOnDevice : public TimedWork<ImageConvolver> {
 public:
  FilterOnDevice(Convolve variant, Extent extent, const MaskPasses<float>& masks, float offset)
      : TimedWork({"filter"}),
        pitch_(extent.width),
        offset_(offset),
        between_(masks.size() < 2 ? 0 : static_cast<size_t>(extent.width) * static_cast<size_t>(extent.height)) {
    for (const Mask<float>& mask : masks) passes_.emplace_back(variant, extent, mask);
  }

  void run(cudaArray* image, cudaArray* filtered, CUstream_st* stream) override {
    const HalfImage from{surfaces_.get(image)};
    const FilteredImage to{from, surfaces_.get(filtered), offset_};
    timer_.begin(stream);
    if (passes_.size() == 1) {
      passes_[0].run(from, to, stream);
    } else {
      passes_[0].run(from, Plane<float4>{between_.data(), pitch_}, stream);
      passes_[1].run(Plane<const float4>{between_.data(), pitch_}, to, stream);
    }
    timer_.next(stream);
  }

 private:
  int pitch_;
  float offset_;
  DeviceArray<float4> between_;  // the result of the first of two passes
  std::vector<Pass<float>> passes_;
};

}  // namespace

std::unique_ptr<ImageConvolver> makeImageConvolver(Convolve variant, Extent extent, const MaskPasses<float>& passes,
                                                   float offset) {
  requireValid(extent, passes);
  return std::make_unique<FilterOnDevice>(variant, extent, passes, offset);
}

}  // namespace satdof::cuda
