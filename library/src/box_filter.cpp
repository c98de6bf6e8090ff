#include <bit>
#include <limits>

#include "library/src/box.h"
#include "library/src/filter.h"
#include "library/src/memory.h"

namespace satdof::cpu {

namespace {

// Writes means over boxes from an exclusive table.
template <class T, class W>
class BoxMeans {
 public:
  BoxMeans(const Table<W>& table, const Image<T>& out, Border border, double unit)
      : table_(table),
        out_(out),
        border_(border),
        unit_(unit),
        largest_(border == Border::inside ? std::max(out.width, out.height) : static_cast<int>(kMaxRadius)) {}

  void pixel(int x, int y, float radius) const {
    const SplitRadius split = splitRadius(radius, largest_);
    const int margin = std::min(std::min(x, out_.width - 1 - x), std::min(y, out_.height - 1 - y));
    T* const out = out_.row(y) + std::ptrdiff_t{x} * table_.channels;
    if (split.whole < margin) {
      const W* const corner = table_.corner(x, y, split);
      for (int c = 0; c < table_.channels; ++c) out[c] = boxMeanInside<T>(table_, corner + c, split, unit_);
      return;
    }
    const ProductWindow<T, W> window(table_, out_.width, out_.height, border_, split, x, y);
    for (int c = 0; c < table_.channels; ++c) out[c] = window.mean(c, unit_);
  }

 private:
  const Table<W>& table_;
  const Image<T>& out_;
  Border border_;
  double unit_;
  int largest_;
};

// Any radius per pixel, radius(x, y), by a summed-area table. Cost per pixel: 4 look-ups for a whole radius,
// 16 for a fraction.
template <class W, class Element, class T, class Radius>
void filterByTable(const Element& element, double unit, const Image<const T>& image, const Image<T>& out, Border border,
                   const Radius& radius) {
  Image<W> table{nullptr, image.width + 1, image.height + 1, image.channels,
                 static_cast<std::ptrdiff_t>(image.rowElements()) + image.channels};
  const auto words = scratch<W>(static_cast<std::size_t>(table.stride) * static_cast<std::size_t>(table.height));
  table.data = words.get();
  sumExclusive(element, image, table);
  const Table<W> sums{words.get(), table.stride, image.channels};
  const BoxMeans<T, W> means(sums, out, border, unit);
  forPixels(image, 8, [&](int x, int y) { means.pixel(x, y, radius(x, y)); });
}

// static_cast<double>() of four words, rounded once. AVX2 converts only signed words of 32 bits, so the two
// halves of a word become mantissas of 2^52 and 2^84, which is exact; only the sum of the two doubles rounds.
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

// Writes the means of kMeans boxes, whose sums are high[i] - low[i], with the bits of toDouble() and
// rounded(). scale(i, sums): the means of the boxes i to i + 3 from their sums.
template <class T, class W, class Scale>
SATDOF_INLINE inline void writeMeans(const W* low, const W* high, const Scale& scale, T* to) {
  constexpr bool kUnsigned = std::is_unsigned_v<T> && (sizeof(W) == 4 || sizeof(T) == 4);
  std::conditional_t<std::is_integral_v<T>, std::uint64_t, double> means[kMeans];
  for (std::ptrdiff_t i = 0; i < kMeans; i += 4) {
    W sums[4];
    for (int lane = 0; lane < 4; ++lane) sums[lane] = high[i + lane] - low[i + lane];
    auto mean = scale(i, numbers<!kUnsigned>(sums));
    if constexpr (std::is_integral_v<T>) mean += kRoundingBias;  // rounds; the low bits are the integer
    std::memcpy(means + i, &mean, sizeof mean);
  }
  for (int i = 0; i < kMeans; ++i) to[i] = static_cast<T>(means[i]);
}

// The rows of an image, extended by `radius` pixels on either side. With Border::inside, by zeros.
template <class T>
class ExtendedRows {
 public:
  ExtendedRows(const Image<const T>& image, Border border, int radius)
      : image_(image),
        border_(border),
        margin_(std::ptrdiff_t{radius} * image.channels),
        repeated_(border == Border::inside ? 0 : static_cast<std::size_t>(2 * margin_)) {
    for (std::ptrdiff_t k = 0; k < static_cast<std::ptrdiff_t>(repeated_.size()); ++k) {
      const auto x = static_cast<int>(k / image.channels) - radius;
      repeated_[static_cast<std::size_t>(k)] =
          pixelAt(k < margin_ ? x : x + image.width, image.width, border) * image.channels + k % image.channels;
    }
  }
  // Row y, also outside of the image. `row` was 0 before the first call.
  void read(int y, std::vector<T>& row) const {
    const auto inImage = static_cast<int>(pixelAt(y, image_.height, border_));
    if (inImage < 0) return std::fill(row.begin(), row.end(), T{0});
    T* const inner = row.data() + margin_;
    const auto count = static_cast<std::ptrdiff_t>(image_.rowElements());
    std::copy_n(image_.row(inImage), count, inner);
    const std::size_t side = repeated_.size() / 2;
    for (std::size_t k = 0; k < side; ++k) {
      row[k] = inner[repeated_[k]];
      inner[count + static_cast<std::ptrdiff_t>(k)] = inner[repeated_[side + k]];
    }
  }

