#include <bit>
#include <limits>

#include "library/src/box.h"
#include "library/src/filter.h"
#include "library/src/memory.h"

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
  const auto words =
      scratch<W>(static_cast<std::size_t>(table.stride) * static_cast<std::size_t>(table.height));
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

// static_cast<double>() of four integers, which AVX2 has for 32 signed bits alone: halves in the bits of doubles are exact, so only
// their sum rounds.
template <bool kSigned, class W>
SATDOF_INLINE inline Lanes<double>::Vector numbers(const W* words) {
  constexpr double kLow = 0x1p52, kHigh = 0x1p84, kFirst = kSigned ? (sizeof(W) == 4 ? 0x1p31 : 0x1p63) : 0.0;
  constexpr W kSign = W{kSigned} << (8 * sizeof(W) - 1);
  std::uint64_t wide[4];
  for (int lane = 0; lane < 4; ++lane) wide[lane] = words[lane] ^ kSign;
  Lanes<std::uint64_t>::Vector v;
  std::memcpy(&v, wide, sizeof v);
  const auto bitsOf = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  if constexpr (sizeof(W) == 4)
    return reinterpret_cast<Lanes<double>::Vector>(v | bitsOf(kLow)) - (kLow + kFirst);
  else
    return (reinterpret_cast<Lanes<double>::Vector>(v >> 32 | bitsOf(kHigh)) - (kHigh + kLow + kFirst)) +
           reinterpret_cast<Lanes<double>::Vector>((v & 0xffffffffu) | bitsOf(kLow));
}

constexpr std::ptrdiff_t kMeans = 32;

// The means of kMeans boxes: of the differences of sums, as numberOf() and rounded() give them. scale(i, numbers): the means of four.
template <class T, class W, class Scale>
SATDOF_INLINE inline void writeMeans(const W* low, const W* high, const Scale& scale, T* to) {
  constexpr bool kUnsigned = std::is_unsigned_v<T> && (sizeof(W) == 4 || sizeof(T) == 4);
  constexpr double kMagic = 0x1.8p52;  // the low bits of the sum are the rounded mean
  std::conditional_t<std::is_integral_v<T>, std::uint64_t, double> means[kMeans];
  for (std::ptrdiff_t i = 0; i < kMeans; i += 4) {
    W sums[4];
    for (int lane = 0; lane < 4; ++lane) sums[lane] = high[i + lane] - low[i + lane];
    auto mean = scale(i, numbers<!kUnsigned>(sums));
    if constexpr (std::is_integral_v<T>) mean += kMagic;
    std::memcpy(means + i, &mean, sizeof mean);
  }
  for (int i = 0; i < kMeans; ++i) to[i] = static_cast<T>(means[i]);
}

