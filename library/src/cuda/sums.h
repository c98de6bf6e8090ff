#pragma once
#include <cmath>

#include "cuda/runtime/device_array.h"
#include "library/src/check.h"
#include "satdof/cuda.h"

// Prefix sums and summed-area tables of arrays and images of all types, in integers of 32 or 64 bits.
namespace satdof::cuda {

// The largest values of an image and its radii, in device memory: they determine the fixed point of floats.
struct Maxima {
  unsigned long long magnitude;  // bits of the largest magnitude, as double
  unsigned radius;               // bits of the largest radius
};

// The conversion of floats to integers: round(value * scale).
struct FixedPoint {
  double scale = 1.0;
  // If not null, `scale` is not used: unitOf() finds the largest power of two for which no sum overflows 64
  // bits. A sum has at most `elements` elements, or the weight of the box (or tent, if `tents`) of
  // maxima->radius.
  const Maxima* maxima = nullptr;
  double elements = 0.0;
  bool tents = false;
};

// Rows in device memory. Element x of row y of array b is at elements[b * batch + y * stride + x].
struct InputRows {
  Input elements;
  std::ptrdiff_t stride = 0, batch = 0;
  FixedPoint fixed;
};
struct OutputRows {
  Output elements;
  std::ptrdiff_t stride = 0, batch = 0;
};

// What is summed. Channels are summed separately.
enum class SumKind {
  table,    // summed-area table
  rows,     // prefix sums along each row
  columns,  // prefix sums down each column
  lines,    // as rows, for few long rows: a tile is a part of one row
};
// The faster of `rows` and `lines` for rows of `elements` elements.
inline SumKind rowSumKind(std::size_t elements) {
  constexpr std::size_t kLine = 2048;  // half a tile of sumLines()
  return elements < kLine ? SumKind::rows : SumKind::lines;
}

struct SumShape {
  SumKind kind = SumKind::table;
  unsigned elements = 0;  // of a row, all channels
  unsigned height = 0;
  unsigned channels = 1;  // 1 to kMaxChannels; 1 for columns
  unsigned batches = 1;   // arrays; above 1 only for columns
  // A sum excludes its own element. A table gets a row and a column of zeros first.
  bool exclusive = false;
};
inline constexpr unsigned kMaxChannels = 8;

// The scratch memory and launch parameters of one shape. run() neither allocates nor waits.
class SumPlan {
 public:
  explicit SumPlan(const SumShape& shape);
  void run(const InputRows& from, const OutputRows& to, CUstream_st* stream) const;

 private:
  SumShape shape_;
  int tilesX_, tilesY_;                                       // for words of 64 bits
  DeviceArray<unsigned long long> counter_, columns_, rows_;  // ticket counter and look-back words
};

// `count` words of 0. Waits until they are written.
DeviceArray<unsigned long long> zeros(std::size_t count);

// The shape of a table for images of this size. Throws std::invalid_argument if the size is not supported.
SumShape tableShape(int width, int height, int channels, cpu::Sums sums);

// Enqueues: sets maxima->magnitude to the largest magnitude of `image`, and maxima->radius to 0.
void measureMagnitude(const InputImage& image, DeviceArray<Maxima>& maxima, CUstream_st* stream);
// Enqueues, after measureMagnitude(): raises maxima->radius to the largest radius, at most cpu::kMaxRadius.
void measureRadius(const cpu::Image<const float>& radius, DeviceArray<Maxima>& maxima, CUstream_st* stream);

// Throws std::invalid_argument if the image has no data, another size or other channels than wanted, or if its
// rows overlap.
template <class Memory>
void requirePixels(const Pixels<Memory>& image, const char* name, int width, int height, int channels) {
  cpu::require(image.data != nullptr, name, " has no data");
  cpu::require(image.width == width && image.height == height && image.channels == channels, name, " has ", image.width,
               " x ", image.height, " pixels of ", image.channels, " channels instead of ", width, " x ", height,
               " of ", channels);
  const std::ptrdiff_t gap = image.stride < 0 ? -image.stride : image.stride, row = std::ptrdiff_t{width} * channels;
  cpu::require(height == 1 || gap >= row, name, " has rows of ", row, " elements, but a stride of ", image.stride);
}

constexpr bool isFloat(Type type) { return type >= Type::float32; }
constexpr bool isSigned(Type type) { return static_cast<int>(type) % 2 == 1; }  // of integers
constexpr std::size_t bytesOf(Type type) {
  return isFloat(type) ? 4u << (type == Type::float64) : 1u << static_cast<int>(type) / 2;
}
const char* nameOf(Type type);

// The device that was current when a plan was made.
class OnDevice {
 public:
  OnDevice();
  // Throws std::invalid_argument if another device is current.
  void require() const;

 private:
  int device_ = 0;
};

}  // namespace satdof::cuda
