#include <algorithm>

#include "cuda/block/divide.h"
#include "cuda/runtime/launch.cuh"
#include "library/src/box.h"
#include "library/src/check.h"
#include "library/src/cuda/element.cuh"

namespace satdof::cuda {

namespace {

constexpr unsigned kBoxThreads = 256;

// One radius a pixel, or `one` for all if there are none.
struct Radii {
  cpu::Image<const float> each;
  float one;
};

struct BoxJob {
  OutputImage out;
  Radii radii;
  Border border;
  FixedPoint fixed;
};

template <class T, class W>
__device__ void meansOfColumn(const Table<W>& table, const BoxJob& job, int x, int channel) {
  const OutputImage& out = job.out;
  const cpu::Image<const float>& each = job.radii.each;
  const double unit = std::is_floating_point_v<T> ? unitOf(job.fixed).unit : 1.0;
  const int side = out.width > out.height ? out.width : out.height;
  const int largest = job.border == Border::inside ? side : static_cast<int>(cpu::kMaxRadius);
  const int marginX = ::min(x, out.width - 1 - x);
  Reach reach = reachOf(job.radii.one, largest);
  for (int y = static_cast<int>(blockIdx.y); y < out.height; y += static_cast<int>(gridDim.y)) {
    if (each.data != nullptr) reach = reachOf(fmaxf(each.data[y * each.stride + x], 0.0f), largest);
    T& mean = static_cast<T*>(
        out.data)[std::ptrdiff_t{y} * out.stride + std::ptrdiff_t{x} * out.channels + channel];
    if (reach.whole < ::min(marginX, ::min(y, out.height - 1 - y)))
      mean = meanInside<T>(table, table.corner(x, y, reach) + channel, reach, unit);
    else
      mean = Box<T, W>(table, out.width, out.height, job.border, reach, x, y).mean(channel, unit);
  }
}

// A thread an element of some rows.
template <class W>
__global__ void __launch_bounds__(kBoxThreads, 3) meanOfBoxes(const Table<W> table, const BoxJob job) {
  const unsigned element = blockIdx.x * kBoxThreads + threadIdx.x;
  const auto channels = static_cast<unsigned>(job.out.channels);
  const auto x = static_cast<int>(element / channels), channel = static_cast<int>(element % channels);
  if (x >= job.out.width) return;
  withType<(sizeof(W) == 4 ? 1 : 8)>(job.out.type,
                                     [&]<class T>(T) { meansOfColumn<T>(table, job, x, channel); });
}

}  // namespace

struct BoxFilterPlan::State {
  int width, height, channels;
  cpu::Border border;
  OnDevice device;
  Sums sums;
  DeviceArray<Facts> facts;
  DeviceArray<unsigned long long> table;

  void run(const InputImage& image, const Radii& radii, const OutputImage& out, CUstream_st* stream) {
    device.require();
    requirePixels(image, "the image", width, height, channels);
    requirePixels(out, "the output", width, height, channels);
    cpu::require(out.type == image.type, "the output is ", nameOf(out.type), ", but the image is ",
                 nameOf(image.type));
    cpu::require(isFloat(image.type) || bytesOf(image.type) <= 4, "the image cannot be ", nameOf(image.type));
    const double inside = static_cast<double>(width) * height;
    FixedPoint fixed{1.0, nullptr, inside};
    bool narrow = bytesOf(image.type) == 1 && inside <= 0x1p24;
    const bool grows = border != cpu::Border::inside;
    if (isFloat(image.type)) measure(image, facts, stream);
    if (radii.each.data == nullptr) {
      const double side = 2.0 * std::ceil(static_cast<double>(radii.one)) + 1.0;
      if (grows) fixed.elements = std::max(inside, side * side);
      narrow = narrow && fixed.elements <= 0x1p24;
    } else {
      narrow = narrow && !grows;
      if (grows && isFloat(image.type)) measureRadius(radii.each, facts, stream);
    }
    if (isFloat(image.type)) fixed.facts = facts.data();
    const BoxJob job{out, radii, border, fixed};
    if (narrow)
      filter(reinterpret_cast<unsigned*>(table.data()), image, job, stream);
    else
      filter(table.data(), image, job, stream);
  }

  template <class W>
  void filter(W* words, const InputImage& image, const BoxJob& job, CUstream_st* stream) const {
    const std::ptrdiff_t stride = (std::ptrdiff_t{width} + 1) * channels;
    sums.run({image, image.stride, 0, job.fixed}, {words, stride, 0}, stream);
    const auto elements = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(channels);
    constexpr unsigned kBlocks = 8192;
    const unsigned columns = blocksFor(elements, kBoxThreads);
    const unsigned rows = std::min(static_cast<unsigned>(height), std::max(1u, kBlocks / columns));
    launch(meanOfBoxes<W>, {dim3(columns, rows), kBoxThreads, 0, stream}, Table<W>{words, stride, channels},
           job);
  }
};

BoxFilterPlan::BoxFilterPlan(int width, int height, int channels, cpu::Border border) {
  const SumShape shape = tableShape(width, height, channels, cpu::Sums::exclusive);
  const std::size_t elements =
      (static_cast<std::size_t>(width) + 1) * (static_cast<std::size_t>(height) + 1) * shape.channels;
  state_ = std::make_unique<State>(State{width,
                                         height,
                                         channels,
                                         border,
                                         {},
                                         Sums(shape),
                                         DeviceArray<Facts>(1),
                                         DeviceArray<unsigned long long>(elements)});
}
BoxFilterPlan::BoxFilterPlan(BoxFilterPlan&&) noexcept = default;
BoxFilterPlan& BoxFilterPlan::operator=(BoxFilterPlan&&) noexcept = default;
BoxFilterPlan::~BoxFilterPlan() = default;

void BoxFilterPlan::run(const InputImage& image, float radius, const OutputImage& out, CUstream_st* stream) {
  cpu::requireRadius(radius, state_->border);
  state_->run(image, {{}, radius}, out, stream);
}

void BoxFilterPlan::run(const InputImage& image, const cpu::Image<const float>& radius,
                        const OutputImage& out, CUstream_st* stream) {
  requirePixels(InputImage(radius), "the radius", state_->width, state_->height, 1);
  state_->run(image, {radius, 0.0f}, out, stream);
}

}  // namespace satdof::cuda
