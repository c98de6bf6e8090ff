#include "bench/cuda_device.h"
#include "cuda/lens/passes.h"
#include "cuda/lens/scatter.h"
#include "cuda/runtime/array.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"

namespace satdof::bench {

namespace {

constexpr Size kLensSizes[] = {{1920, 1080}, {3840, 2160}};
constexpr int kRadiiPx[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};
constexpr int kMaxDirectRadiusPx = 64;  // already takes 0.1 s

// table: look-ups in a table that exists. whole: also builds the table. direct, separable: convolution
// without a table.
enum class Blur { table, whole, direct, separable };
const char* nameOf(Blur blur) {
  return blur == Blur::table    ? "gather"
         : blur == Blur::whole  ? "table+gather"
         : blur == Blur::direct ? "direct"
                                : "separable";
}

// Blurs every pixel by the radius radiusPx.
Result lens(Blur blur, Size size, int radiusPx) {
  const DeviceFrame& frame = deviceFrame(size);
  const cuda::Array depth(cuda::TexelFormat::r32f, size.width, size.height);
  const cuda::Array blurred(cuda::TexelFormat::rgba16f, size.width, size.height);
  fillDepth(depth.get(), size);
  const cuda::Quantisation quantisation{256.0f, 1.0f, {}};
  const auto builder = cuda::makeTableBuilder({size.width, size.height, Scan::fused});
  const cuda::DeviceArray<cuda::Texel> sums(static_cast<std::size_t>(size.pixels()));
  builder->build(frame.image.get(), cuda::ImageFormat::half4, quantisation, sums.data(), nullptr);
  SATDOF_CUDA(cudaDeviceSynchronize());

  const cuda::DeviceArray<cuda::Texel> means(blur == Blur::separable ? static_cast<std::size_t>(size.pixels()) : 0);
  const auto passes = cuda::makePasses();
  const cuda::PassImages images{.size = {size.width, size.height},
                                .transposed = builder->transposed(),
                                .reads = {{frame.image.get()}, {depth.get()}, {nullptr, sums.data()}},
                                .writes = {{blurred.get()}, {nullptr, means.data()}}};
  const RadiusRule radius{.lens = {0.0f, static_cast<float>(radiusPx)}};
  PassRule rule = BoxRule{.radius = radius, .unit = 1 / quantisation.scale};
  if (blur == Blur::direct || blur == Blur::separable)
    rule = ConvolutionRule{radius, blur == Blur::direct ? Convolution::direct : Convolution::separable};
  const Measurement time = timeOnDevice(
      [&](cudaStream_t stream) {
        if (blur == Blur::whole)
          builder->build(frame.image.get(), cuda::ImageFormat::half4, quantisation, sums.data(), stream);
        passes->begin({"lens"}, stream);
        passes->run(rule, images, stream);
      },
      Input::warm);
  const double bytes =
      size.pixels() * (8 + 4 + (blur == Blur::table ? 16 : 0) + (blur == Blur::whole ? 8 + 32 : 0) + 8);
  return {time, bytes, copyLimitUs(static_cast<std::size_t>(bytes / 2), Input::warm)};
}

// Scatters every pixel, with the radius radiusPx + 0.25.
Result scatter(Size size, int radiusPx) {
  const DeviceFrame& frame = deviceFrame(size);
  const cuda::Array depth(cuda::TexelFormat::r32f, size.width, size.height);
  const cuda::DeviceArray<cuda::Texel> differences(static_cast<std::size_t>(size.pixels()));
  fillDepth(depth.get(), size);
  const auto scatter = cuda::makeScatter(size.width, size.height);
  const float radius = static_cast<float>(radiusPx) + 0.25f;
  const ScatterRule rule{.lens = {.beta = -radius}, .widestPx = radius};
  const Measurement time = timeOnDevice(
      [&](cudaStream_t stream) {
        scatter->run(Scattered::nearPixels, frame.image.get(), depth.get(), rule, differences.data(), stream);
      },
      Input::warm);
  const double bytes = size.pixels() * (8 + 4 + 16);
  return {time, bytes, copyLimitUs(static_cast<std::size_t>(bytes / 2), Input::warm)};
}

}  // namespace

void addDeviceLenses() {
  for (const Size size : kLensSizes)
    for (const int radiusPx : kRadiiPx)
      addRow(path({"lens", "scatter", nameOf(size), std::to_string(radiusPx)}),
             [=] { return scatter(size, radiusPx); });
  for (const Size size : kLensSizes)
    for (const Blur blur : {Blur::table, Blur::whole, Blur::direct, Blur::separable})
      for (const int radiusPx : kRadiiPx)
        if (blur != Blur::direct || radiusPx <= kMaxDirectRadiusPx)
          addRow(path({"lens", nameOf(blur), nameOf(size), std::to_string(radiusPx)}),
                 [=] { return lens(blur, size, radiusPx); });
}

}  // namespace satdof::bench
