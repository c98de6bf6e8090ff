#include <cstdint>

#include "bench/cuda_device.h"
#include "cuda/convolve/convolve.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"

namespace satdof::bench {

namespace {

constexpr Size kImageSizes[] = {{1920, 1080}, {3840, 2160}};
constexpr int kMaskSides[] = {3, 5, 9, 17, 33, 63};
constexpr int kCounts[] = {1'000, 10'000, 100'000, 1'000'000, 1 << 24};

// `count` elements of 32 bits and a mask of `side` ones.
template <class T>
Result line(Convolve variant, int count, int side) {
  const auto elements = static_cast<size_t>(count);
  const cuda::DeviceArray<T> in(elements), out(elements);
  fillElements(reinterpret_cast<unsigned*>(in.data()), std::is_same_v<T, float>, elements);
  const auto convolver = cuda::makeConvolver<T>(variant, {count, 1},
                                                {{side, 1, std::vector<T>(static_cast<size_t>(side), T{1})}});
  const Measurement time =
      timeOnDevice([&](cudaStream_t stream) { convolver->run(in.data(), out.data(), stream); }, Input::warm);
  return {time, 8.0 * count, copyLimitUs(4 * elements, Input::warm)};
}

// Blurs an RGBA16F image by a box of side x side pixels.
Result image(Convolve variant, bool separable, Size size, int side) {
  const DeviceFrame& frame = deviceFrame(size);
  const cudaChannelFormatDesc half4{16, 16, 16, 16, cudaChannelFormatKindFloat};
  cudaArray_t filtered = nullptr;
  SATDOF_CUDA(cudaMallocArray(&filtered, &half4, static_cast<size_t>(size.width),
                              static_cast<size_t>(size.height), cudaArraySurfaceLoadStore));
  const auto weights = [](int count) {
    return std::vector<float>(static_cast<size_t>(count), 1.0f / static_cast<float>(count));
  };
  cuda::MaskPasses<float> passes{{side, side, weights(side * side)}};
  if (separable) passes = {{side, 1, weights(side)}, {1, side, weights(side)}};
  Measurement time;
  {
    const auto filter = cuda::makeImageConvolver(variant, {size.width, size.height}, passes, 0.0f);
    time =
        timeOnDevice([&](cudaStream_t stream) { filter->run(frame.image, filtered, stream); }, Input::warm);
  }
  cudaFreeArray(filtered);
  const double bytes = 16 * size.pixels();
  return {time, bytes, copyLimitUs(static_cast<size_t>(bytes / 2), Input::warm)};
}

}  // namespace

void addDeviceConvolutions() {
  for (const ConvolveInfo& variant : kConvolves) {
    for (const int count : kCounts)
      for (const int side : kMaskSides) {
        const auto name = [&](const char* type) {
          return path({"convolve", "1d", variant.name, type, std::to_string(count), std::to_string(side)});
        };
        addRow(name("int32"), [=] { return line<std::int32_t>(variant.value, count, side); });
        addRow(name("float32"), [=] { return line<float>(variant.value, count, side); });
      }
    for (const Size size : kImageSizes)
      for (const bool separable : {false, true})
        for (const int side : kMaskSides)
          addRow(
              path({"convolve", "2d", std::string(separable ? "separable-" : "direct-").append(variant.name),
                    nameOf(size), std::to_string(side)}),
              [=] { return image(variant.value, separable, size, side); });
  }
}

}  // namespace satdof::bench