// One whole radius below half of both sides, without a table. `sums` are prefix sums along a row of boxes of one column; they move
// down with a band of rows, by the sums of the row that enters less the row that leaves. Their differences are the boxes. A band adds
// up 2 radius rows before its first one.
template <class W, class Element, class T>
void filterBand(const Element& element, double unit, const Image<const T>& image, const Image<T>& out,
                Border border, int radius, int begin, int end) {
  const std::ptrdiff_t channels = image.channels, count = image.width * channels;
  const std::ptrdiff_t reach = radius * channels, step = 2 * reach + channels, wide = count + 2 * reach;
  // Rows go on by the radius to either side; `sums` are exclusive.
  std::vector<T> enters(static_cast<std::size_t>(wide)), leaves(enters.size());
  std::vector<W> sums(static_cast<std::size_t>(count + step + kMeans)),
      carry(static_cast<std::size_t>(channels));
  const double side = 2.0 * radius + 1.0, inverse = 1.0 / (side * side);
  // The mean of up to 16 bits over an odd area lies further from the middle of two integers than the product with the inverse is off.
  constexpr bool kShort = std::is_integral_v<T> && sizeof(T) <= 2;
  std::vector<double> widths(static_cast<std::size_t>(count + kMeans), 1.0);
  for (std::ptrdiff_t i = 0; i < count; ++i)
    widths[static_cast<std::size_t>(i)] =
        Span::around(static_cast<int>(i / channels), radius, image.width, border).length;
  // The elements that the margins repeat: those on the left, then those on the right.
  std::vector<std::ptrdiff_t> margins(border == Border::inside ? 0 : static_cast<std::size_t>(2 * reach));
  for (std::ptrdiff_t k = 0; k < static_cast<std::ptrdiff_t>(margins.size()); ++k) {
    const auto x = static_cast<int>(k / channels) - radius;
    margins[static_cast<std::size_t>(k)] =
        placeOf(k < reach ? x : x + image.width, image.width, border) * channels + k % channels;
  }
  const auto read = [&](int y, std::vector<T>& row) {
    const int place = placeOf(y, image.height, border);
    if (place < 0) return std::fill(row.begin(), row.end(), T{0});
    T* const inner = row.data() + reach;
    std::copy_n(image.row(place), count, inner);
    for (std::size_t k = 0; k < margins.size() / 2; ++k) {
      row[k] = inner[margins[k]];
      inner[count + static_cast<std::ptrdiff_t>(k)] = inner[margins[margins.size() / 2 + k]];
    }
  };
  for (int y = begin - 2 * radius; y < end; ++y) {
    read(y + radius, enters);
    if (y > begin) read(y - radius - 1, leaves);
    std::fill(carry.begin(), carry.end(), W{0});
    withChannels(image.channels, [&](auto known) {
      vectorised([&]() SATDOF_INLINE {
        W* const to = sums.data() + channels;
        sumRow<known>(Difference{Row{element, enters.data()}, Row{element, leaves.data()}}, image.channels,
                      wide, carry.data(), to, to);
      });
    });
    if (y < begin) continue;
    const double height = Span::around(y, radius, image.height, border).length;
    vectorised([&]() SATDOF_INLINE {
      T* const to = out.row(y);
      for (std::ptrdiff_t i = 0; i < count; i += kMeans) {
        const W *const low = sums.data() + i, *const high = low + step;
        const double* const width = widths.data() + i;
        T last[kMeans];
        T* const means = i + kMeans <= count ? to + i : last;
        if (kShort && height == side && width[0] == side && width[kMeans - 1] == side)
          writeMeans(
              low, high, [&](std::ptrdiff_t, auto sum) SATDOF_INLINE { return sum * inverse; }, means);
        else
          writeMeans(
              low, high,
              [&](std::ptrdiff_t first, auto sum) SATDOF_INLINE {
                Lanes<double>::Vector area;
                std::memcpy(&area, width + first, sizeof area);
                return sum / (area * height) * unit;
              },
              means);
        if (means == last) std::copy_n(last, count - i, to + i);
      }
    });
  }
}

template <class W, class Element, class T>
void filterByBands(const Element& element, double unit, const Image<const T>& image, const Image<T>& out,
                   Border border, int radius) {
  withPool(8 * image.rowElements() * static_cast<std::size_t>(image.height), [&](ThreadPool& pool) {
    const int bands = std::clamp(image.height / (32 * radius + 64), pool.threads(), 16 * pool.threads());
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
  const float most = largestRadius(radius, image, [&](float r) { requireRadius(r, border); });
  withWords(image, out, border, most, [&]<class W>(const auto& element, W, double unit) {
    filterByTable<W>(element, unit, image, out, border, [&](int x, int y) { return radius.row(y)[x]; });
  });
}

#define SATDOF_BOXES(T)                                             \
  template void boxFilter(Image<const T>, float, Image<T>, Border); \
  template void boxFilter(Image<const T>, Image<const float>, Image<T>, Border);
SATDOF_FOR_PIXEL_TYPES(SATDOF_BOXES)
#undef SATDOF_BOXES

}  // namespace satdof::cpu
