#pragma once
#include "library/src/box.h"

// The mean over a disc, from exclusive prefix sums of each row of the image: two look-ups for each row of the
// disc. Compiled as C++ and CUDA C++, see box.h.
namespace satdof::BOX_NAMESPACE {

// The rows of a disc with a whole radius, from the middle outwards. A row `away` from the middle has 2 h + 1
// pixels, h the largest integer with h^2 + away^2 <= radius^2.
class DiscRows {
 public:
  BOX_FUNCTION explicit DiscRows(std::int64_t radius) : square_(radius * radius), half_(radius) {}
  // h for the row `away`, which must not decrease from call to call; -1 beyond the disc. O(1) amortised.
  BOX_FUNCTION std::int64_t half(std::int64_t away) {
    while (half_ >= 0 && half_ * half_ + away * away > square_) --half_;
    return half_;
  }

 private:
  std::int64_t square_, half_;
};

// The largest radius for splitRadius(). With Border::inside, a disc of that radius covers the image from any
// pixel.
BOX_FUNCTION int largestDisc(int width, int height, Border border) {
  return border == Border::inside ? width - 1 + (height - 1) : static_cast<int>(cpu::kMaxRadius);
}

// Calls row(y, h) for each row of a disc around row `middle` of an image with `height` rows, from the middle
// outwards. The row has 2 h + 1 pixels; y is the row of the image that the border repeats there. Rows outside
// are left out with Border::inside.
template <class Row>
BOX_FUNCTION void forRowsOfDisc(std::int64_t radius, std::int64_t middle, std::int64_t height, Border border,
                                const Row& row) {
  DiscRows rows(radius);
  const std::int64_t below = height - 1 - middle, most = middle > below ? middle : below;
  const std::int64_t last = border == Border::inside && most < radius ? most : radius;
  for (std::int64_t away = 0; away <= last; ++away) {
    const std::int64_t half = rows.half(away);
    for (std::int64_t y = middle - away; y <= middle + away; y += away == 0 ? 1 : 2 * away) {
      const std::int64_t place = pixelAt(y, height, border);
      if (place >= 0) row(place, half);
    }
  }
}

// The sum over a disc, and its number of pixels.
template <class W>
struct DiscSum {
  W sum{};
  double area = 0.0;
};

// The mean over a disc with a fractional radius: the disc `inner` with the weight 1 - fraction and the disc
// `outer`, whose radius is one larger, with the weight fraction.
template <class T, class W>
BOX_INLINE T meanOfDiscs(const DiscSum<W>& inner, const DiscSum<W>& outer, double fraction, double unit) {
  if (fraction == 0.0) return rounded<T>(toDouble<T>(inner.sum) / inner.area * unit);
  const double complement = 1.0 - fraction;
  return rounded<T>((complement * toDouble<T>(inner.sum) + fraction * toDouble<T>(outer.sum)) /
                    (complement * inner.area + fraction * outer.area) * unit);
}

// The mean of one channel over the disc around pixel (x, y). `rows`: exclusive prefix sums of each row of the
// image, width + 1 pixels wide. Cost: two look-ups for each row of both discs.
template <class T, class W>
BOX_FUNCTION T discMean(const Table<W>& rows, int width, int height, Border border, const SplitRadius& split, int x,
                        int y, int channel, double unit) {
  const auto sumOf = [&](std::int64_t radius) {
    DiscSum<W> disc;
    forRowsOfDisc(radius, y, height, border, [&](std::int64_t row, std::int64_t half) {
      const BoxAxis axis = BoxAxis::around(x, static_cast<int>(half), width, border);
      const W* const from = rows.data + row * rows.stride + channel;
      disc.sum += axis.template sum<W>([&](std::ptrdiff_t column) { return from[column * rows.channels]; });
      disc.area += axis.length;
    });
    return disc;
  };
  const DiscSum<W> inner = sumOf(split.whole);
  const DiscSum<W> outer = split.fraction == 0.0 ? DiscSum<W>{} : sumOf(std::int64_t{split.whole} + 1);
  return meanOfDiscs<T>(inner, outer, split.fraction, unit);
}

}  // namespace satdof::BOX_NAMESPACE
