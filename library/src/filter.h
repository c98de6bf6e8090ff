#pragma once
#include <cmath>

#include "library/src/check.h"
#include "library/src/sum_rows.h"

// Shared by the filters: ranges of radii, conversion of pixels to words, a loop over pixels.
namespace satdof::cpu {

// `least`: 0, or a radius that is negative or NaN if there is one. `most`: the largest radius, at least 0.
struct RadiusRange {
  float least = 0.0f, most = 0.0f;
};
RadiusRange rangeOf(const Image<const float>& radius);
// The largest radius of an image of radii. Calls requireRadius(r), which throws, for the extremes.
template <class T, class Require>
float largestRadius(const Image<const float>& radius, const Image<const T>& image, const Require& requireRadius) {
  requireSize(radius, "the radius", image, "the image", 0, 1);
  const auto [least, most] = rangeOf(radius);
  requireRadius(least);
  requireRadius(most);
  return most;
}

#define SATDOF_FOR_PIXEL_TYPES(INSTANTIATE) \
  INSTANTIATE(std::uint8_t)                 \
  INSTANTIATE(std::int8_t)                  \
  INSTANTIATE(std::uint16_t)                \
  INSTANTIATE(std::int16_t)                 \
  INSTANTIATE(std::uint32_t)                \
  INSTANTIATE(std::int32_t)                 \
  INSTANTIATE(float)                        \
  INSTANTIATE(double)

template <class T>
void requireFilter(const Image<const T>& image, const Image<T>& out) {
  requireImage(image, "the image");
  requireSize(out, "the output", image, "the image");
}

// Calls run(element, unit): `element` converts pixels to words of 64 bits (Widened or Fixed); a word times
// `unit` is the value. Sums whose weights add up to at most `weight` do not overflow. Throws
// std::invalid_argument if a float is not finite.
template <class T, class Run>
void withWideWords(const Image<const T>& image, double weight, const Run& run) {
  if constexpr (std::is_integral_v<T>) {
    run(Widened<T, std::uint64_t>{}, 1.0);
  } else {
    const double most = largest(image);
    require(std::isfinite(most), "the image has a value that is infinite or not a number");
    const int bits = std::min(51, 62 - static_cast<int>(std::ceil(std::log2(weight))));
    // A power of two, so that scaling is exact.
    const int exponent = most == 0.0 ? 0 : std::min(bits - std::ilogb(most) - 1, 1000);
    run(Fixed<T>{std::ldexp(1.0, exponent)}, std::ldexp(1.0, -exponent));
  }
}

// Calls pixel(x, y) for all pixels of the image on all threads, tile by tile: neighbouring windows share
// cached parts of a table. `work`: cost of an element, in additions, see withPool().
template <class T, class Pixel>
void forPixels(const Image<T>& image, std::size_t work, const Pixel& pixel) {
  constexpr int kTile = 64;
  const int rows = (image.height + kTile - 1) / kTile, columns = (image.width + kTile - 1) / kTile;
  withPool(work * image.rowElements() * static_cast<std::size_t>(image.height), [&](ThreadPool& pool) {
    pool.forEach(rows * columns, [&](int tile) {
      const int left = tile / rows * kTile, top = tile % rows * kTile;
      for (int y = top; y < std::min(top + kTile, image.height); ++y)
        for (int x = left; x < std::min(left + kTile, image.width); ++x) pixel(x, y);
    });
  });
}

}  // namespace satdof::cpu
