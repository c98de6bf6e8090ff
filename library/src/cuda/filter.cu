#include <algorithm>
#include <optional>

#include "cuda/block/divide.h"
#include "cuda/runtime/launch.cuh"
#include "library/src/check.h"
#include "library/src/cuda/element.cuh"
#include "library/src/disc.h"

namespace satdof::cuda {

namespace {

constexpr unsigned kFilterThreads = 256;

// Kernel parameters.
struct FilterJob {
  OutputImage out;
  Radii radii;
  Border border;
  FixedPoint fixed;
  int largest;  // largest radius, see splitRadius()
};

template <Window window, class T, class W>
__device__ T meanAt(const Table<W>& table, const FilterJob& job, const SplitRadius& split, int x, int y, int channel,
                    double unit) {
  const int width = job.out.width, height = job.out.height;
  const int margin = ::min(::min(x, width - 1 - x), ::min(y, height - 1 - y));
  if constexpr (window == Window::disc) {
    return discMean<T>(table, width, height, job.border, split, x, y, channel, unit);
  } else if constexpr (window == Window::tent) {
    if (split.whole + 1 < margin) return tentMeanInside<T>(table, table.at(x, y) + channel, split, unit);
    return ProductWindow<T, W, TentAxis>(table, width, height, job.border, split, x, y).mean(channel, unit);
  } else {
    if (split.whole < margin) return boxMeanInside<T>(table, table.corner(x, y, split) + channel, split, unit);
    return ProductWindow<T, W>(table, width, height, job.border, split, x, y).mean(channel, unit);
  }
}

template <Window window, class T, class W>
__device__ void meansOfColumn(const Table<W>& table, const FilterJob& job, int x, int channel) {
  const OutputImage& out = job.out;
  const double unit = std::is_floating_point_v<T> ? unitOf(job.fixed).unit : 1.0;
  for (int y = static_cast<int>(blockIdx.y); y < out.height; y += static_cast<int>(gridDim.y)) {
    T& mean = static_cast<T*>(out.data)[std::ptrdiff_t{y} * out.stride + std::ptrdiff_t{x} * out.channels + channel];
    mean = meanAt<window, T>(table, job, splitRadius(job.radii.at(x, y), job.largest), x, y, channel, unit);
  }
}

// Writes the means over the windows of all pixels from `table`: one thread per column and channel, every
// gridDim.y-th row.
template <Window window, class W>
__global__ void __launch_bounds__(kFilterThreads, 3) takeMeans(const Table<W> table, const FilterJob job) {
  const unsigned element = blockIdx.x * kFilterThreads + threadIdx.x;
  const auto channels = static_cast<unsigned>(job.out.channels);
  const auto x = static_cast<int>(element / channels), channel = static_cast<int>(element % channels);
  if (x >= job.out.width) return;
  withType<(sizeof(W) == 4 ? 1 : 8)>(job.out.type,
                                     [&]<class T>(T) { meansOfColumn<window, T>(table, job, x, channel); });
}

// cpu::kMaxTentRadius of the type.
float largestTent(Type type) {
  switch (bytesOf(type)) {
    case 1:
      return isSigned(type) ? cpu::kMaxTentRadius<std::int8_t> : cpu::kMaxTentRadius<std::uint8_t>;
    case 2:
      return isSigned(type) ? cpu::kMaxTentRadius<std::int16_t> : cpu::kMaxTentRadius<std::uint16_t>;
    default:
      if (isFloat(type)) return cpu::kMaxTentRadius<float>;
      return isSigned(type) ? cpu::kMaxTentRadius<std::int32_t> : cpu::kMaxTentRadius<std::uint32_t>;
  }
}

}  // namespace

template <Window window>
struct FilterPlan<window>::State {
  int width, height, channels;
  Border border;
  OnDevice device;
  SumPlan sums;
  std::optional<SumPlan> again;  // tent: sums of the sums
  DeviceArray<Maxima> maxima;
  DeviceArray<unsigned long long> table;

