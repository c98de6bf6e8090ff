#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "satdof/cpu.h"

// The mean over a box, from the corners of the box in a summed-area table (Crow 1984). C++ and CUDA C++
// compile this header without fused multiply-adds, so that both give the same bits. Each has a copy in its
// own namespace.
#if defined(__CUDACC__) || defined(SATDOF_EMULATED_KERNELS)
#define BOX_FUNCTION __host__ __device__ inline
#define BOX_INLINE BOX_FUNCTION
#define BOX_NAMESPACE cuda
#else
#include "app/device/cpu/vectorised.h"
#define BOX_FUNCTION inline
#define BOX_INLINE SATDOF_INLINE inline
#define BOX_NAMESPACE cpu
#endif

namespace satdof::BOX_NAMESPACE {

using cpu::Border;

// round(value * scale) modulo 2^64, to nearest, ties to even; |value * scale| is at most 2^51. Adding 1.5 *
// 2^52 rounds the product to an integer, which is then in the low bits of the mantissa.
inline constexpr double kRoundingBias = 0x1.8p52;
inline constexpr std::uint64_t kRoundingBiasBits = 0x4338000000000000;
BOX_INLINE std::uint64_t fixedWord(double value, double scale) {
  const double sum = value * scale + kRoundingBias;
  std::uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  return bits - kRoundingBiasBits;
}

// The pixel of [0, size) that pixel k of an extended row repeats; -1 if there is none.
BOX_FUNCTION std::int64_t pixelAt(std::int64_t k, std::int64_t size, Border border) {
  if (k >= 0 && k < size) return k;
  if (border == Border::inside) return -1;
  if (border == Border::clamp) return k < 0 ? 0 : size - 1;
  const std::int64_t rest = (k % (2 * size) + 2 * size) % (2 * size);
  return rest < size ? rest : 2 * size - 1 - rest;
}

// A prefix sum over the pixels [0, k) of a row that its border extends, for any integer k; for k < 0 minus
// the sum over [k, 0). With P the exclusive prefix sums of the row itself: firstWeight P[first] +
// secondWeight P[second].
struct Edge {
  std::ptrdiff_t first = 0, second = 0;  // columns of P
  std::int64_t firstWeight = 1, secondWeight = 0;

  // at(column): a word of P.
  template <class W, class At>
  BOX_FUNCTION W sum(const At& at) const {
    W sum = at(first) * static_cast<W>(firstWeight);
    if (secondWeight != 0) sum += at(second) * static_cast<W>(secondWeight);
    return sum;
  }
};

// Border::reflect: a row and its mirror image repeat with a period of 2 size, whose sum is 2 P[size].
BOX_FUNCTION Edge edgeAt(std::int64_t k, std::int64_t size, Border border) {
  if (k >= 0 && k <= size) return {.first = static_cast<std::ptrdiff_t>(k)};
  const auto end = static_cast<std::ptrdiff_t>(size);
  if (border == Border::inside) return {.first = k < 0 ? 0 : end};
  if (border == Border::clamp) {
    if (k < 0) return {.first = 1, .firstWeight = k};
    return {.first = end, .second = end - 1, .firstWeight = k - size + 1, .secondWeight = size - k};
  }
  const std::int64_t period = 2 * size, turns = k >= 0 ? k / period : -((period - 1 - k) / period);
  const std::int64_t rest = k - turns * period;
  if (rest <= size)
    return {.first = end, .second = static_cast<std::ptrdiff_t>(rest), .firstWeight = 2 * turns, .secondWeight = 1};
  return {.first = end,
          .second = static_cast<std::ptrdiff_t>(period - rest),
          .firstWeight = 2 * turns + 2,
          .secondWeight = -1};
}

// The pixels [at - radius, at + radius] of one axis.
struct BoxAxis {
  BOX_FUNCTION static BoxAxis around(int at, int radius, int size, Border border) {
    const std::int64_t from = std::int64_t{at} - radius, to = std::int64_t{at} + radius + 1;
    const bool cut = border == Border::inside;
    return {edgeAt(from, size, border), edgeAt(to, size, border),
            static_cast<double>((cut && to > size ? size : to) - (cut && from < 0 ? 0 : from))};
  }
  template <class W, class At>
  BOX_FUNCTION W sum(const At& at) const {
    return to.template sum<W>(at) - from.template sum<W>(at);
  }

  Edge from, to;
  double length;  // pixels; with Border::inside only pixels of the image
};

// A radius in whole pixels and a fraction, which is the weight of the outermost pixels.
struct SplitRadius {
  int whole;
  double fraction;
};

// `largest`: radii above are cut to it. With Border::inside, a window of that radius covers the image from
// any pixel.
BOX_FUNCTION SplitRadius splitRadius(float radius, int largest) {
  if (radius >= static_cast<float>(largest)) return {largest, 0.0};
  const auto whole = static_cast<int>(radius);
  return {whole, static_cast<double>(radius) - whole};
}

// An upper bound of the number of pixels that one sum for a box or a disc adds up.
BOX_FUNCTION double boxWeight(int width, int height, double radius, Border border) {
  const double inside = static_cast<double>(width) * height, side = 2.0 * ceil(radius) + 1.0;
  return border == Border::inside || side * side < inside ? inside : side * side;
}

// An exclusive summed-area table: words of 32 or 64 bits, modulo their range. Differences of words are exact
// as long as the sum that they stand for fits a word.
template <class W>
struct Table {
  const W* data;
  std::ptrdiff_t stride;
  int channels;

