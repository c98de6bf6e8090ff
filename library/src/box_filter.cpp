#include <array>
#include <limits>
#include <memory>

#include "library/src/check.h"
#include "library/src/sum_rows.h"

namespace satdof::cpu {

namespace {

// The sum over [0, k) of a row of `size` pixels that goes on beyond its ends, as weights of two columns of its exclusive table.
struct Edge {
  std::ptrdiff_t first = 0, second = 0;  // columns
  std::int64_t firstWeight = 1, secondWeight = 0;
};

Edge edgeAt(std::int64_t k, std::int64_t size, Border border) {
  if (k >= 0 && k <= size) return {.first = static_cast<std::ptrdiff_t>(k)};
  const auto end = static_cast<std::ptrdiff_t>(size);
  if (border == Border::inside) return {.first = k < 0 ? 0 : end};
  if (border == Border::clamp) {
    if (k < 0) return {.first = 1, .firstWeight = k};
    return {.first = end, .second = end - 1, .firstWeight = k - size + 1, .secondWeight = size - k};
  }
  const std::int64_t period = 2 * size, turns = k >= 0 ? k / period : -((period - 1 - k) / period);
  const std::int64_t rest = k - turns * period;
  if (rest <= size)
    return {.first = end,
            .second = static_cast<std::ptrdiff_t>(rest),
            .firstWeight = 2 * turns,
            .secondWeight = 1};
  return {.first = end,
          .second = static_cast<std::ptrdiff_t>(period - rest),
          .firstWeight = 2 * turns + 2,
          .secondWeight = -1};
}

// The pixels [from, to) of one axis.
struct Span {
  Edge from, to;
  double length;  // inside the image, with Border::inside
};

Span spanAround(int at, int radius, int size, Border border) {
  const std::int64_t from = std::int64_t{at} - radius, to = std::int64_t{at} + radius + 1;
  const bool cut = border == Border::inside;
  return {edgeAt(from, size, border), edgeAt(to, size, border),
          static_cast<double>((cut ? std::min<std::int64_t>(to, size) : to) -
                              (cut ? std::max<std::int64_t>(from, 0) : from))};
}

// Of a radius: whole pixels, and the weight of the pixels at the rim. A radius beyond the image is cut with Border::inside.
struct Reach {
  int whole;
  double rim;
};

Reach reachOf(float radius, int largest) {
  if (radius >= static_cast<float>(largest)) return {largest, 0.0};
  const auto whole = static_cast<int>(radius);
  return {whole, static_cast<double>(radius) - whole};
}

// An exclusive table: words of 32 or 64 bits, modulo their range.
template <class W>
struct Table {
  using Signed = std::make_signed_t<W>;
  const W* data;
  std::ptrdiff_t stride;
  int channels;

  W along(const W* row, const Span& x) const {
    const auto at = [&](const Edge& edge) {
      W sum = row[edge.first * channels] * static_cast<W>(edge.firstWeight);
      if (edge.secondWeight != 0) sum += row[edge.second * channels] * static_cast<W>(edge.secondWeight);
      return sum;
    };
    return at(x.to) - at(x.from);
  }
  W sum(const Span& x, const Span& y, int channel) const {
    const auto at = [&](const Edge& edge) {
      W rows = along(data + edge.first * stride + channel, x) * static_cast<W>(edge.firstWeight);
      if (edge.secondWeight != 0)
        rows += along(data + edge.second * stride + channel, x) * static_cast<W>(edge.secondWeight);
      return rows;
    };
    return at(y.to) - at(y.from);
  }
};

// A sum of elements of type T. Where it cannot reach the highest bit, the conversion of signed words is faster.
template <class T, class W>
SATDOF_INLINE inline double numberOf(W sum) {
  constexpr bool kUnsigned = std::is_unsigned_v<T> && (sizeof(W) == 4 || sizeof(T) == 4);
  return static_cast<double>(static_cast<std::conditional_t<kUnsigned, W, std::make_signed_t<W>>>(sum));
}

template <class T>
SATDOF_INLINE inline T rounded(double mean) {
  return static_cast<T>(std::is_integral_v<T> ? std::nearbyint(mean) : mean);
}

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
    if (reach.whole < margin) return pixelInside(x, y, reach);
    pixel(x, y, reach, spanAround(y, reach.whole, out_.height, border_));
  }

 private:
  void pixel(int x, int y, const Reach& reach, const Span& rows) const {
    const Span columns = spanAround(x, reach.whole, out_.width, border_);
    T* const out = out_.row(y) + std::ptrdiff_t{x} * table_.channels;
    if (reach.rim == 0.0) {
      const double area = columns.length * rows.length;
      for (int c = 0; c < table_.channels; ++c)
        out[c] = rounded<T>(numberOf<T>(table_.sum(columns, rows, c)) / area * unit_);
      return;
    }
    const Span wider = spanAround(x, reach.whole + 1, out_.width, border_);
    const Span higher = spanAround(y, reach.whole + 1, out_.height, border_);
    const Mix mix(reach.rim, columns.length, wider.length, rows.length, higher.length);
    for (int c = 0; c < table_.channels; ++c)
      out[c] = rounded<T>(mix(table_.sum(columns, rows, c), table_.sum(wider, rows, c),
                              table_.sum(columns, higher, c), table_.sum(wider, higher, c)) *
                          unit_);
  }

