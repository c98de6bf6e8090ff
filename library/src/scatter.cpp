#include "library/src/scatter.h"

#include <memory>

#include "library/src/filter.h"

namespace satdof::cpu {

namespace {

using Word = std::uint64_t;

// Adds the row differences of all discs to rows [begin, end) of `words`. largestRadius: the largest radius,
// rounded up.
template <class T, class Radius>
void scatterInto(const Image<Word>& words, const Image<const T>& image, const Radius& radius, double scale, int begin,
                 int end, int largestRadius) {
  const std::ptrdiff_t channels = words.channels;
  const int first = std::max(begin - largestRadius, 0),
            last = largestRadius < image.height - end ? end + largestRadius : image.height;
  for (int y = first; y < last; ++y)
    for (int x = 0; x < image.width; ++x) {
      const SplitRadius split = splitRadius(radius(x, y), static_cast<int>(kMaxRadius));
      const std::int64_t away = std::int64_t{split.whole} + 1;
      if (y + away < begin || y - away >= end) continue;
      const T* const value = image.row(y) + x * (channels - 1);
      forShares(image.width, image.height, split, x, y,
                [&](std::ptrdiff_t row, std::ptrdiff_t from, std::ptrdiff_t to, double share) {
                  if (row < begin || row >= end) return;
                  Word* const line = words.row(static_cast<int>(row));
                  for (std::ptrdiff_t c = 0; c < channels; ++c) {
                    const Word word = c + 1 < channels ? fixedWord(static_cast<double>(value[c]) * share, scale)
                                                       : fixedWord(share, kCoverageScale);
                    line[from * channels + c] += word;
                    if (to < image.width) line[to * channels + c] -= word;
                  }
                });
    }
}

template <class T>
void requireScatter(const Image<const T>& image, const Image<T>& out) {
  requireImage(image, "the image");
  requireSize(out, "the output", image, "the image", 0, image.channels + 1);
}

// radius(x, y): the radius of a pixel, at most `most`. Each thread scatters into its own band of rows, then
// all rows are summed.
template <class T, class Radius>
void scatterAll(const Image<const T>& image, const Radius& radius, float most, const Image<T>& out) {
  withWideWords(image, 1.0, [&](const Fixed<T>& element, double unit) {
    const std::ptrdiff_t stride = std::ptrdiff_t{image.width} * out.channels;
    const std::unique_ptr<Word[]> differences(
        new Word[static_cast<std::size_t>(stride) * static_cast<std::size_t>(image.height)]());
    const Image<Word> words{differences.get(), image.width, image.height, out.channels, stride};
    const auto work = static_cast<std::size_t>(2.0f * most + 8.0f);
    withPool(work * out.rowElements() * static_cast<std::size_t>(image.height), [&](ThreadPool& pool) {
      const int bands = std::min(pool.threads(), image.height);
      const auto row = [&](int band) { return static_cast<int>(std::int64_t{image.height} * band / bands); };
      pool.forEach(bands, [&](int band) {
        scatterInto(words, image, radius, element.scale, row(band), row(band + 1), static_cast<int>(most) + 1);
      });
      pool.forEach(image.height, [&](int y) {
        std::vector<Word> sums(static_cast<std::size_t>(out.channels));
        const Word* from = words.row(y);
        T* to = out.row(y);
        for (int x = 0; x < image.width; ++x)
          for (std::size_t c = 0; c < sums.size(); ++c) {
            sums[c] += *from++;
            const double step = c + 1 < sums.size() ? unit : 1.0 / kCoverageScale;
            *to++ = static_cast<T>(static_cast<double>(static_cast<std::int64_t>(sums[c])) * step);
          }
      });
    });
  });
}

}  // namespace

template <class T>
void scatter(Image<const T> image, float radius, Image<T> out) {
  requireScatter(image, out);
  requireScatterRadius(radius);
  scatterAll(
      image, [&](int, int) { return radius; }, radius, out);
}

template <class T>
void scatter(Image<const T> image, Image<const float> radius, Image<T> out) {
  requireScatter(image, out);
  const float most = largestRadius(radius, image, requireScatterRadius);
  scatterAll(
      image, [&](int x, int y) { return radius.row(y)[x]; }, most, out);
}

#define SATDOF_SCATTER(T)                                 \
  template void scatter(Image<const T>, float, Image<T>); \
  template void scatter(Image<const T>, Image<const float>, Image<T>);
SATDOF_SCATTER(float)
SATDOF_SCATTER(double)
#undef SATDOF_SCATTER

}  // namespace satdof::cpu
