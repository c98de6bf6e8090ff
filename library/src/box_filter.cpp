#include <limits>
#include <memory>

#include "library/src/box.h"
#include "library/src/filter.h"

namespace satdof::cpu {

namespace {

template <class T, class W>
class Boxes {
 public:
  Boxes(const Table<W>& table, const Image<T>& out, Border border, double unit)
      : table_(table),
        out_(out),
        border_(border),
        unit_(unit),
        largest_(border == Border::inside ? std::max(out.width, out.height) : static_cast<int>(kMaxRadius)) {}

  void pixel(int x, int y, float radius) const {
    const Reach reach = reachOf(radius, largest_);
    const int margin = std::min(std::min(x, out_.width - 1 - x), std::min(y, out_.height - 1 - y));
    T* const out = out_.row(y) + std::ptrdiff_t{x} * table_.channels;
    if (reach.whole < margin) {
      const W* const corner = table_.corner(x, y, reach);
      for (int c = 0; c < table_.channels; ++c) out[c] = meanInside<T>(table_, corner + c, reach, unit_);
      return;
    }
    const Box<T, W> box(table_, out_.width, out_.height, border_, reach, x, y);
    for (int c = 0; c < table_.channels; ++c) out[c] = box.mean(c, unit_);
  }

 private:
  const Table<W>& table_;
  const Image<T>& out_;
  Border border_;
  double unit_;
  int largest_;
};

// radius(x, y) of every pixel, by a table.
template <class W, class Element, class T, class Radius>
void filterByTable(const Element& element, double unit, const Image<const T>& image, const Image<T>& out,
                   Border border, const Radius& radius) {
  Image<W> table{nullptr, image.width + 1, image.height + 1, image.channels,
                 static_cast<std::ptrdiff_t>(image.rowElements()) + image.channels};
  const std::unique_ptr<W[]> words(
      new W[static_cast<std::size_t>(table.stride) * static_cast<std::size_t>(table.height)]);
  table.data = words.get();
  sumExclusive(element, image, table);
  const Table<W> sums{words.get(), table.stride, image.channels};
  const Boxes<T, W> boxes(sums, out, border, unit);
  forPixels(image, 8, [&](int x, int y) { boxes.pixel(x, y, radius(x, y)); });
}

// The pixel of [0, size) that stands for pixel k, less than `size` outside; -1: none.
int placeOf(int k, int size, Border border) {
  if (k >= 0 && k < size) return k;
  if (border == Border::inside) return -1;
  if (border == Border::clamp) return k < 0 ? 0 : size - 1;
  return k < 0 ? -1 - k : 2 * size - 1 - k;
}

// Inclusive prefix sums of each channel of a row. `zeros` are as long as the row.
template <class W>
void sumChannels(int channels, const W* row, std::ptrdiff_t elements, const W* zeros, W* sums) {
  std::vector<W> carry(static_cast<std::size_t>(channels));
  withChannels(channels, [&](auto known) {
    vectorised([&]() SATDOF_INLINE {
      sumRow<known>(Widened<W, W>{}, channels, row, elements, carry.data(), zeros, sums);
    });
  });
}

// One whole radius below half of both sides, without a table: sums of columns move down with a band of rows; the differences of
// their prefix sums are the boxes. A band adds up 2 radius + 1 rows before its first one.
template <class W, class Element, class T>
void filterBand(const Element& element, double unit, const Image<const T>& image, const Image<T>& out,
                Border border, int radius, int begin, int end) {
  const std::ptrdiff_t channels = image.channels, count = image.width * channels;
  const std::ptrdiff_t reach = radius * channels, step = 2 * reach + channels, wide = count + step;
  // `columns` goes on by the radius to either side; `sums` are exclusive prefix sums of it.
  std::vector<W> columns(static_cast<std::size_t>(wide)), sums(columns.size()), zeros(columns.size());
  std::vector<double> widths(static_cast<std::size_t>(count));
  for (std::ptrdiff_t i = 0; i < count; ++i)
    widths[static_cast<std::size_t>(i)] =
        Span::around(static_cast<int>(i / channels), radius, image.width, border).length;
  const auto addRow = [&](int y, W factor) {
    const int row = placeOf(y, image.height, border);
    if (row < 0) return;
    vectorised([&]() SATDOF_INLINE {
      const T* const in = image.row(row);
      W* const to = columns.data() + reach;
      for (std::ptrdiff_t i = 0; i < count; ++i) to[i] += element.at(in + i) * factor;
    });
  };
  for (int y = begin - radius; y < begin + radius; ++y) addRow(y, 1);
  for (int y = begin; y < end; ++y) {
    addRow(y + radius, 1);
    if (border != Border::inside)
      for (int x = 1; x <= radius; ++x)
        for (std::ptrdiff_t c = 0; c < channels; ++c) {
          W* const inner = columns.data() + reach + c;
          inner[-x * channels] = inner[placeOf(-x, image.width, border) * channels];
          inner[(image.width - 1 + x) * channels] =
              inner[placeOf(image.width - 1 + x, image.width, border) * channels];
        }
    sumChannels(image.channels, columns.data(), wide - channels, zeros.data(), sums.data() + channels);
    const double height = Span::around(y, radius, image.height, border).length;
    vectorised([&]() SATDOF_INLINE {
      T* const to = out.row(y);
      const W *const high = sums.data() + step, *const low = sums.data();
      for (std::ptrdiff_t i = 0; i < count; ++i)
        to[i] = rounded<T>(numberOf<T>(static_cast<W>(high[i] - low[i])) /
                           (widths[static_cast<std::size_t>(i)] * height) * unit);
    });
    addRow(y - radius, static_cast<W>(-1));
  }
}

template <class W, class Element, class T>
void filterByBands(const Element& element, double unit, const Image<const T>& image, const Image<T>& out,
                   Border border, int radius) {
  withPool(8 * image.rowElements() * static_cast<std::size_t>(image.height), [&](ThreadPool& pool) {
    const int bands = std::clamp(image.height / (4 * radius + 64), pool.threads(), 16 * pool.threads());
    pool.forEach(bands, [&](int band) {
      const auto row = [&](int i) { return static_cast<int>(std::int64_t{image.height} * i / bands); };
      filterBand<W>(element, unit, image, out, border, radius, row(band), row(band + 1));
    });
  });
}

// Calls run(element, word, unit): how a pixel becomes a word, and the value of 1. No sum exceeds a word.
template <class T, class Run>
void withWords(const Image<const T>& image, const Image<T>& out, Border border, float largestRadius,
               const Run& run) {
  requireFilter(image, out);
  const double pixels = boxWeight(image.width, image.height, static_cast<double>(largestRadius), border);
  if constexpr (sizeof(T) == 1)
    if (pixels <= 0x1p24) return run(Widened<T, std::uint32_t>{}, std::uint32_t{}, 1.0);
  withWideWords(image, pixels,
                [&](const auto& element, double unit) { run(element, std::uint64_t{}, unit); });
}

}  // namespace

template <class T>
void boxFilter(Image<const T> image, float radius, Image<T> out, Border border) {
  requireRadius(radius, border);
  withWords(image, out, border, radius, [&]<class W>(const auto& element, W, double unit) {
    const auto least = static_cast<float>(std::min(image.width, image.height));
    if (2.0f * radius + 1.0f <= least && radius == std::floor(radius))
      filterByBands<W>(element, unit, image, out, border, static_cast<int>(radius));
    else
      filterByTable<W>(element, unit, image, out, border, [&](int, int) { return radius; });
  });
}

template <class T>
void boxFilter(Image<const T> image, Image<const float> radius, Image<T> out, Border border) {
  requireImage(image, "the image");
  requireSize(radius, "the radius", image, "the image", 0, 1);
  const auto [least, most] = rangeOf(radius);
  requireRadius(least, border);
  requireRadius(most, border);
  withWords(image, out, border, most, [&]<class W>(const auto& element, W, double unit) {
    filterByTable<W>(element, unit, image, out, border, [&](int x, int y) { return radius.row(y)[x]; });
  });
}

#define SATDOF_BOXES(T)                                             \
  template void boxFilter(Image<const T>, float, Image<T>, Border); \
  template void boxFilter(Image<const T>, Image<const float>, Image<T>, Border);
SATDOF_BOXES(std::uint8_t)
SATDOF_BOXES(std::int8_t)
SATDOF_BOXES(std::uint16_t)
SATDOF_BOXES(std::int16_t)
SATDOF_BOXES(std::uint32_t)
SATDOF_BOXES(std::int32_t)
SATDOF_BOXES(float)
SATDOF_BOXES(double)
#undef SATDOF_BOXES

}  // namespace satdof::cpu
