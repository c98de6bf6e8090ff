#include <limits>

#include "library/src/check.h"
#include "library/src/sum_rows.h"

namespace satdof::cpu {

namespace {

// Writes rows [begin, end) of a vertical strip of the inclusive table. `above`: the row of the table before
// `begin`. `left`: for each row and channel the sum to the left of the strip; updated to include the strip.
template <int C, class W, class Element, class T>
void sumRows(const Element& element, const Image<const T>& strip, const Image<W>& table, int begin, int end,
             const W* above, W* left) {
  vectorised([&]() SATDOF_INLINE {
    const int channels = strip.channels;
    for (int y = begin; y < end; ++y, left += channels) {
      W* const out = table.row(y);
      sumRow<C>(Row{element, strip.row(y)}, channels, static_cast<std::ptrdiff_t>(strip.rowElements()), left, above,
                out);
      above = out;
    }
  });
}

// Integers, whose sums may have any order: the image is cut into bands of rows, one per thread. First, column
// sums of every band but the last; added up and scanned, they are the row of the table above each band. Then
// all bands at once. Cost: almost 2 reads and 1 write per element.
template <int C, class W, class Element, class T>
void sumBands(ThreadPool& pool, const Element& element, const Image<const T>& image, const Image<W>& table) {
  constexpr std::size_t kAlign = 64;
  const std::size_t count = image.rowElements(), channels = static_cast<std::size_t>(image.channels);
  const int bands = std::min(pool.threads(), image.height);
  const auto rowOf = [&](int band) { return static_cast<int>(std::int64_t{image.height} * band / bands); };
  std::vector<W> before(static_cast<std::size_t>(bands) * count);
  if (bands > 1)
    pool.forEach(pool.threads(), [&](int part) {
      const auto columnOf = [&](int i) {
        return i == pool.threads()
                   ? count
                   : count * static_cast<std::size_t>(i) / static_cast<std::size_t>(pool.threads()) / kAlign * kAlign;
      };
      const std::size_t first = columnOf(part), end = columnOf(part + 1);
      for (int band = 1; band < bands; ++band) {
        W* const sums = before.data() + static_cast<std::size_t>(band) * count;
        std::copy(sums + first - count, sums + end - count, sums + first);
        vectorised([&]() SATDOF_INLINE {
          for (int y = rowOf(band - 1); y < rowOf(band); ++y) {
            const T* const row = image.row(y);
            for (std::size_t i = first; i < end; ++i) sums[i] += element.at(row + i);
          }
        });
      }
    });
  pool.forEach(bands, [&](int band) {
    W* const above = before.data() + static_cast<std::size_t>(band) * count;
    const int begin = rowOf(band), end = rowOf(band + 1);
    std::vector<W> left(static_cast<std::size_t>(end - begin) * channels);
    if (band > 0) {
      const std::vector<W> zeros(count);
      std::vector<W> carry(channels);
      sumRows<C>(Widened<W, W>{}, Image<const W>{above, image.width, 1, image.channels},
                 Image<W>{above, image.width, 1, image.channels}, 0, 1, zeros.data(), carry.data());
    }
    sumRows<C>(element, image, table, begin, end, above, left.data());
  });
}

// Floats, whose sums need one order for any number of threads: the image is cut into vertical strips, one per
// thread. A strip starts each row from the carry of the strip to its left, and follows that strip kBlockRows
// behind. Cost: 1 read, 1 write per element.
template <int C, class W, class Element, class T>
void sumStrips(ThreadPool& pool, const Element& element, const Image<const T>& image, const Image<W>& table) {
  constexpr int kMinPixels = 64, kAlign = 8, kBlockRows = 32;
  const auto channels = static_cast<std::size_t>(image.channels);
  const std::vector<W> zeros(image.rowElements());  // above the first row
  std::vector<W> left(static_cast<std::size_t>(image.height) * channels);
  struct alignas(64) Progress {
    std::atomic<int> rows{0};
  };
  const int strips = std::clamp(image.width / kMinPixels, 1, pool.threads());
  const int stripPixels = ((image.width + strips - 1) / strips + kAlign - 1) / kAlign * kAlign;
  std::vector<Progress> finishedRows(static_cast<std::size_t>(strips));
  const auto run = [&](int strip) {
    const int x = std::min(strip * stripPixels, image.width), width = std::min(stripPixels, image.width - x);
    const std::size_t first = static_cast<std::size_t>(x) * channels;
    const Image<const T> from{image.data + first, width, image.height, image.channels, image.stride};
    const Image<W> to{table.data + first, width, image.height, image.channels, table.stride};
    auto& finished = finishedRows[static_cast<std::size_t>(strip)].rows;
    for (int y = 0; y < image.height;) {
      const int end = y + std::min(kBlockRows, image.height - y);
      if (strip > 0) {
        auto& before = finishedRows[static_cast<std::size_t>(strip - 1)].rows;
        for (int rows = before; rows < end; rows = before) before.wait(rows);
      }
      sumRows<C>(element, from, to, y, end, y == 0 ? zeros.data() : to.row(y - 1),
                 left.data() + static_cast<std::size_t>(y) * channels);
      y = end;
      finished = end;
      finished.notify_one();
    }
  };
  pool.forEach(strips, std::cref(run));
}

template <class W, class Element, class T>
void sumTable(const Element& element, const Image<const T>& image, const Image<W>& table) {
  constexpr std::size_t kShare = sizeof(W) == 4 ? 8 : 2;  // elements that take as long as one element of withPool()
  withPool(image.rowElements() * static_cast<std::size_t>(image.height) / kShare, [&](ThreadPool& pool) {
    withChannels(image.channels, [&](auto channels) {
      if constexpr (std::is_integral_v<W>)
        sumBands<channels>(pool, element, image, table);
      else
        sumStrips<channels>(pool, element, image, table);
    });
  });
}

}  // namespace

template <class W, class Element, class T>
void sumExclusive(const Element& element, const Image<const T>& image, const Image<W>& table) {
  std::fill_n(table.row(0), table.rowElements(), W{0});
  for (int y = 1; y < table.height; ++y) std::fill_n(table.row(y), table.channels, W{0});
  sumTable(element, image,
           Image<W>{table.row(1) + table.channels, image.width, image.height, table.channels, table.stride});
}

void sumInPlace(const Image<std::uint64_t>& table) {
  sumTable(Widened<std::uint64_t, std::uint64_t>{},
           Image<const std::uint64_t>{table.data, table.width, table.height, table.channels, table.stride}, table);
}

namespace {

template <class T, class S>
void requireTable(const Image<const T>& image, const Image<S>& table, Sums sums) {
  requireImage(image, "the image");
  requireSize(table, "the table", image, "the image", sums == Sums::exclusive ? 1 : 0);
}

template <class W, class Element, class T>
void sum(const Element& element, const Image<const T>& image, const Image<W>& table, Sums sums) {
  if (sums == Sums::exclusive)
    sumExclusive(element, image, table);
  else
    sumTable(element, image, table);
}

double pixelsOf(int width, int height) { return static_cast<double>(width) * height; }

}  // namespace

template <class T>
double largest(const Image<const T>& image) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<T> ofRow(static_cast<std::size_t>(image.height));
  withPool(image.rowElements() * ofRow.size(), [&](ThreadPool& pool) {
    pool.forEach(image.height, [&](int y) {
      vectorised([&]() SATDOF_INLINE {
        constexpr std::size_t kLanes = 32 / sizeof(T);
        using Word = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
        using Words [[gnu::vector_size(32)]] = Word;
        constexpr Word kNoSign = std::numeric_limits<Word>::max();
        // Without the sign, floats are ordered like their bits; NaNs are above infinity.
        Words most{};
        const T* const row = image.row(y);
        const std::size_t elements = image.rowElements();
        std::size_t i = 0;
        for (; i + kLanes <= elements; i += kLanes) {
          Words v;
          std::memcpy(&v, row + i, sizeof v);
          v &= kNoSign;
          most = v > most ? v : most;
        }
        Word word = 0;
        for (std::size_t lane = 0; lane < kLanes; ++lane) word = std::max<Word>(word, most[lane]);
        for (; i < elements; ++i) {
          Word v;
          std::memcpy(&v, row + i, sizeof v);
          word = std::max<Word>(word, v & kNoSign);
        }
        std::memcpy(&ofRow[static_cast<std::size_t>(y)], &word, sizeof word);
      });
    });
  });
  double most = 0.0;
  for (const T value : ofRow) {
    if (!std::isfinite(value)) return kInfinity;
    most = std::max(most, static_cast<double>(value));
  }
  return most;
}

