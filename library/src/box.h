#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "satdof/cpu.h"

// The mean over a box by its corners in a summed-area table. The processor and CUDA compile these lines, without fused
// multiply-adds, so both give the same bits; each has a copy in its own namespace.
#if defined(__CUDACC__) || defined(SATDOF_EMULATED_KERNELS)
#define BOX_FUNCTION __host__ __device__ inline
#define BOX_INLINE BOX_FUNCTION
#define BOX_ROOM cuda
#else
#include "app/device/cpu/vectorised.h"
#define BOX_FUNCTION inline
#define BOX_INLINE SATDOF_INLINE inline
#define BOX_ROOM cpu
#endif

namespace satdof::BOX_ROOM {

using cpu::Border;

// The sum over [0, k) of a row of `size` pixels that goes on beyond its ends, as weights of two columns of its exclusive table.
struct Edge {
  std::ptrdiff_t first = 0, second = 0;  // columns
  std::int64_t firstWeight = 1, secondWeight = 0;

  // at(column): a word of the table.
  template <class W, class At>
  BOX_FUNCTION W sum(const At& at) const {
    W sum = at(first) * static_cast<W>(firstWeight);
    if (secondWeight != 0) sum += at(second) * static_cast<W>(secondWeight);
    return sum;
  }
};

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
    return {.first = end,
            .second = static_cast<std::ptrdiff_t>(rest),
            .firstWeight = 2 * turns,
            .secondWeight = 1};
  return {.first = end,
          .second = static_cast<std::ptrdiff_t>(period - rest),
          .firstWeight = 2 * turns + 2,
          .secondWeight = -1};
}

// The pixels [from, to) of one axis.
struct Span {
  BOX_FUNCTION static Span around(int at, int radius, int size, Border border) {
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
  double length;  // inside the image, with Border::inside
};

// Of a radius: whole pixels, and the weight of the pixels at the rim. A radius beyond the image is cut with Border::inside.
struct Reach {
  int whole;
  double rim;
};

BOX_FUNCTION Reach reachOf(float radius, int largest) {
  if (radius >= static_cast<float>(largest)) return {largest, 0.0};
  const auto whole = static_cast<int>(radius);
  return {whole, static_cast<double>(radius) - whole};
}

// The largest sum of weights of a box or a disc: with Border::inside, of the image.
BOX_FUNCTION double boxWeight(int width, int height, double radius, Border border) {
  const double inside = static_cast<double>(width) * height, side = 2.0 * ceil(radius) + 1.0;
  return border == Border::inside || side * side < inside ? inside : side * side;
}

// An exclusive table: words of 32 or 64 bits, modulo their range.
template <class W>
struct Table {
  using Signed = std::make_signed_t<W>;
  const W* data;
  std::ptrdiff_t stride;
  int channels;

  BOX_FUNCTION const W* at(int x, int y) const {
    return data + std::ptrdiff_t{y} * stride + std::ptrdiff_t{x} * channels;
  }
  // Of the box of pixel (x, y) with a pixel more to either side.
  BOX_FUNCTION const W* corner(int x, int y, const Reach& reach) const {
    return data + (std::ptrdiff_t{y} - reach.whole - 1) * stride +
           (std::ptrdiff_t{x} - reach.whole - 1) * channels;
  }
  // Axis: Span or another window's.
  template <class Axis>
  BOX_FUNCTION W sum(const Axis& x, const Axis& y, int channel) const {
    return y.template sum<W>([&](std::ptrdiff_t row) {
      const W* const from = data + row * stride + channel;
      return x.template sum<W>([&](std::ptrdiff_t column) { return from[column * channels]; });
    });
  }
};

// A sum of elements of type T. Where it cannot reach the highest bit, the conversion of signed words is faster.
template <class T, class W>
BOX_INLINE double numberOf(W sum) {
  constexpr bool kUnsigned = std::is_unsigned_v<T> && (sizeof(W) == 4 || sizeof(T) == 4);
  return static_cast<double>(static_cast<std::conditional_t<kUnsigned, W, std::make_signed_t<W>>>(sum));
}

template <class T>
BOX_INLINE T rounded(double mean) {
  return static_cast<T>(std::is_integral_v<T> ? nearbyint(mean) : mean);
}

// The mean of four whole boxes, weighed: of a width and a height, of a pixel more to either side in x, in y, and in both.
template <class T, class W>
struct Mix {
  BOX_FUNCTION Mix(double weight, double width, double wider, double height, double higher)
      : rim(weight),
        body(1.0 - weight),
        area((width * body + wider * rim) * (height * body + higher * rim)) {}
  BOX_FUNCTION double operator()(W plain, W wide, W high, W both) const {
    return (body * (body * numberOf<T>(plain) + rim * numberOf<T>(wide)) +
            rim * (body * numberOf<T>(high) + rim * numberOf<T>(both))) /
           area;
  }
  double rim, body, area;
};

// The box of one pixel anywhere, or another window that is a product of two axes.
template <class T, class W, class Axis = Span>
class Box {
 public:
  BOX_FUNCTION Box(const Table<W>& table, int width, int height, Border border, const Reach& reach, int x,
                   int y)
      : table_(table),
        reach_(reach),
        columns_(Axis::around(x, reach_.whole, width, border)),
        rows_(Axis::around(y, reach_.whole, height, border)) {
    if (reach_.rim == 0.0) return;
    wider_ = Axis::around(x, reach_.whole + 1, width, border);
    higher_ = Axis::around(y, reach_.whole + 1, height, border);
  }
  BOX_FUNCTION T mean(int channel, double unit) const {
    const W plain = table_.sum(columns_, rows_, channel);
    if (reach_.rim == 0.0) return rounded<T>(numberOf<T>(plain) / (columns_.length * rows_.length) * unit);
    const Mix<T, W> mix(reach_.rim, columns_.length, wider_.length, rows_.length, higher_.length);
    return rounded<T>(mix(plain, table_.sum(wider_, rows_, channel), table_.sum(columns_, higher_, channel),
                          table_.sum(wider_, higher_, channel)) *
                      unit);
  }

 private:
  const Table<W>& table_;
  Reach reach_;
  Axis columns_, rows_, wider_, higher_;  // the last two: a pixel more to either side
};

// The mean of a box that lies inside with a pixel more to either side. `corner`: the corner of that larger box in the table.
template <class T, class W>
BOX_FUNCTION T meanInside(const Table<W>& table, const W* corner, const Reach& reach, double unit) {
  const std::ptrdiff_t channels = table.channels, side = 2 * std::ptrdiff_t{reach.whole} + 1;
  const auto whole = static_cast<double>(side);
  const auto narrow = [&](std::ptrdiff_t row) {
    const W* const at = corner + row * table.stride;
    return static_cast<W>(at[(side + 1) * channels] - at[channels]);
  };
  const W plain = narrow(side + 1) - narrow(1);
  if (reach.rim == 0.0) return rounded<T>(numberOf<T>(plain) / (whole * whole) * unit);
  const auto wide = [&](std::ptrdiff_t row) {
    const W* const at = corner + row * table.stride;
    return static_cast<W>(at[(side + 2) * channels] - at[0]);
  };
  const Mix<T, W> mix(reach.rim, whole, whole + 2.0, whole, whole + 2.0);
  return rounded<T>(
      mix(plain, wide(side + 1) - wide(1), narrow(side + 2) - narrow(0), wide(side + 2) - wide(0)) * unit);
}

}  // namespace satdof::BOX_ROOM
