#include "library/src/check.h"
#include "library/src/cuda/sums.h"

namespace satdof::cuda {

struct TablePlan::State {
  int width, height, channels, more;
  OnDevice device;
  SumPlan sums;
  DeviceArray<Maxima> maxima;

  void run(const InputImage& image, const OutputImage& table, const FixedPoint& fixed, CUstream_st* stream) {
    sums.run({image, image.stride, 0, fixed}, {table, table.stride, 0}, stream);
  }
  void require(const InputImage& image, const OutputImage& table) const {
    device.require();
    requirePixels(image, "the image", width, height, channels);
    requirePixels(table, "the table", width + more, height + more, channels);
  }
};

SumShape tableShape(int width, int height, int channels, cpu::Sums sums) {
  cpu::require(width > 0 && height > 0, "the image is empty: ", width, " x ", height, " pixels");
  cpu::require(channels >= 1 && channels <= static_cast<int>(kMaxChannels),
               "an image has 1 to 8 channels on a device, not ", channels);
  const double elements = static_cast<double>(width) * height * channels;
  cpu::require(elements < 0x1p31, "the image has ", width, " x ", height, " pixels of ", channels,
               " channels: the limit is 2^31 - 1 elements on a device");
  return {SumKind::table,
          static_cast<unsigned>(width) * static_cast<unsigned>(channels),
          static_cast<unsigned>(height),
          static_cast<unsigned>(channels),
          1,
          sums == cpu::Sums::exclusive};
}

TablePlan::TablePlan(int width, int height, int channels, cpu::Sums sums) {
  const SumShape shape = tableShape(width, height, channels, sums);
  state_ = std::make_unique<State>(
      State{width, height, channels, shape.exclusive ? 1 : 0, {}, SumPlan(shape), DeviceArray<Maxima>(1)});
}
TablePlan::TablePlan(TablePlan&&) noexcept = default;
TablePlan& TablePlan::operator=(TablePlan&&) noexcept = default;
TablePlan::~TablePlan() = default;

void TablePlan::run(const InputImage& image, const OutputImage& table, CUstream_st* stream) {
  state_->require(image, table);
  const double pixels = static_cast<double>(image.width) * image.height;
  if (isFloat(image.type)) {
    cpu::require(table.type == Type::float64, "the table of floats is float64, not ", nameOf(table.type));
    measureMagnitude(image, state_->maxima, stream);
    return state_->run(image, table, {1.0, state_->maxima.data(), pixels}, stream);
  }
  const std::size_t bytes = bytesOf(table.type), ofImage = bytesOf(image.type);
  cpu::require(ofImage <= 4 && bytes >= 4 && !isFloat(table.type) && isSigned(table.type) == isSigned(image.type),
               "the table of ", nameOf(image.type), " cannot be ", nameOf(table.type));
  const auto sign = isSigned(image.type) ? 1u : 0u;
  const double most = std::ldexp(1.0, static_cast<int>(8 * ofImage - sign)) - (sign == 0 ? 1.0 : 0.0);
  cpu::require(most * pixels < std::ldexp(1.0, static_cast<int>(8 * bytes - sign)), "sums of ", image.width, " x ",
               image.height, " pixels of ", 8 * ofImage, " bits can exceed ", 8 * bytes,
               " bits: take a table of 64 bits");
  state_->run(image, table, {}, stream);
}

void TablePlan::run(const InputImage& image, double scale, const OutputImage& table, CUstream_st* stream) {
  state_->require(image, table);
  cpu::require(isFloat(image.type), "a scale is for images of floats, not ", nameOf(image.type));
  cpu::require(table.type == Type::int64, "a table in fixed point is int64, not ", nameOf(table.type));
  cpu::require(std::isfinite(scale) && scale > 0.0, "the scale must be positive and finite, not ", scale);
  state_->run(image, table, {scale, nullptr, 0.0}, stream);
}

}  // namespace satdof::cuda