 private:
  const Image<const T>& image_;
  Border border_;
  std::ptrdiff_t margin_;                 // elements
  std::vector<std::ptrdiff_t> repeated_;  // the elements that the left and then the right margin repeat
};

// Rows [begin, end) for one whole radius r below half of both sides, without a table. For each row y, `sums`
// holds the prefix sums along x of the sums of 2 r + 1 rows around y; a difference of two prefix sums is the
// sum over a box. From y - 1 to y, row y + r enters and row y - r - 1 leaves. A band adds up 2 r rows before
// its first one. Cost: 2 reads and 1 write per pixel, for any radius.
template <class W, class Element, class T>
void filterBand(const Element& element, double unit, const Image<const T>& image, const Image<T>& out, Border border,
                int radius, int begin, int end) {
  const std::ptrdiff_t channels = image.channels, count = image.width * channels;
  const std::ptrdiff_t margin = radius * channels, step = 2 * margin + channels, wide = count + 2 * margin;
  // Extended rows; `sums` are exclusive.
  std::vector<T> enters(static_cast<std::size_t>(wide)), leaves(enters.size());
  std::vector<W> sums(static_cast<std::size_t>(count + step + kMeans)), carry(static_cast<std::size_t>(channels));
  const double side = 2.0 * radius + 1.0, inverse = 1.0 / (side * side);
  // Up to 16 bits: a mean over an odd area is further from the midpoint of two integers than the error of
  // multiplying by the inverse, so the product rounds to the same integer as the quotient.
  constexpr bool kShort = std::is_integral_v<T> && sizeof(T) <= 2;
  std::vector<double> widths(static_cast<std::size_t>(count + kMeans), 1.0);
  for (std::ptrdiff_t i = 0; i < count; ++i)
    widths[static_cast<std::size_t>(i)] =
        BoxAxis::around(static_cast<int>(i / channels), radius, image.width, border).length;
  const ExtendedRows<T> rows(image, border, radius);
  for (int y = begin - 2 * radius; y < end; ++y) {
    rows.read(y + radius, enters);
    if (y > begin) rows.read(y - radius - 1, leaves);
    std::fill(carry.begin(), carry.end(), W{0});
    withChannels(image.channels, [&](auto known) {
      vectorised([&]() SATDOF_INLINE {
        W* const to = sums.data() + channels;
        sumRow<known>(Difference{Row{element, enters.data()}, Row{element, leaves.data()}}, image.channels, wide,
                      carry.data(), to, to);
      });
    });
    if (y < begin) continue;
    const double height = BoxAxis::around(y, radius, image.height, border).length;
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
void filterByBands(const Element& element, double unit, const Image<const T>& image, const Image<T>& out, Border border,
                   int radius) {
  withPool(8 * image.rowElements() * static_cast<std::size_t>(image.height), [&](ThreadPool& pool) {
    const int bands = std::clamp(image.height / (32 * radius + 64), pool.threads(), 16 * pool.threads());
    pool.forEach(bands, [&](int band) {
      const auto row = [&](int i) { return static_cast<int>(std::int64_t{image.height} * i / bands); };
      filterBand<W>(element, unit, image, out, border, radius, row(band), row(band + 1));
    });
  });
}

// Calls run(element, W{}, unit): `element` converts pixels to words W, whose sums do not overflow; a word
// times `unit` is the value. Bytes take words of 32 bits if their sums fit.
template <class T, class Run>
void withWords(const Image<const T>& image, const Image<T>& out, Border border, float largestRadius, const Run& run) {
  requireFilter(image, out);
  const double pixels = boxWeight(image.width, image.height, static_cast<double>(largestRadius), border);
  if constexpr (sizeof(T) == 1)
    if (pixels <= 0x1p24) return run(Widened<T, std::uint32_t>{}, std::uint32_t{}, 1.0);
  withWideWords(image, pixels, [&](const auto& element, double unit) { run(element, std::uint64_t{}, unit); });
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
