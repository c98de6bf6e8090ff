#pragma once
#include <cmath>

#include "cuda/runtime/device_array.h"
#include "satdof/cuda.h"

// Sums of arrays and images of all types, in integers of 32 or 64 bits.
namespace satdof::cuda {

// What the fixed point of floats depends on, in device memory.
struct Facts {
  unsigned long long most;  // bits of the largest magnitude, as double
  unsigned radius;          // bits of the largest radius
};

// How floats become integers: round(value * scale).
struct FixedPoint {
  double scale = 1.0;
  // If not null, the scale is the largest power of two for which sums of `elements` elements, or of a box or tent of the radius,
  // fit.
  const Facts* facts = nullptr;
  double elements = 0.0;
  bool tents = false;
};

// Rows of elements in device memory, `stride` elements apart; arrays of such rows, `batch` elements apart.
struct RowsOf {
  Input elements;
  std::ptrdiff_t stride = 0, batch = 0;
  FixedPoint fixed;
};
struct RowsTo {
  Output elements;
  std::ptrdiff_t stride = 0, batch = 0;
};

// Which sums: table, of all elements above and to the left; rows, to the left; columns, above; lines, to the left, for few long
// rows. Elements to the left are of the same channel.
enum class Way { table, rows, columns, lines };
inline Way wayOfRows(std::size_t elements) {
  constexpr std::size_t kLine = 2048;  // elements of a row that fill half a tile of lines
  return elements < kLine ? Way::rows : Way::lines;
}

struct SumShape {
  Way way = Way::table;
  unsigned elements = 0;  // of a row, all channels
  unsigned height = 0;
  unsigned channels = 1;  // 1 to kMostChannels; 1 for columns
  unsigned batches = 1;   // 1 unless the way is columns
  // Sums exclude their own element. A table gets a row and a pixel of zeros first.
  bool exclusive = false;
};
inline constexpr unsigned kMostChannels = 8;

class Sums {
 public:
  explicit Sums(const SumShape& shape);
  void run(const RowsOf& from, const RowsTo& to, CUstream_st* stream) const;

 private:
  SumShape shape_;
  int tilesX_, tilesY_;  // of words of 64 bits
  DeviceArray<unsigned long long> counter_, columns_, rows_;
};

// Words of 0.
DeviceArray<unsigned long long> zeros(std::size_t count);

// Throws std::invalid_argument unless an image of that size has a table.
SumShape tableShape(int width, int height, int channels, cpu::Sums sums);

// Sets `facts` to the largest magnitude of `image`.
void measure(const InputImage& image, DeviceArray<Facts>& facts, CUstream_st* stream);
// Then also the largest radius.
void measureRadius(const cpu::Image<const float>& radius, DeviceArray<Facts>& facts, CUstream_st* stream);

// Throws std::invalid_argument unless the image has that size and data.
void requirePixels(const void* data, int width, int height, int channels, std::ptrdiff_t stride,
                   const char* name, int wantedWidth, int wantedHeight, int wantedChannels);
inline void requirePixels(const InputImage& image, const char* name, int width, int height, int channels) {
  requirePixels(image.data, image.width, image.height, image.channels, image.stride, name, width, height,
                channels);
}
inline void requirePixels(const OutputImage& image, const char* name, int width, int height, int channels) {
  requirePixels(image.data, image.width, image.height, image.channels, image.stride, name, width, height,
                channels);
}

constexpr bool isFloat(Type type) { return type >= Type::float32; }
constexpr bool isSigned(Type type) { return static_cast<int>(type) % 2 == 1; }  // of integers
constexpr std::size_t bytesOf(Type type) {
  return isFloat(type) ? 4u << (type == Type::float64) : 1u << static_cast<int>(type) / 2;
}
const char* nameOf(Type type);

// The device on which a plan works.
class OnDevice {
 public:
  OnDevice();
  // Throws std::invalid_argument if another device is current.
  void require() const;

 private:
  int device_ = 0;
};

}  // namespace satdof::cuda
