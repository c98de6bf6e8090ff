#include "cuda/convolve/pass.cuh"

namespace satdof::cuda {

namespace {

template <class T>
class ArrayConvolver : public Convolver<T> {
 public:
  ArrayConvolver(Convolve variant, Extent extent, const MaskPasses<T>& masks)
      : pitch_(extent.width),
        between_(masks.size() < 2 ? 0 : static_cast<size_t>(extent.width) * static_cast<size_t>(extent.height)) {
    for (const Mask<T>& mask : masks) passes_.emplace_back(variant, extent, mask);
  }

  void run(const T* input, T* output, CUstream_st* stream) override {
    const Plane<const T> from{input, pitch_};
    const Plane<T> to{output, pitch_};
    if (passes_.size() == 1) {
      passes_[0].run(from, to, stream);
      return;
    }
    passes_[0].run(from, Plane<T>{between_.data(), pitch_}, stream);
    passes_[1].run(Plane<const T>{between_.data(), pitch_}, to, stream);
  }

 private:
  int pitch_;
  DeviceArray<T> between_;  // the result of the first of two passes
  std::vector<Pass<T>> passes_;
};

}  // namespace

template <class T>
std::unique_ptr<Convolver<T>> makeConvolver(Convolve variant, Extent extent, const MaskPasses<T>& passes) {
  requireValid(extent, passes);
  return std::make_unique<ArrayConvolver<T>>(variant, extent, passes);
}

template std::unique_ptr<Convolver<float>> makeConvolver(Convolve, Extent, const MaskPasses<float>&);
template std::unique_ptr<Convolver<std::int32_t>> makeConvolver(Convolve, Extent, const MaskPasses<std::int32_t>&);

}  // namespace satdof::cuda