  BOX_FUNCTION const W* at(int x, int y) const {
    return data + std::ptrdiff_t{y} * stride + std::ptrdiff_t{x} * channels;
  }
  // The upper left corner of the box of radius split.whole + 1 around pixel (x, y).
  BOX_FUNCTION const W* corner(int x, int y, const SplitRadius& split) const {
    return data + (std::ptrdiff_t{y} - split.whole - 1) * stride + (std::ptrdiff_t{x} - split.whole - 1) * channels;
  }
  // The weighted sum over a window that is a product of two axes. Axis: BoxAxis or TentAxis.
  template <class Axis>
  BOX_FUNCTION W sum(const Axis& x, const Axis& y, int channel) const {
    return y.template sum<W>([&](std::ptrdiff_t row) {
      const W* const from = data + row * stride + channel;
      return x.template sum<W>([&](std::ptrdiff_t column) { return from[column * channels]; });
    });
  }
};

// The value of a sum of elements of type T. Unsigned elements of up to 16 bits cannot set the highest of 64
// bits, so their sums are converted as signed words, which is faster.
template <class T, class W>
BOX_INLINE double toDouble(W sum) {
  constexpr bool kUnsigned = std::is_unsigned_v<T> && (sizeof(W) == 4 || sizeof(T) == 4);
  return static_cast<double>(static_cast<std::conditional_t<kUnsigned, W, std::make_signed_t<W>>>(sum));
}

// Integers: to nearest, ties to even.
template <class T>
BOX_INLINE T rounded(double mean) {
  return static_cast<T>(std::is_integral_v<T> ? nearbyint(mean) : mean);
}

// The mean over a box with a fractional radius: a bilinear blend of four boxes with whole radii. Their sizes
// are width x height, wider x height, width x higher and wider x higher; wider = width + 2, higher = height +
// 2 pixels.
template <class T, class W>
struct BoxBlend {
  BOX_FUNCTION BoxBlend(double weight, double width, double wider, double height, double higher)
      : fraction(weight),
        complement(1.0 - weight),
        area((width * complement + wider * fraction) * (height * complement + higher * fraction)) {}
  BOX_FUNCTION double operator()(W plain, W wide, W high, W both) const {
    return (complement * (complement * toDouble<T>(plain) + fraction * toDouble<T>(wide)) +
            fraction * (complement * toDouble<T>(high) + fraction * toDouble<T>(both))) /
           area;
  }
  double fraction, complement, area;
};

// The window around pixel (x, y), also at the border. The window is a product of two axes: a box with
// BoxAxis, a tent with TentAxis.
template <class T, class W, class Axis = BoxAxis>
class ProductWindow {
 public:
  BOX_FUNCTION ProductWindow(const Table<W>& table, int width, int height, Border border, const SplitRadius& split,
                             int x, int y)
      : table_(table),
        split_(split),
        columns_(Axis::around(x, split_.whole, width, border)),
        rows_(Axis::around(y, split_.whole, height, border)) {
    if (split_.fraction == 0.0) return;
    wider_ = Axis::around(x, split_.whole + 1, width, border);
    higher_ = Axis::around(y, split_.whole + 1, height, border);
  }
  BOX_FUNCTION T mean(int channel, double unit) const {
    const W plain = table_.sum(columns_, rows_, channel);
    if (split_.fraction == 0.0) return rounded<T>(toDouble<T>(plain) / (columns_.length * rows_.length) * unit);
    const BoxBlend<T, W> blend(split_.fraction, columns_.length, wider_.length, rows_.length, higher_.length);
    return rounded<T>(blend(plain, table_.sum(wider_, rows_, channel), table_.sum(columns_, higher_, channel),
                            table_.sum(wider_, higher_, channel)) *
                      unit);
  }

 private:
  const Table<W>& table_;
  SplitRadius split_;
  Axis columns_, rows_, wider_, higher_;  // the last two: a pixel more to either side
};

// ProductWindow::mean() without border handling, for pixels whose box of radius split.whole + 1 lies in the
// image. `corner`: see Table::corner().
template <class T, class W>
BOX_FUNCTION T boxMeanInside(const Table<W>& table, const W* corner, const SplitRadius& split, double unit) {
  const std::ptrdiff_t channels = table.channels, side = 2 * std::ptrdiff_t{split.whole} + 1;
  const auto whole = static_cast<double>(side);
  const auto narrow = [&](std::ptrdiff_t row) {
    const W* const at = corner + row * table.stride;
    return static_cast<W>(at[(side + 1) * channels] - at[channels]);
  };
  const W plain = narrow(side + 1) - narrow(1);
  if (split.fraction == 0.0) return rounded<T>(toDouble<T>(plain) / (whole * whole) * unit);
  const auto wide = [&](std::ptrdiff_t row) {
    const W* const at = corner + row * table.stride;
    return static_cast<W>(at[(side + 2) * channels] - at[0]);
  };
  const BoxBlend<T, W> blend(split.fraction, whole, whole + 2.0, whole, whole + 2.0);
  return rounded<T>(blend(plain, wide(side + 1) - wide(1), narrow(side + 2) - narrow(0), wide(side + 2) - wide(0)) *
                    unit);
}

}  // namespace satdof::BOX_NAMESPACE
