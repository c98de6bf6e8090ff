#include "library/src/disc.h"

#include <memory>

#include "library/src/filter.h"

namespace satdof::cpu {

namespace {

using Word = std::uint64_t;

// Exclusive prefix sums of each row: `sums` is one pixel wider than the image.
template <class Element, class T>
void sumEachRow(const Element& element, const Image<const T>& image, const Image<Word>& sums) {
  const std::vector<Word> zeros(image.rowElements());
  withPool(zeros.size() * static_cast<std::size_t>(image.height), [&](ThreadPool& pool) {
    pool.forEach(image.height, [&](int y) {
      std::vector<Word> carry(static_cast<std::size_t>(image.channels));
      std::fill_n(sums.row(y), image.channels, Word{0});
      withChannels(image.channels, [&](auto known) {
        vectorised([&]() SATDOF_INLINE {
          sumRow<known>(Row{element, image.row(y)}, image.channels, static_cast<std::ptrdiff_t>(zeros.size()),
                        carry.data(), zeros.data(), sums.row(y) + image.channels);
        });
      });
    });
  });
}

// Means over discs of one radius, for the pixels of a row whose discs do not cross the left or right edge:
// all pixels are summed together, one row of the disc after the other, vectorised.
template <class T>
class RowOfDiscs {
 public:
  RowOfDiscs(const Image<Word>& sums, const Image<T>& out, Border border, const SplitRadius& split, double unit)
      : sums_(sums), out_(out), border_(border), split_(split), unit_(unit) {
    const std::int64_t side = std::int64_t{split.whole} + (split.fraction > 0.0 ? 1 : 0);
    begin_ = static_cast<int>(std::min<std::int64_t>(side, out.width));
    end_ = std::max(begin_, static_cast<int>(std::max<std::int64_t>(out.width - side, 0)));
  }
  bool holds(int x) const { return x >= begin_ && x < end_; }
  void write(int y) const {
    if (begin_ == end_) return;
    std::vector<Word> inner, outer;
    DiscSum<Word> small, large;
    sum(split_.whole, y, inner, small);
    if (split_.fraction > 0.0)
      sum(std::int64_t{split_.whole} + 1, y, outer, large);
    else
      outer = inner;
    T* const to = out_.row(y) + std::ptrdiff_t{begin_} * out_.channels;
    vectorised([&]() SATDOF_INLINE {
      for (std::size_t i = 0; i < inner.size(); ++i)
        to[i] = meanOfDiscs<T, Word>({inner[i], small.area}, {outer[i], large.area}, split_.fraction, unit_);
    });
  }

 private:
  void sum(std::int64_t radius, int y, std::vector<Word>& totals, DiscSum<Word>& disc) const {
    const std::ptrdiff_t channels = out_.channels;
    totals.assign(static_cast<std::size_t>((end_ - begin_) * channels), 0);
    forRowsOfDisc(radius, y, out_.height, border_, [&](std::int64_t row, std::int64_t half) {
      const auto halfWidth = static_cast<std::ptrdiff_t>(half);
      const Word* const low = sums_.row(static_cast<int>(row)) + (begin_ - halfWidth) * channels;
      const Word* const high = low + (2 * halfWidth + 1) * channels;
      disc.area += static_cast<double>(2 * half + 1);
      vectorised([&]() SATDOF_INLINE {
        Word* const to = totals.data();
        for (std::size_t i = 0; i < totals.size(); ++i) to[i] += high[i] - low[i];
      });
    });
  }

  const Image<Word>& sums_;
  const Image<T>& out_;
  Border border_;
  SplitRadius split_;
  double unit_;
  int begin_, end_;
};

// Calls run(sums, unit) with the prefix sums of the image's rows; a word times `unit` is the value.
template <class T, class Run>
void withRows(const Image<const T>& image, Border border, float largest, const Run& run) {
  const double weight = boxWeight(image.width, image.height, static_cast<double>(largest), border);
  withWideWords(image, weight, [&](const auto& element, double unit) {
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(image.rowElements()) + image.channels;
    const std::unique_ptr<Word[]> words(
        new Word[static_cast<std::size_t>(stride) * static_cast<std::size_t>(image.height)]);
    const Image<Word> sums{words.get(), image.width + 1, image.height, image.channels, stride};
    sumEachRow(element, image, sums);
    run(sums, unit);
  });
}

// Writes the mean of one pixel, at any distance to the edges.
template <class T>
void pixel(const Image<Word>& sums, const Image<T>& out, Border border, const SplitRadius& split, int x, int y,
           double unit) {
  const Table<Word> table{sums.data, sums.stride, sums.channels};
  T* const to = out.row(y) + std::ptrdiff_t{x} * out.channels;
  for (int c = 0; c < out.channels; ++c)
    to[c] = discMean<T>(table, out.width, out.height, border, split, x, y, c, unit);
}

}  // namespace

template <class T>
void discFilter(Image<const T> image, float radius, Image<T> out, Border border) {
  requireRadius(radius, border);
  requireFilter(image, out);
  withRows(image, border, radius, [&](const Image<Word>& sums, double unit) {
    const SplitRadius split = splitRadius(radius, largestDisc(image.width, image.height, border));
    const RowOfDiscs<T> discs(sums, out, border, split, unit);
    withPool((2 * static_cast<std::size_t>(std::min(split.whole, image.height)) + 8) * image.rowElements() *
                 static_cast<std::size_t>(image.height),
             [&](ThreadPool& pool) {
               pool.forEach(image.height, [&](int y) {
                 discs.write(y);
                 for (int x = 0; x < image.width; ++x)
                   if (!discs.holds(x)) pixel(sums, out, border, split, x, y, unit);
               });
             });
  });
}

template <class T>
void discFilter(Image<const T> image, Image<const float> radius, Image<T> out, Border border) {
  requireFilter(image, out);
  const float most = largestRadius(radius, image, [&](float r) { requireRadius(r, border); });
  withRows(image, border, most, [&](const Image<Word>& sums, double unit) {
    const int largest = largestDisc(image.width, image.height, border);
    forPixels(image, 32,
              [&](int x, int y) { pixel(sums, out, border, splitRadius(radius.row(y)[x], largest), x, y, unit); });
  });
}

#define SATDOF_DISCS(T)                                              \
  template void discFilter(Image<const T>, float, Image<T>, Border); \
  template void discFilter(Image<const T>, Image<const float>, Image<T>, Border);
SATDOF_FOR_PIXEL_TYPES(SATDOF_DISCS)
#undef SATDOF_DISCS

}  // namespace satdof::cpu