  // A box that lies inside with a pixel more to either side: four columns of four rows of the table.
  void pixelInside(int x, int y, const Reach& reach) const {
    const std::ptrdiff_t channels = table_.channels, side = 2 * std::ptrdiff_t{reach.whole} + 1;
    const W* rows[4];
    std::ptrdiff_t row = y - reach.whole - 1;
    const std::ptrdiff_t first = (x - reach.whole - 1) * channels;
    for (const W*& corner : rows) {
      corner = table_.data + row * table_.stride + first;
      row += &corner == &rows[1] ? side : 1;
    }
    T* const out = out_.row(y) + std::ptrdiff_t{x} * channels;
    const auto whole = static_cast<double>(side), more = static_cast<double>(side + 2);
    const Mix mix(reach.rim, whole, more, whole, more);
    for (std::ptrdiff_t c = 0; c < channels; ++c) {
      W narrow[4], wide[4];
      for (int i = 0; i < 4; ++i) {
        const W* const at = rows[i] + c;
        narrow[i] = at[(side + 1) * channels] - at[channels];
        wide[i] = at[(side + 2) * channels] - at[0];
      }
      out[c] = rounded<T>(
          mix(narrow[2] - narrow[1], wide[2] - wide[1], narrow[3] - narrow[0], wide[3] - wide[0]) * unit_);
    }
  }

  // The mean of four whole boxes, weighed: of a width and a height, of a pixel more to either side in x, in y, and in both.
  struct Mix {
    Mix(double weight, double width, double wider, double height, double higher)
        : rim(weight),
          body(1.0 - weight),
          area((width * body + wider * rim) * (height * body + higher * rim)) {}
    double operator()(W plain, W wide, W high, W both) const {
      return (body * (body * numberOf<T>(plain) + rim * numberOf<T>(wide)) +
              rim * (body * numberOf<T>(high) + rim * numberOf<T>(both))) /
             area;
    }
    double rim, body, area;
  };

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
  withPool(8 * image.rowElements() * static_cast<std::size_t>(image.height), [&](ThreadPool& pool) {
    pool.forEach(image.height, [&](int y) {
      for (int x = 0; x < image.width; ++x) boxes.pixel(x, y, radius(x, y));
    });
  });
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
        spanAround(static_cast<int>(i / channels), radius, image.width, border).length;
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
    const double height = spanAround(y, radius, image.height, border).length;
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
  requireImage(image, "the image");
  requireSize(out, "the output", image, "the image");
  const double inside = static_cast<double>(image.width) * image.height;
  const double side = 2.0 * std::ceil(static_cast<double>(largestRadius)) + 1.0;
  const double pixels = border == Border::inside ? inside : std::max(inside, side * side);
  if constexpr (std::is_integral_v<T>) {
    if constexpr (sizeof(T) == 1)
      if (pixels <= 0x1p24) return run(Widened<T, std::uint32_t>{}, std::uint32_t{}, 1.0);
    run(Widened<T, std::uint64_t>{}, std::uint64_t{}, 1.0);
  } else {
    const double most = largest(image);
    require(std::isfinite(most), "the image has a value that is infinite or not a number");
    const int bits = std::min(51, 62 - static_cast<int>(std::ceil(std::log2(pixels))));
    // A power of two, so that scaling is exact.
    const int exponent = most == 0.0 ? 0 : std::min(bits - std::ilogb(most) - 1, 1000);
    run(Fixed<T>{std::ldexp(1.0, exponent)}, std::uint64_t{}, std::ldexp(1.0, -exponent));
  }
}

void requireRadius(float radius, Border border) {
  require(radius >= 0.0f, "a radius must be 0 or more, not ", radius);
  require(border == Border::inside || radius <= kMaxRadius, "the radius ", radius, " is above ", kMaxRadius,
          ", the most with this border");
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
  requireSize(radius, "the radius", image, "the image", 0, false);
  std::vector<std::array<float, 2>> ofRow(static_cast<std::size_t>(image.height));
  withPool(image.rowElements() * ofRow.size(), [&](ThreadPool& pool) {
    pool.forEach(image.height, [&](int y) {
      float least = 0.0f, most = 0.0f;
      for (int x = 0; x < image.width; ++x) {
        const float r = radius.row(y)[x];
        if (!(r >= 0.0f)) least = r;
        most = std::max(most, r);
      }
      ofRow[static_cast<std::size_t>(y)] = {least, most};
    });
  });
  float most = 0.0f;
  for (const auto& [least, largest] : ofRow) {
    requireRadius(least, border);
    most = std::max(most, largest);
  }
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