template <class T, class S>
void integralImage(Image<const T> image, Image<S> table, Sums sums) {
  requireTable(image, table, sums);
  if constexpr (std::is_integral_v<S>) {
    static_assert(std::is_signed_v<T> == std::is_signed_v<S>);
    const double most = std::is_signed_v<T> ? -static_cast<double>(std::numeric_limits<T>::min())
                                            : static_cast<double>(std::numeric_limits<T>::max());
    const double pixels = pixelsOf(image.width, image.height),
                 limit = static_cast<double>(std::numeric_limits<S>::max());
    require(most * pixels <= limit, "sums of ", image.width, " x ", image.height, " pixels of ", 8 * sizeof(T),
            " bits can exceed ", 8 * sizeof(S), " bits: take a table of 64 bits");
    using W = std::make_unsigned_t<S>;
    sum(Widened<T, W>{}, image,
        Image<W>{reinterpret_cast<W*>(table.data), table.width, table.height, table.channels, table.stride}, sums);
  } else {
    sum(Widened<T, S>{}, image, table, sums);
  }
}

template <class T>
void integralImage(Image<const T> image, double scale, Image<std::int64_t> table, Sums sums) {
  requireTable(image, table, sums);
  require(std::isfinite(scale) && scale > 0.0, "the scale must be positive and finite, not ", scale);
  const double most = largest(image);
  require(std::isfinite(most), "the image has a value that is infinite or not a number");
  const double pixels = pixelsOf(image.width, image.height);
  require(most * scale <= 0x1p51 && most * scale * pixels < 0x1p63, "the scale ", scale,
          " is too large: the largest value is ", most, ", and ", image.width, " x ", image.height,
          " of them allow at most ", std::min(0x1p51, 0x1p62 / pixels) / most);
  using W = std::uint64_t;
  sum(Fixed<T>{scale}, image,
      Image<W>{reinterpret_cast<W*>(table.data), table.width, table.height, table.channels, table.stride}, sums);
}

