#include "library/src/tent.h"

#include <memory>

#include "library/src/filter.h"

namespace satdof::cpu {

namespace {

using Word = std::uint64_t;

// radius(x, y): the radius of a pixel, at most `largest`. Cost per pixel: 9 look-ups for a whole radius, 36
// for a fraction.
template <class T, class Radius>
void filter(const Image<const T>& image, const Image<T>& out, Border border, float largest, const Radius& radius) {
  withWideWords(image, tentWeight(static_cast<double>(largest)), [&](const auto& element, double unit) {
    const int width = image.width, height = image.height, channels = image.channels;
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(image.rowElements()) + channels;
    const std::unique_ptr<Word[]> words(
        new Word[static_cast<std::size_t>(stride) * (static_cast<std::size_t>(height) + 1)]);
    const Image<Word> twice{words.get(), width + 1, height + 1, channels, stride};
    sumExclusive(element, image, twice);
    sumInPlace(twice);
    const Table<Word> table{words.get(), stride, channels};
    forPixels(image, 16, [&](int x, int y) {
      const SplitRadius split = splitRadius(radius(x, y), static_cast<int>(kMaxTentRadius<T>));
      const int margin = std::min(std::min(x, width - 1 - x), std::min(y, height - 1 - y));
      T* const to = out.row(y) + std::ptrdiff_t{x} * channels;
      if (split.whole + 1 < margin) {
        for (int c = 0; c < channels; ++c) to[c] = tentMeanInside<T>(table, table.at(x, y) + c, split, unit);
        return;
      }
      const ProductWindow<T, Word, TentAxis> window(table, width, height, border, split, x, y);
      for (int c = 0; c < channels; ++c) to[c] = window.mean(c, unit);
    });
  });
}

}  // namespace

template <class T>
void tentFilter(Image<const T> image, float radius, Image<T> out, Border border) {
  requireTentRadius(radius, kMaxTentRadius<T>);
  requireFilter(image, out);
  filter(image, out, border, radius, [&](int, int) { return radius; });
}

template <class T>
void tentFilter(Image<const T> image, Image<const float> radius, Image<T> out, Border border) {
  requireFilter(image, out);
  const float most = largestRadius(radius, image, [](float r) { requireTentRadius(r, kMaxTentRadius<T>); });
  filter(image, out, border, most, [&](int x, int y) { return radius.row(y)[x]; });
}

#define SATDOF_TENTS(T)                                              \
  template void tentFilter(Image<const T>, float, Image<T>, Border); \
  template void tentFilter(Image<const T>, Image<const float>, Image<T>, Border);
SATDOF_FOR_PIXEL_TYPES(SATDOF_TENTS)
#undef SATDOF_TENTS

}  // namespace satdof::cpu
