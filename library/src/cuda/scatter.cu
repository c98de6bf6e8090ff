#include "library/src/scatter.h"

#include "cuda/block/divide.h"
#include "cuda/runtime/launch.cuh"
#include "library/src/check.h"
#include "library/src/cuda/element.cuh"

namespace satdof::cuda {

namespace {

constexpr unsigned kScatterThreads = 256;

struct ScatterJob {
  InputImage image;
  Radii radii;
  OutputImage out;
  FixedPoint fixed;
  unsigned long long* words;  // out.height x out.width x out.channels, without gaps
};

// Calls task(x, y) for the pixels of this thread: column x of the thread, every gridDim.y-th row.
template <class Task>
__device__ void forPixelsOfThread(const OutputImage& image, const Task& task) {
  const auto x = static_cast<int>(blockIdx.x * kScatterThreads + threadIdx.x);
  if (x >= image.width) return;
  for (int y = static_cast<int>(blockIdx.y); y < image.height; y += static_cast<int>(gridDim.y)) task(x, y);
}

// Adds the row differences of one pixel's discs to `words`, by atomics. Integers: the order does not matter.
template <class T>
__device__ void scatterPixel(const ScatterJob& job, double scale, int x, int y) {
  const int width = job.out.width, channels = job.out.channels;
  const T* const value = static_cast<const T*>(job.image.data) + std::ptrdiff_t{y} * job.image.stride +
                         std::ptrdiff_t{x} * job.image.channels;
  forShares(width, job.out.height, splitRadius(job.radii.at(x, y), static_cast<int>(cpu::kMaxRadius)), x, y,
            [&](std::ptrdiff_t row, std::ptrdiff_t from, std::ptrdiff_t to, double share) {
              unsigned long long* const line = job.words + row * width * channels;
              for (int c = 0; c < channels; ++c) {
                const unsigned long long word = c + 1 < channels
                                                    ? fixedWord(static_cast<double>(value[c]) * share, scale)
                                                    : fixedWord(share, kCoverageScale);
                atomicAdd(line + from * channels + c, word);
                if (to < width) atomicAdd(line + to * channels + c, 0 - word);
              }
            });
}

__global__ void __launch_bounds__(kScatterThreads) scatterPixels(const ScatterJob job) {
  const double scale = unitOf(job.fixed).scale;
  forPixelsOfThread(job.out, [&](int x, int y) {
    if (job.image.type == Type::float32)
      scatterPixel<float>(job, scale, x, y);
    else
      scatterPixel<double>(job, scale, x, y);
  });
}

// Converts the sums in `words` to the output.
__global__ void __launch_bounds__(kScatterThreads) takeScattered(const ScatterJob job) {
  const double unit = unitOf(job.fixed).unit;
  const int channels = job.out.channels;
  forPixelsOfThread(job.out, [&](int x, int y) {
    const std::ptrdiff_t pixel = std::ptrdiff_t{x} * channels;
    const unsigned long long* const from = job.words + std::ptrdiff_t{y} * job.out.width * channels + pixel;
    const std::ptrdiff_t to = std::ptrdiff_t{y} * job.out.stride + pixel;
    for (int c = 0; c < channels; ++c) {
      const double sum =
          static_cast<double>(static_cast<long long>(from[c])) * (c + 1 < channels ? unit : 1.0 / kCoverageScale);
      if (job.out.type == Type::float32)
        static_cast<float*>(job.out.data)[to + c] = static_cast<float>(sum);
      else
        static_cast<double*>(job.out.data)[to + c] = sum;
    }
  });
}

}  // namespace

struct ScatterPlan::State {
  int width, height, channels;  // of the output
  OnDevice device;
  SumPlan sums;
  DeviceArray<Maxima> maxima;
  DeviceArray<unsigned long long> words;

  void run(const InputImage& image, const Radii& radii, const OutputImage& out, CUstream_st* stream) {
    device.require();
    requirePixels(image, "the image", width, height, channels - 1);
    requirePixels(out, "the output", width, height, channels);
    cpu::require(isFloat(image.type), "cannot scatter an image of ", nameOf(image.type), ": take float32 or float64");
    cpu::require(out.type == image.type, "the output is ", nameOf(out.type), ", but the image is ", nameOf(image.type));
    SATDOF_CUDA(cudaMemsetAsync(words.data(), 0, words.bytes(), stream));
    measureMagnitude(image, maxima, stream);
    const ScatterJob job{image, radii, out, {1.0, maxima.data(), 1.0}, words.data()};
    const dim3 blocks(blocksFor(static_cast<std::uint64_t>(width), kScatterThreads),
                      static_cast<unsigned>(std::min(height, 65535)));
    launch(scatterPixels, {blocks, kScatterThreads, 0, stream}, job);
    const std::ptrdiff_t stride = std::ptrdiff_t{width} * channels;
    sums.run({words.data(), stride, 0, {}}, {words.data(), stride, 0}, stream);
    launch(takeScattered, {blocks, kScatterThreads, 0, stream}, job);
  }
};

ScatterPlan::ScatterPlan(int width, int height, int channels) {
  constexpr int kMax = static_cast<int>(kMaxChannels) - 1;
  cpu::require(channels >= 1 && channels <= kMax, "a scatter on a device takes 1 to ", kMax, " channels, not ",
               channels);
  SumShape shape = tableShape(width, height, channels + 1, cpu::Sums::inclusive);
  shape.kind = rowSumKind(shape.elements);
  state_ = std::make_unique<State>(State{width,
                                         height,
                                         channels + 1,
                                         {},
                                         SumPlan(shape),
                                         DeviceArray<Maxima>(1),
                                         DeviceArray<unsigned long long>(std::size_t{shape.elements} * shape.height)});
}
ScatterPlan::ScatterPlan(ScatterPlan&&) noexcept = default;
ScatterPlan& ScatterPlan::operator=(ScatterPlan&&) noexcept = default;
ScatterPlan::~ScatterPlan() = default;

void ScatterPlan::run(const InputImage& image, float radius, const OutputImage& out, CUstream_st* stream) {
  cpu::requireScatterRadius(radius);
  state_->run(image, {{}, radius}, out, stream);
}

void ScatterPlan::run(const InputImage& image, const cpu::Image<const float>& radius, const OutputImage& out,
                      CUstream_st* stream) {
  requirePixels(InputImage(radius), "the radius", state_->width, state_->height, 1);
  state_->run(image, {radius, 0.0f}, out, stream);
}

}  // namespace satdof::cuda
