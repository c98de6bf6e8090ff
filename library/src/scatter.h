#pragma once
#include "library/src/disc.h"

// Scatter: each pixel spreads its value over its disc. In each row of the disc, the value is added where the
// disc begins and subtracted behind its end; prefix sums of the rows then give the image. Integers make the
// order of additions irrelevant. Compiled as C++ and CUDA C++, see box.h.
namespace satdof::BOX_NAMESPACE {

// The fraction of its value that a pixel adds to each pixel of its disc, and to each pixel of the disc whose
// radius is one larger. With a whole radius, `outer` is 0.
struct Shares {
  double inner, outer;
};

BOX_FUNCTION Shares sharesOf(const SplitRadius& split) {
  const auto areaOf = [](std::int64_t radius) {
    DiscRows rows(radius);
    std::int64_t area = 2 * rows.half(0) + 1;
    for (std::int64_t away = 1; away <= radius; ++away) area += 2 * (2 * rows.half(away) + 1);
    return static_cast<double>(area);
  };
  const double area = areaOf(split.whole);
  if (split.fraction == 0.0) return {1.0 / area, 0.0};
  const double complement = 1.0 - split.fraction,
               total = complement * area + split.fraction * areaOf(std::int64_t{split.whole} + 1);
  return {complement / total, split.fraction / total};
}

// The scale of the coverage in fixedWord(); each pixel spreads the coverage 1.
inline constexpr double kCoverageScale = 0x1p50;

// Calls add(row, from, to, share) for every row of both discs of pixel (x, y): the columns [from, to) get the
// fraction `share` of its value.
template <class Add>
BOX_FUNCTION void forShares(int width, int height, const SplitRadius& split, int x, int y, const Add& add) {
  const Shares shares = sharesOf(split);
  const auto disc = [&](std::int64_t radius, double share) {
    forRowsOfDisc(radius, y, height, Border::inside, [&](std::int64_t row, std::int64_t half) {
      const std::int64_t from = x - half, to = x + half + 1;
      add(static_cast<std::ptrdiff_t>(row), static_cast<std::ptrdiff_t>(from > 0 ? from : 0),
          static_cast<std::ptrdiff_t>(to < width ? to : width), share);
    });
  };
  disc(split.whole, shares.inner);
  if (split.fraction > 0.0) disc(std::int64_t{split.whole} + 1, shares.outer);
}

}  // namespace satdof::BOX_NAMESPACE
