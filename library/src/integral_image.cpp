#include <limits>

#include "library/src/check.h"
#include "library/src/sum_rows.h"

namespace satdof::cpu {

namespace {

// Writes the inclusive table. The image is cut into vertical strips, one for each thread. A strip starts each row from the carry
// of the strip to its left, and follows that strip a few rows behind. Reads the image once.
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
    auto& finished = finishedRows[static_cast<std::size_t>(strip)].rows;
    for (int y = 0; y < image.height;) {
      const int end = y + std::min(kBlockRows, image.height - y);
      if (strip > 0) {
        auto& before = finishedRows[static_cast<std::size_t>(strip - 1)].rows;
        for (int rows = before; rows < end; rows = before) before.wait(rows);
      }
      vectorised([&]() SATDOF_INLINE {
        for (int row = y; row < end; ++row)
          sumRow<C>(element, image.channels, image.row(row) + first,
                    static_cast<std::ptrdiff_t>(width) * image.channels,
                    left.data() + static_cast<std::size_t>(row) * channels,
                    (row == 0 ? zeros.data() : table.row(row - 1)) + first, table.row(row) + first);
      });
      y = end;
      finished = end;
      finished.notify_one();
    }
  };
  pool.forEach(strips, std::cref(run));
}

template <class W, class Element, class T>
void sumTable(const Element& element, const Image<const T>& image, const Image<W>& table) {
  withPool(image.rowElements() * static_cast<std::size_t>(image.height), [&](ThreadPool& pool) {
    withChannels(image.channels, [&](auto channels) { sumStrips<channels>(pool, element, image, table); });
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
           Image<const std::uint64_t>{table.data, table.width, table.height, table.channels, table.stride},
           table);
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
        // Positive floats are ordered like their bits; NaNs lie above infinity.
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
    require(most * pixels <= limit, "sums of ", image.width, " x ", image.height, " pixels of ",
            8 * sizeof(T), " bits can exceed ", 8 * sizeof(S), " bits: take a table of 64 bits");
    using W = std::make_unsigned_t<S>;
    sum(Widened<T, W>{}, image,
        Image<W>{reinterpret_cast<W*>(table.data), table.width, table.height, table.channels, table.stride},
        sums);
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
      Image<W>{reinterpret_cast<W*>(table.data), table.width, table.height, table.channels, table.stride},
      sums);
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
#define SATDOF_WIDENED(T, W)                                                             \
  template void sumExclusive(const Widened<std::T, std::W>&, const Image<const std::T>&, \
                             const Image<std::W>&);
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