  void run(const InputImage& image, const Radii& radii, const OutputImage& out, CUstream_st* stream) {
    device.require();
    requirePixels(image, "the image", width, height, channels);
    requirePixels(out, "the output", width, height, channels);
    cpu::require(out.type == image.type, "the output is ", nameOf(out.type), ", but the image is ", nameOf(image.type));
    cpu::require(isFloat(image.type) || bytesOf(image.type) <= 4, "the image cannot be ", nameOf(image.type));
    const bool each = radii.each.data != nullptr, floats = isFloat(image.type),
               grows = window == Window::tent || border != Border::inside;
    const auto one = static_cast<double>(radii.one);
    FilterJob job{out, radii, border, {}, 0};
    if constexpr (window == Window::tent) {
      const float most = largestTent(image.type);
      if (!each) cpu::requireTentRadius(radii.one, most);
      job.largest = static_cast<int>(most);
      job.fixed = {1.0, nullptr, each ? 1.0 : tentWeight(one), true};
    } else {
      job.largest = window == Window::disc ? largestDisc(width, height, border) : largestBox();
      job.fixed = {1.0, nullptr, boxWeight(width, height, each ? 0.0 : one, border)};
    }
    if (floats) {
      measureMagnitude(image, maxima, stream);
      if (each && grows) measureRadius(radii.each, maxima, stream);
      job.fixed.maxima = maxima.data();
    }
    if constexpr (window == Window::box)
      if (bytesOf(image.type) == 1 && job.fixed.elements <= 0x1p24 && !(each && grows))
        return filter(reinterpret_cast<unsigned*>(table.data()), image, job, stream);
    filter(table.data(), image, job, stream);
  }

  int largestBox() const {
    return border == Border::inside ? std::max(width, height) : static_cast<int>(cpu::kMaxRadius);
  }

  template <class W>
  void filter(W* words, const InputImage& image, const FilterJob& job, CUstream_st* stream) const {
    const std::ptrdiff_t stride = (std::ptrdiff_t{width} + 1) * channels;
    W* const first = window == Window::disc ? words + channels : words;  // the first column stays 0
    sums.run({image, image.stride, 0, job.fixed}, {first, stride, 0}, stream);
    if (again) {
      W* const inside = words + stride + channels;
      again->run({inside, stride, 0, {}}, {inside, stride, 0}, stream);
    }
    const auto elements = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(channels);
    constexpr unsigned kBlocks = 8192;
    const unsigned columns = blocksFor(elements, kFilterThreads);
    const unsigned rows = std::min(static_cast<unsigned>(height), std::max(1u, kBlocks / columns));
    launch(takeMeans<window, W>, {dim3(columns, rows), kFilterThreads, 0, stream}, Table<W>{words, stride, channels},
           job);
  }
};

template <Window window>
FilterPlan<window>::FilterPlan(int width, int height, int channels, Border border) {
  SumShape shape = tableShape(width, height, channels, cpu::Sums::exclusive), again = shape;
  std::size_t rows = shape.height;
  if constexpr (window == Window::disc) {
    shape.kind = rowSumKind(shape.elements);
    shape.exclusive = false;
  } else {
    again.exclusive = false;
    ++rows;
  }
  state_ = std::make_unique<State>(State{width,
                                         height,
                                         channels,
                                         border,
                                         {},
                                         SumPlan(shape),
                                         {},
                                         DeviceArray<Maxima>(1),
                                         zeros((static_cast<std::size_t>(width) + 1) * rows * shape.channels)});
  if constexpr (window == Window::tent) state_->again.emplace(again);
}
template <Window window>
FilterPlan<window>::FilterPlan(FilterPlan&&) noexcept = default;
template <Window window>
FilterPlan<window>& FilterPlan<window>::operator=(FilterPlan&&) noexcept = default;
template <Window window>
FilterPlan<window>::~FilterPlan() = default;

template <Window window>
void FilterPlan<window>::run(const InputImage& image, float radius, const OutputImage& out, CUstream_st* stream) {
  cpu::requireRadius(radius, window == Window::tent ? Border::inside : state_->border);
  state_->run(image, {{}, radius}, out, stream);
}

template <Window window>
void FilterPlan<window>::run(const InputImage& image, const cpu::Image<const float>& radius, const OutputImage& out,
                             CUstream_st* stream) {
  requirePixels(InputImage(radius), "the radius", state_->width, state_->height, 1);
  state_->run(image, {radius, 0.0f}, out, stream);
}

template class FilterPlan<Window::box>;
template class FilterPlan<Window::tent>;
template class FilterPlan<Window::disc>;

}  // namespace satdof::cuda
