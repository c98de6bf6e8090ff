#pragma once
#include "library/src/box.h"

// The mean over a disc, by the ends of its rows in exclusive prefix sums of each row. The processor and CUDA compile these lines,
// as box.h.
namespace satdof::BOX_ROOM {

// The rows of a disc of a whole radius, from the middle outwards.
class DiscRows {
 public:
  BOX_FUNCTION explicit DiscRows(std::int64_t radius) : square_(radius * radius), half_(radius) {}
  // Half of the width of the rows `away` from the middle, which may not decrease from call to call; -1 beyond the disc.
  BOX_FUNCTION std::int64_t half(std::int64_t away) {
    while (half_ >= 0 && half_ * half_ + away * away > square_) --half_;
    return half_;
  }

 private:
  std::int64_t square_, half_;
};

// The pixel of [0, size) that stands for pixel k; -1: none.
BOX_FUNCTION std::int64_t pixelAt(std::int64_t k, std::int64_t size, Border border) {
  if (k >= 0 && k < size) return k;
  if (border == Border::inside) return -1;
  if (border == Border::clamp) return k < 0 ? 0 : size - 1;
  const std::int64_t rest = (k % (2 * size) + 2 * size) % (2 * size);
  return rest < size ? rest : 2 * size - 1 - rest;
}

// The radius at which a disc is cut: with Border::inside, that covers the image from any pixel.
BOX_FUNCTION int largestDisc(int width, int height, Border border) {
  return border == Border::inside ? width - 1 + (height - 1) : static_cast<int>(cpu::kMaxRadius);
}

// Calls row(y, half) for the rows of a disc around row `middle`, and half of their widths.
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

// Sum and number of pixels of a disc.
template <class W>
struct DiscSum {
  W sum{};
  double area = 0.0;
};

// The mean of a disc and of one whose radius is one larger, weighed.
template <class T, class W>
BOX_INLINE T meanOfDiscs(const DiscSum<W>& inner, const DiscSum<W>& outer, double rim, double unit) {
  if (rim == 0.0) return rounded<T>(numberOf<T>(inner.sum) / inner.area * unit);
  const double body = 1.0 - rim;
  return rounded<T>((body * numberOf<T>(inner.sum) + rim * numberOf<T>(outer.sum)) /
                    (body * inner.area + rim * outer.area) * unit);
}

// `rows`: exclusive prefix sums of the rows of the image.
template <class T, class W>
BOX_FUNCTION T discMean(const Table<W>& rows, int width, int height, Border border, const Reach& reach, int x,
                        int y, int channel, double unit) {
  const auto sumOf = [&](std::int64_t radius) {
    DiscSum<W> disc;
    forRowsOfDisc(radius, y, height, border, [&](std::int64_t row, std::int64_t half) {
      const Span span = Span::around(x, static_cast<int>(half), width, border);
      const W* const from = rows.data + row * rows.stride + channel;
      disc.sum += span.template sum<W>([&](std::ptrdiff_t column) { return from[column * rows.channels]; });
      disc.area += span.length;
    });
    return disc;
  };
  const DiscSum<W> inner = sumOf(reach.whole);
  const DiscSum<W> outer = reach.rim == 0.0 ? DiscSum<W>{} : sumOf(std::int64_t{reach.whole} + 1);
  return meanOfDiscs<T>(inner, outer, reach.rim, unit);
}

}  // namespace satdof::BOX_ROOM