#define SATDOF_TABLES(T, S32, S64)                                         \
  template void integralImage(Image<const std::T>, Image<std::S32>, Sums); \
  template void integralImage(Image<const std::T>, Image<std::S64>, Sums);
SATDOF_TABLES(uint8_t, uint32_t, uint64_t)
SATDOF_TABLES(int8_t, int32_t, int64_t)
SATDOF_TABLES(uint16_t, uint32_t, uint64_t)
SATDOF_TABLES(int16_t, int32_t, int64_t)
SATDOF_TABLES(uint32_t, uint32_t, uint64_t)
SATDOF_TABLES(int32_t, int32_t, int64_t)
#undef SATDOF_TABLES
#define SATDOF_WIDENED(T, W) \
  template void sumExclusive(const Widened<std::T, std::W>&, const Image<const std::T>&, const Image<std::W>&);
SATDOF_WIDENED(uint8_t, uint32_t)
SATDOF_WIDENED(uint8_t, uint64_t)
SATDOF_WIDENED(int8_t, uint32_t)
SATDOF_WIDENED(int8_t, uint64_t)
SATDOF_WIDENED(uint16_t, uint64_t)
SATDOF_WIDENED(int16_t, uint64_t)
SATDOF_WIDENED(uint32_t, uint64_t)
SATDOF_WIDENED(int32_t, uint64_t)
#undef SATDOF_WIDENED
template void sumExclusive(const Fixed<float>&, const Image<const float>&, const Image<std::uint64_t>&);
template void sumExclusive(const Fixed<double>&, const Image<const double>&, const Image<std::uint64_t>&);
template double largest(const Image<const float>&);
template double largest(const Image<const double>&);
template void integralImage(Image<const float>, Image<double>, Sums);
template void integralImage(Image<const double>, Image<double>, Sums);
template void integralImage(Image<const float>, double, Image<std::int64_t>, Sums);
template void integralImage(Image<const double>, double, Image<std::int64_t>, Sums);

}  // namespace satdof::cpu
