#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

#include "satdof/cpu.h"
#include "tests/device/primitives_reference.h"
#include "tests/support/reason.h"

namespace satdof::cpu {

namespace {

using test::reasonOf;

constexpr int kThreads[] = {1, 2, 3, 5, 7};

// Pixels with a gap after each row; `flipped`: the last row first in memory.
template <class T>
struct Pixels {
  Pixels(int width, int height, int channels, bool flipped = false) {
    const std::ptrdiff_t stride = std::ptrdiff_t{width} * channels + 3;
    elements.assign(static_cast<std::size_t>(stride * height), T{77});
    image = {elements.data(), width, height, channels, stride};
    if (flipped) image = {elements.data() + (height - 1) * stride, width, height, channels, -stride};
  }
  Image<const T> view() const { return {image.data, image.width, image.height, image.channels, image.stride}; }
  T& at(int x, int y, int c) const { return image.row(y)[x * image.channels + c]; }
  bool gapsAreUntouched() const {
    for (int y = 0; y < image.height; ++y)
      for (std::ptrdiff_t i = 0; i < 3; ++i)
        if (image.row(y)[static_cast<std::ptrdiff_t>(image.rowElements()) + i] != T{77}) return false;
    return true;
  }
  std::vector<T> elements;
  Image<T> image;
};

template <class T>
T randomElement(std::mt19937& random) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(random());
  else
    return static_cast<T>(random() >> 8) * static_cast<T>(0x1p-23) - T{1};
}

template <class T>
Pixels<T> randomPixels(int width, int height, int channels, unsigned seed, bool flipped = false) {
  std::mt19937 random(seed);
  Pixels<T> pixels(width, height, channels, flipped);
  for (int y = 0; y < height; ++y)
    for (std::size_t i = 0; i < pixels.image.rowElements(); ++i) pixels.image.row(y)[i] = randomElement<T>(random);
  return pixels;
}

struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{1, 1}, {1, 7}, {5, 1}, {13, 9}, {64, 33}, {257, 131}, {1031, 270}};

template <class T>
using Exact = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;

// The sum of the pixels [0, x) x [0, y).
template <class T, class Element>
std::vector<Exact<T>> naiveTable(const Pixels<T>& pixels, const Element& element) {
  const int width = pixels.image.width + 1, height = pixels.image.height + 1;
  const int channels = pixels.image.channels;
  std::vector<Exact<T>> table(static_cast<std::size_t>(width * height * channels));
  const auto at = [&](int x, int y, int c) -> Exact<T>& {
    return table[static_cast<std::size_t>((y * width + x) * channels + c)];
  };
  for (int y = 1; y < height; ++y)
    for (int x = 1; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        at(x, y, c) = at(x - 1, y, c) + at(x, y - 1, c) - at(x - 1, y - 1, c) + element(pixels.at(x - 1, y - 1, c));
  return table;
}

template <class T, class S, class Build>
void compareTable(const Pixels<T>& pixels, const std::vector<Exact<T>>& expected, double bound, const Build& build) {
  const Image<T>& image = pixels.image;
  for (const bool exclusive : {false, true}) {
    const int more = exclusive ? 1 : 0;
    Pixels<S> table(image.width + more, image.height + more, image.channels);
    build(table.image, exclusive ? Sums::exclusive : Sums::inclusive);
    ASSERT_TRUE(table.gapsAreUntouched());
    for (int y = 0; y < table.image.height; ++y)
      for (int x = 0; x < table.image.width; ++x)
        for (int c = 0; c < image.channels; ++c) {
          const int column = x + 1 - more, row = y + 1 - more;
          const auto sum = expected[static_cast<std::size_t>((row * (image.width + 1) + column) * image.channels + c)];
          if (bound == 0.0)
            ASSERT_EQ(static_cast<Exact<T>>(table.at(x, y, c)), sum) << x << ", " << y << ", " << c;
          else
            ASSERT_NEAR(static_cast<double>(table.at(x, y, c)), static_cast<double>(sum), bound) << x << ", " << y;
        }
  }
}

template <class T, class S>
void compareTables() {
  for (const int threads : kThreads) {
    setThreads(threads);
    for (const Size size : kSizes)
      for (const int channels : {1, 2, 3, 4, 5}) {
        if (threads > 3 && channels == 2) continue;
        const int width = size.width, height = size.height;
        SCOPED_TRACE(testing::Message() << width << " x " << height << " x " << channels << ", " << threads
                                        << " threads");
        const auto pixels = randomPixels<T>(width, height, channels, 3, channels == 3);
        const double pixelCount = static_cast<double>(width) * height;
        const bool fits =
            std::is_floating_point_v<T> || std::ldexp(pixelCount, 8 * sizeof(T)) <= std::ldexp(1.0, 8 * sizeof(S) - 1);
        if (!fits) continue;
        // n sums of numbers up to n, each rounded to 2^-53.
        const double bound = std::is_integral_v<T> ? 0.0 : 4.0 * pixelCount * pixelCount * 0x1p-53;
        compareTable<T, S>(pixels, naiveTable(pixels, [](T v) { return static_cast<Exact<T>>(v); }), bound,
                           [&](const Image<S>& table, Sums sums) { integralImage(pixels.view(), table, sums); });
      }
  }
}

TEST(LibraryIntegralImage, IntegersAreExact) {
  compareTables<std::uint8_t, std::uint32_t>();
  compareTables<std::int8_t, std::int32_t>();
  compareTables<std::uint8_t, std::uint64_t>();
  compareTables<std::uint16_t, std::uint32_t>();
  compareTables<std::int16_t, std::int64_t>();
  compareTables<std::uint32_t, std::uint64_t>();
  compareTables<std::int32_t, std::int64_t>();
}

TEST(LibraryIntegralImage, FloatsAreSummedInDouble) {
  compareTables<float, double>();
  compareTables<double, double>();
}

TEST(LibraryIntegralImage, FixedPointIsExactInItsUnits) {
  setThreads(2);
  for (const Size size : kSizes)
    for (const double scale : {1.0, 1000.0, 0x1p40 / 7}) {
      const auto pixels = randomPixels<float>(size.width, size.height, 3, 5);
      compareTable<float, std::int64_t>(
          pixels, naiveTable(pixels, [&](float v) { return std::nearbyint(v * scale); }), 0.0,
          [&](const Image<std::int64_t>& table, Sums sums) { integralImage(pixels.view(), scale, table, sums); });
    }
}

TEST(LibraryIntegralImage, FloatsDoNotDependOnTheThreads) {
  const auto pixels = randomPixels<float>(2049, 511, 1, 9);
  std::vector<Pixels<double>> tables;
  for (const int threads : kThreads) {
    setThreads(threads);
    tables.emplace_back(2049, 511, 1);
    integralImage(pixels.view(), tables.back().image);
    EXPECT_TRUE(tables.back().elements == tables.front().elements) << threads << " threads";
  }
}

TEST(LibraryIntegralImage, LargeTablesAreExact) {
  for (const int threads : {1, 2, 3, 5})
    for (const int channels : {1, 3})
      for (const Sums sums : {Sums::inclusive, Sums::exclusive}) {
        setThreads(threads);
        const int width = channels == 1 ? 1543 : 907, height = channels == 1 ? 1531 : 1021;
        const int more = sums == Sums::exclusive ? 1 : 0;
        Pixels<std::uint8_t> image(width, height, channels);
        for (int y = 0; y < height; ++y)
          for (int i = 0; i < width * channels; ++i)
            image.image.row(y)[i] = static_cast<std::uint8_t>(255 - i % channels);
        Pixels<std::uint32_t> table(width + more, height + more, channels);
        integralImage(image.view(), table.image, sums);
        ASSERT_TRUE(table.gapsAreUntouched());
        for (int y = 0; y < table.image.height; ++y)
          for (int x = 0; x < table.image.width; ++x)
            for (int c = 0; c < channels; ++c)
              ASSERT_EQ(table.at(x, y, c), static_cast<std::uint32_t>((255 - c) * (y + 1 - more) * (x + 1 - more)))
                  << x << ", " << y << ", " << threads << " threads";
      }
}

template <class T>
std::vector<T> numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T& value : values) value = randomElement<T>(random);
  return values;
}

int outside(int k, int size, Border border) {
  if (border == Border::inside) return k < 0 || k >= size ? -1 : k;
  if (border == Border::clamp) return std::clamp(k, 0, size - 1);
  while (k < 0 || k >= size) k = k < 0 ? -1 - k : 2 * size - 1 - k;
  return k;
}

// A window has a filter and the weight of the pixel at offset (i, j), which is 0 beyond floor(radius) + 1.
struct BoxWindow {
  static double weight(int i, int j, double radius) {
    const double rim = radius - std::floor(radius);
    return (std::abs(i) > radius ? rim : 1.0) * (std::abs(j) > radius ? rim : 1.0);
  }
  template <class T, class Radius>
  static void filter(const Image<const T>& image, Radius radius, const Image<T>& out, Border border) {
    boxFilter(image, radius, out, border);
  }
};
struct TentWindow {
  static double weight(int i, int j, double radius) {
    return std::max(0.0, radius + 1.0 - std::abs(i)) * std::max(0.0, radius + 1.0 - std::abs(j));
  }
  template <class T, class Radius>
  static void filter(const Image<const T>& image, Radius radius, const Image<T>& out, Border border) {
    tentFilter(image, radius, out, border);
  }
};
struct DiscWindow {
  static double weight(int i, int j, double radius) {
    const double distance = std::sqrt(i * i + j * j), whole = std::floor(radius);
    return distance <= whole ? 1.0 : distance <= whole + 1.0 ? radius - whole : 0.0;
  }
  template <class T, class Radius>
  static void filter(const Image<const T>& image, Radius radius, const Image<T>& out, Border border) {
    discFilter(image, radius, out, border);
  }
};

// The mean of one window.
template <class Window, class T>
double naiveMean(const Pixels<T>& pixels, int x, int y, int c, double radius, Border border) {
  const int reach = static_cast<int>(radius) + 1;
  std::vector<int> columns, rows;
  for (int i = -reach; i <= reach; ++i) {
    columns.push_back(outside(x + i, pixels.image.width, border));
    rows.push_back(outside(y + i, pixels.image.height, border));
  }
  long double sum = 0.0, area = 0.0;
  for (int j = -reach; j <= reach; ++j)
    for (int i = -reach; i <= reach; ++i) {
      const int column = columns[static_cast<std::size_t>(i + reach)], row = rows[static_cast<std::size_t>(j + reach)];
      if (column < 0 || row < 0) continue;
      const auto weight = static_cast<long double>(Window::weight(i, j, radius));
      sum += weight * static_cast<long double>(pixels.at(column, row, c));
      area += weight;
    }
  return static_cast<double>(sum / area);
}

template <class Window, class T>
void compareMeans(std::initializer_list<float> radii) {
  std::mt19937 random(11);
  for (const Border border : {Border::inside, Border::clamp, Border::reflect})
    for (const Size size : {Size{1, 1}, Size{2, 5}, Size{13, 9}, Size{40, 33}})
      for (const int channels : {1, 3, 4}) {
        const int width = size.width, height = size.height;
        const auto pixels = randomPixels<T>(width, height, channels, 4, channels == 3);
        Pixels<float> each(width, height, 1);
        const auto compare = [&](const Pixels<T>& out, const char* how) {
          ASSERT_TRUE(out.gapsAreUntouched());
          for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
              for (int c = 0; c < channels; ++c) {
                const double radius = static_cast<double>(each.at(x, y, 0));
                const double mean = naiveMean<Window>(pixels, x, y, c, radius, border);
                const bool whole = radius == std::floor(radius);
                const auto actual = static_cast<double>(out.at(x, y, c));
                SCOPED_TRACE(testing::Message() << how << ", " << width << " x " << height << ", border " << int(border)
                                                << ", radius " << radius << " at " << x << ", " << y << ", " << c);
                if constexpr (std::is_floating_point_v<T>)
                  ASSERT_NEAR(actual, mean, sizeof(T) == 4 ? 0x1p-24 + 1e-12 : 1e-12);
                else if (whole && sizeof(T) < 4)
                  ASSERT_EQ(actual, std::nearbyint(mean));
                else  // either neighbour, if the mean is within its rounding of the middle
                  ASSERT_NEAR(actual, mean, 0.5 + 1e-12 * std::abs(mean));
              }
        };
        for (const float radius : radii) {
          for (int y = 0; y < height; ++y) std::fill_n(each.image.row(y), width, radius);
          Pixels<T> out(width, height, channels);
          Window::filter(pixels.view(), radius, out.image, border);
          compare(out, "one radius");
        }
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x)
            each.at(x, y, 0) =
                random() % 2 == 0 ? static_cast<float>(random() % 20) : static_cast<float>(random() >> 8) * 0x1p-21f;
        Pixels<T> out(width, height, channels);
        Window::filter(pixels.view(), each.view(), out.image, border);
        compare(out, "a radius a pixel");
      }
}

template <class Window>
void compareAllMeans() {
  setThreads(2);
  compareMeans<Window, std::uint8_t>({0.0f, 1.0f, 1.25f, 7.0f, 50.0f, 9.5f});
  compareMeans<Window, std::int8_t>({1.0f, 0.75f});
  compareMeans<Window, std::uint16_t>({2.0f, 3.5f});
  compareMeans<Window, std::int16_t>({2.0f, 3.5f});
  compareMeans<Window, std::uint32_t>({2.0f, 3.5f});
  compareMeans<Window, std::int32_t>({2.0f, 3.5f});
  compareMeans<Window, float>({0.0f, 1.0f, 1.25f, 7.0f, 50.0f, 9.5f});
  compareMeans<Window, double>({1.0f, 1.25f, 50.0f});
}

TEST(LibraryBoxFilter, IsTheMeanOfEveryBox) { compareAllMeans<BoxWindow>(); }
TEST(LibraryTentFilter, IsTheMeanUnderEveryTent) { compareAllMeans<TentWindow>(); }
TEST(LibraryDiscFilter, IsTheMeanOfEveryDisc) { compareAllMeans<DiscWindow>(); }

// The filter with one radius equals the filter with a radius for each pixel, at any number of threads.
template <class Window, class T = float>
void compareOneWithEach(int channels = 3) {
  const auto pixels = randomPixels<T>(300, 200, channels, 8);
  for (const Border border : {Border::inside, Border::clamp, Border::reflect})
    for (const float radius : {0.0f, 3.0f, 12.5f, 60.0f}) {
      Pixels<T> each(300, 200, channels);
      Pixels<float> radii(300, 200, 1);
      for (int y = 0; y < 200; ++y) std::fill_n(radii.image.row(y), 300, radius);
      setThreads(3);
      Window::filter(pixels.view(), radii.view(), each.image, border);
      for (const int threads : {1, 2, 5}) {
        setThreads(threads);
        Pixels<T> one(300, 200, channels);
        Window::filter(pixels.view(), radius, one.image, border);
        EXPECT_TRUE(one.elements == each.elements) << radius << ", " << threads << " threads";
      }
    }
}

TEST(LibraryBoxFilter, OneRadiusEqualsThatRadiusInEveryPixel) {
  compareOneWithEach<BoxWindow>();
  compareOneWithEach<BoxWindow, double>(2);
  compareOneWithEach<BoxWindow, std::uint8_t>(1);
  compareOneWithEach<BoxWindow, std::uint8_t>(4);
  compareOneWithEach<BoxWindow, std::int8_t>();
  compareOneWithEach<BoxWindow, std::uint16_t>(1);
  compareOneWithEach<BoxWindow, std::uint32_t>(5);
  compareOneWithEach<BoxWindow, std::int32_t>(1);
}
TEST(LibraryTentFilter, OneRadiusEqualsThatRadiusInEveryPixel) { compareOneWithEach<TentWindow>(); }
TEST(LibraryDiscFilter, OneRadiusEqualsThatRadiusInEveryPixel) { compareOneWithEach<DiscWindow>(); }

// Areas of many widths and heights, odd and even: a rounded product with the inverse of an area would miss halves.
TEST(LibraryBoxFilter, MeansAreRoundedHalfToEven) {
  std::mt19937 random(5);
  for (const int threads : {1, 5})
    for (const Border border : {Border::inside, Border::clamp, Border::reflect})
      for (const int radius : {1, 4, 20}) {
        setThreads(threads);
        const int width = 211, height = threads == 1 ? 60 : 700;
        Pixels<std::int16_t> pixels(width, height, 1), out(width, height, 1);
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) pixels.at(x, y, 0) = static_cast<std::int16_t>(random() % 3 - 1);
        boxFilter(pixels.view(), static_cast<float>(radius), out.image, border);
        ASSERT_TRUE(out.gapsAreUntouched());
        for (int y = 0; y < height; y += threads == 1 ? 1 : 37)
          for (int x = 0; x < width; ++x)
            ASSERT_EQ(out.at(x, y, 0), std::nearbyint(naiveMean<BoxWindow>(pixels, x, y, 0, radius, border)))
                << x << ", " << y << ", radius " << radius << ", border " << int(border);
      }
}

TEST(LibraryBoxFilter, TheLargestRadiusOfTheLargestValuesDoesNotOverflow) {
  constexpr auto kMax = std::numeric_limits<std::uint32_t>::max();
  Pixels<std::uint32_t> pixels(5, 3, 1), out(5, 3, 1);
  Pixels<std::uint8_t> bytes(5, 3, 1), outBytes(5, 3, 1);
  for (int y = 0; y < 3; ++y) std::fill_n(pixels.image.row(y), 5, kMax), std::fill_n(bytes.image.row(y), 5, 255);
  for (const Border border : {Border::clamp, Border::reflect}) {
    boxFilter(pixels.view(), kMaxRadius, out.image, border);
    EXPECT_EQ(out.at(2, 1, 0), kMax);
    boxFilter(bytes.view(), kMaxRadius, outBytes.image, border);
    EXPECT_EQ(outBytes.at(0, 2, 0), 255);
    EXPECT_THROW(boxFilter(pixels.view(), kMaxRadius + 1, out.image, border), std::invalid_argument);
  }
  boxFilter(pixels.view(), std::numeric_limits<float>::infinity(), out.image);
  EXPECT_EQ(out.at(4, 0, 0), kMax);
}

template <class T>
void compareWidestTents(float most) {
  EXPECT_EQ(kMaxTentRadius<T>, most);
  constexpr bool kFloats = std::is_floating_point_v<T>;
  constexpr T kMax = kFloats ? T{1} : std::numeric_limits<T>::max();
  constexpr T kMin = kFloats ? static_cast<T>(-1) : std::numeric_limits<T>::min();
  Pixels<T> pixels(5, 3, 1), out(5, 3, 1);
  for (const Border border : {Border::inside, Border::clamp, Border::reflect})
    for (const T value : {kMax, kMin}) {
      for (int y = 0; y < 3; ++y) std::fill_n(pixels.image.row(y), 5, value);
      for (const float radius : {most, most - 0.5f}) {
        tentFilter(pixels.view(), radius, out.image, border);
        for (int y = 0; y < 3; ++y)
          for (int x = 0; x < 5; ++x) EXPECT_EQ(out.at(x, y, 0), value) << radius;
      }
      EXPECT_THROW(tentFilter(pixels.view(), most + 1, out.image, border), std::invalid_argument);
    }
}

TEST(LibraryTentFilter, TheLargestRadiusOfTheLargestValuesDoesNotOverflow) {
  compareWidestTents<std::uint8_t>(13776.0f);
  compareWidestTents<std::int8_t>(16383.0f);
  compareWidestTents<std::uint16_t>(3443.0f);
  compareWidestTents<std::int16_t>(4095.0f);
  compareWidestTents<std::uint32_t>(214.0f);
  compareWidestTents<std::int32_t>(255.0f);
  compareWidestTents<float>(723.0f);
  compareWidestTents<double>(723.0f);
}

TEST(LibraryTentFilter, SumsMayWrapAroundInTheTable) {
  constexpr int kSide = 1200;  // 2^16 (n / 2)^4 is above 2^64
  Pixels<std::uint16_t> pixels(kSide, kSide, 1), out(kSide, kSide, 1);
  for (int y = 0; y < kSide; ++y) std::fill_n(pixels.image.row(y), kSide, 65535);
  tentFilter(pixels.view(), 40.5f, out.image);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) ASSERT_EQ(out.at(x, y, 0), 65535) << x << ", " << y;
}

TEST(LibraryDiscFilter, ADiscBeyondTheImageIsItsMean) {
  const auto pixels = randomPixels<std::uint16_t>(7, 90, 2, 3);
  Pixels<std::uint16_t> out(7, 90, 2), mean(7, 90, 2);
  boxFilter(pixels.view(), 100.0f, mean.image);
  for (const float radius : {100.0f, 1e9f, std::numeric_limits<float>::infinity()}) {
    discFilter(pixels.view(), radius, out.image);
    EXPECT_TRUE(out.elements == mean.elements) << radius;
  }
  EXPECT_THROW(discFilter(pixels.view(), kMaxRadius + 1, out.image, Border::reflect), std::invalid_argument);
}

template <class Window>
void compareRefusals() {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto floats = randomPixels<float>(6, 4, 1, 1);
  Pixels<float> out(6, 4, 1), radii(6, 4, 1), narrow(5, 4, 1);
  const auto reason = [&](const auto& image, const auto& radius, const auto& to) {
    return reasonOf<std::invalid_argument>([&] { Window::filter(image, radius, to, Border::inside); });
  };
  EXPECT_EQ(reason(floats.view(), kNan, out.image), "a radius must be 0 or more, not nan");
  EXPECT_EQ(reason(floats.view(), -1.0f, out.image), "a radius must be 0 or more, not -1");
  for (int y = 0; y < 4; ++y) std::fill_n(radii.image.row(y), 6, 1.0f);
  EXPECT_EQ(reason(floats.view(), narrow.view(), out.image), "the radius has 5 x 4 pixels, but the image has 6 x 4");
  EXPECT_EQ(reason(floats.view(), radii.view(), narrow.image), "the output has 5 x 4 pixels, but the image has 6 x 4");
  EXPECT_EQ(reason(Image<const float>{}, 1.0f, out.image), "the image has no data");
  EXPECT_EQ(reason(Image<const float>{floats.image.data, 6, 0, 1, 6}, 1.0f, out.image),
            "the image is empty: 6 x 0 pixels of 1 channels");
  radii.at(5, 3, 0) = kNan;
  EXPECT_EQ(reason(floats.view(), radii.view(), out.image), "a radius must be 0 or more, not nan");
  for (const float bad : {kNan, std::numeric_limits<float>::infinity()})
    for (const int x : {0, 5}) {
      auto broken = randomPixels<float>(6, 4, 1, 1);
      broken.at(x, 2, 0) = bad;
      EXPECT_EQ(reason(broken.view(), 1.0f, out.image), "the image has a value that is infinite or not a number");
    }
  for (const float untouched : out.elements) EXPECT_EQ(untouched, 77.0f);
}

TEST(LibraryBoxFilter, RefusesBadArgumentsBeforeItWrites) { compareRefusals<BoxWindow>(); }
TEST(LibraryTentFilter, RefusesBadArgumentsBeforeItWrites) { compareRefusals<TentWindow>(); }
TEST(LibraryDiscFilter, RefusesBadArgumentsBeforeItWrites) { compareRefusals<DiscWindow>(); }

// Brute force: every pixel adds to every other pixel.
template <class T>
void compareScatter(int width, int height, int channels, float largest) {
  SCOPED_TRACE(testing::Message() << width << " x " << height << " x " << channels << ", " << largest);
  std::mt19937 random(7);
  const auto pixels = randomPixels<T>(width, height, channels, 4, channels == 3);
  Pixels<float> radii(width, height, 1);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float radius = largest * static_cast<float>(random() % 1024) / 1024.0f;
      radii.at(x, y, 0) = random() % 2 == 0 ? std::floor(radius) : radius;
    }
  Pixels<double> sums(width, height, channels + 1);
  std::fill(sums.elements.begin(), sums.elements.end(), 0.0);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto radius = static_cast<double>(radii.at(x, y, 0));
      const int reach = static_cast<int>(radius) + 1;
      double area = 0.0;
      for (int j = -reach; j <= reach; ++j)
        for (int i = -reach; i <= reach; ++i) area += DiscWindow::weight(i, j, radius);
      for (int j = std::max(0, y - reach); j <= std::min(height - 1, y + reach); ++j)
        for (int i = std::max(0, x - reach); i <= std::min(width - 1, x + reach); ++i) {
          const double share = DiscWindow::weight(i - x, j - y, radius) / area;
          for (int c = 0; c < channels; ++c) sums.at(i, j, c) += share * static_cast<double>(pixels.at(x, y, c));
          sums.at(i, j, channels) += share;
        }
    }
  std::vector<T> first;
  for (const int threads : {1, 2, 5}) {
    setThreads(threads);
    Pixels<T> out(width, height, channels + 1);
    scatter(pixels.view(), radii.view(), out.image);
    ASSERT_TRUE(out.gapsAreUntouched());
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int c = 0; c <= channels; ++c)
          ASSERT_NEAR(static_cast<double>(out.at(x, y, c)), sums.at(x, y, c), sizeof(T) == 4 ? 0x1p-22 : 1e-11)
              << x << ", " << y << ", " << c << ", " << threads << " threads";
    if (first.empty()) first = out.elements;
    EXPECT_TRUE(first == out.elements) << threads << " threads";
  }
}

TEST(LibraryScatter, IsTheSumOfAllDiscs) {
  for (const float largest : {0.0f, 3.0f, 70.0f})
    for (const Size size : {Size{1, 1}, Size{2, 5}, Size{53, 31}}) {
      compareScatter<float>(size.width, size.height, 3, largest);
      compareScatter<double>(size.width, size.height, 1, largest);
    }
}

TEST(LibraryScatter, OneRadiusSpreadsOnesToTheMiddleEvenly) {
  setThreads(2);
  Pixels<float> image(80, 60, 1), radii(80, 60, 1), out(80, 60, 2);
  for (int y = 0; y < 60; ++y) std::fill_n(image.image.row(y), 80, 0.5f), std::fill_n(radii.image.row(y), 80, 9.25f);
  scatter(image.view(), radii.view(), out.image);
  for (int y = 11; y < 49; ++y)
    for (int x = 11; x < 69; ++x) {
      ASSERT_EQ(out.at(x, y, 0), 0.5f);
      ASSERT_EQ(out.at(x, y, 1), 1.0f);
    }
  Pixels<float> one(80, 60, 2);
  scatter(image.view(), 9.25f, one.image);
  EXPECT_TRUE(one.elements == out.elements);
  EXPECT_LT(out.at(0, 30, 1), 0.6f);
  EXPECT_EQ(out.at(0, 30, 0), out.at(0, 30, 1) / 2.0f);
}

TEST(LibraryScatter, RefusesBadArgumentsBeforeItWrites) {
  const auto image = randomPixels<float>(6, 4, 2, 1);
  Pixels<float> radii(6, 4, 1), out(6, 4, 3), same(6, 4, 2);
  const auto reason = [&](const Image<const float>& from, const Image<float>& to) {
    return reasonOf<std::invalid_argument>([&] { scatter(from, radii.view(), to); });
  };
  EXPECT_EQ(reason(image.view(), same.image), "the output has 2 channels instead of 3");
  EXPECT_EQ(reason({}, out.image), "the image has no data");
  EXPECT_EQ(reasonOf<std::invalid_argument>([&] { scatter(image.view(), 32767.0f, out.image); }),
            "the radius 32767 is above 32766");
  for (const float bad : {-1.0f, std::numeric_limits<float>::quiet_NaN()}) {
    radii.at(2, 1, 0) = bad;
    EXPECT_EQ(reason(image.view(), out.image).substr(0, 32), "a radius must be 0 or more, not ");
  }
  radii.at(2, 1, 0) = kMaxRadius + 1;
  EXPECT_EQ(reason(image.view(), out.image), "the radius 32767 is above 32766");
  radii.at(2, 1, 0) = 1.0f;
  auto broken = image;
  broken.image.data = broken.elements.data();
  broken.at(5, 3, 1) = std::numeric_limits<float>::infinity();
  EXPECT_EQ(reason(broken.view(), out.image), "the image has a value that is infinite or not a number");
  for (const float untouched : out.elements) EXPECT_EQ(untouched, 77.0f);
}

template <class T, class S>
void compareScans() {
  using A = std::conditional_t<std::is_integral_v<T>, std::uint64_t, long double>;
  for (const ScanShape shape :
       {ScanShape{1, 1, 1}, {1, 100003, 1}, {3, 40000, 1}, {1000, 300, 1}, {2, 33, 5}, {1, 90, 3001}, {3, 0, 1}}) {
    const std::size_t count = shape.outer * shape.length * shape.inner;
    const auto in = numbers<T>(count, 6);
    for (const Sums sums : {Sums::inclusive, Sums::exclusive}) {
      std::vector<S> first;
      for (const int threads : kThreads) {
        setThreads(threads);
        std::vector<S> out(count, S{7});
        scan(in.data(), out.data(), shape, sums);
        if (threads > 1) {
          ASSERT_TRUE(out == first) << threads << " threads";
          continue;
        }
        first = out;
        for (std::size_t o = 0; o < shape.outer; ++o)
          for (std::size_t k = 0; k < shape.inner; ++k) {
            A sum = 0;
            for (std::size_t i = 0; i < shape.length; ++i) {
              const std::size_t at = (o * shape.length + i) * shape.inner + k;
              const A before = sum;
              sum += static_cast<A>(in[at]);
              const A expected = sums == Sums::inclusive ? sum : before;
              if constexpr (std::is_integral_v<T>)
                ASSERT_EQ(out[at], static_cast<S>(expected)) << at;
              else  // |sum of n values up to 1| <= n: rounded once to S, and n times to double
                ASSERT_NEAR(static_cast<double>(out[at]), static_cast<double>(expected),
                            std::abs(static_cast<double>(expected)) * (sizeof(S) == 4 ? 0x1p-24 : 0x1p-52) + 2e-9);
            }
          }
      }
    }
  }
}

TEST(LibraryScan, SumsAlongAnyAxis) {
  compareScans<std::uint8_t, std::uint64_t>();
  compareScans<std::int8_t, std::int64_t>();
  compareScans<std::int16_t, std::int64_t>();
  compareScans<std::uint32_t, std::uint64_t>();
  compareScans<std::int64_t, std::int64_t>();
  compareScans<float, float>();
  compareScans<double, double>();
}

TEST(LibraryScan, WorksInPlace) {
  setThreads(3);
  auto values = numbers<std::uint64_t>(300007, 1);
  auto expected = values;
  std::exclusive_scan(expected.begin(), expected.end(), expected.begin(), std::uint64_t{0});
  scan(values.data(), values.data(), {1, values.size(), 1}, Sums::exclusive);
  EXPECT_TRUE(values == expected);
}

TEST(LibraryCompact, KeepsTheMaskedItemsInOrder) {
  for (const int threads : kThreads) {
    setThreads(threads);
    for (const std::size_t count : {0u, 1u, 31u, 32768u, 300007u})
      for (const std::size_t bytes : {1u, 2u, 3u, 4u, 8u, 12u, 16u})
        for (const unsigned percent : {0u, 3u, 50u, 100u}) {
          const auto items = numbers<std::uint8_t>(count * bytes, 5);
          auto mask = numbers<std::uint8_t>(count, percent);
          for (auto& flag : mask) flag = flag * 100u < 256u * percent ? flag | 1u : 0;
          std::vector<std::uint8_t> expected;
          for (std::size_t i = 0; i < count; ++i)
            if (mask[i] != 0) expected.insert(expected.end(), &items[i * bytes], &items[i * bytes] + bytes);
          std::vector<std::uint8_t> out(expected.size() + 9, 0xcd);
          ASSERT_EQ(compact(items.data(), bytes, mask, out.data()) * bytes, expected.size());
          expected.resize(out.size(), 0xcd);
          ASSERT_TRUE(out == expected) << count << " items of " << bytes << ", " << percent << " percent";
        }
  }
}

template <class K>
bool isNan(K key) {
  if constexpr (std::is_floating_point_v<K>) return std::isnan(key);
  return false;
}

template <class K>
void compareSorts() {
  for (const int threads : {1, 3}) {
    setThreads(threads);
    for (const std::size_t count : {0u, 1u, 100u, 70001u, 300007u}) {
      auto keys = numbers<K>(count, 3);
      for (std::size_t i = 0; i < count; i += 3) keys[i] = keys[i / 2];
      // Digits that all keys share cost no move: an even or an odd number of moves, or none.
      if constexpr (std::is_integral_v<K>)
        if (count == 100)
          for (K& key : keys) key = static_cast<K>(key & (threads == 1 ? 0x7f : 0));
      if constexpr (std::is_floating_point_v<K>)
        for (std::size_t i = 0; i + 4 < count; i += 97) {
          keys[i] = std::numeric_limits<K>::infinity();
          keys[i + 1] = K{-0.0f};
          keys[i + 2] = K{0.0f};
          keys[i + 3] = std::copysign(std::numeric_limits<K>::quiet_NaN(), K{-1});
          keys[i + 4] = -std::numeric_limits<K>::infinity();
        }
      std::vector<std::uint32_t> expected(count), order(count);
      std::iota(expected.begin(), expected.end(), 0u);
      std::ranges::stable_sort(expected, [&](std::uint32_t a, std::uint32_t b) {
        return keys[a] < keys[b] || (!isNan(keys[a]) && isNan(keys[b]));
      });
      sortOrder<K>(keys, order);
      ASSERT_TRUE(order == expected) << count;
      std::vector<K> sorted(count);
      gather(keys.data(), sizeof(K), count, order, sorted.data());
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(std::memcmp(&sorted[i], &keys[expected[i]], sizeof(K)), 0) << i;
      std::vector<K> alone(count), both(count);
      std::ranges::fill(order, 0u);
      sort<K>(keys, alone);
      sort<K>(keys, both, order);
      ASSERT_TRUE(order == expected) << count;
      for (const auto& keysOnly : {alone, both})
        ASSERT_TRUE(count == 0 || std::memcmp(keysOnly.data(), sorted.data(), count * sizeof(K)) == 0) << count;
    }
  }
}

TEST(LibrarySort, OrdersLikeAStableSort) {
  compareSorts<std::uint8_t>();
  compareSorts<std::int8_t>();
  compareSorts<std::uint16_t>();
  compareSorts<std::int16_t>();
  compareSorts<std::uint32_t>();
  compareSorts<std::int32_t>();
  compareSorts<std::uint64_t>();
  compareSorts<std::int64_t>();
  compareSorts<float>();
  compareSorts<double>();
}

TEST(LibraryConvolve, AddsTheProductsOfTheMask) {
  setThreads(2);
  for (const int channels : {1, 3})
    for (const auto [width, height] : {Size{1, 1}, Size{13, 9}, Size{300, 120}}) {
      std::vector<double> image = numbers<double>(static_cast<std::size_t>(width * height * channels), 2),
                          out(image.size());
      const Mask<double> mask{3, 5, numbers<double>(15, 4)};
      const std::ptrdiff_t stride = std::ptrdiff_t{width} * channels;
      convolve<double>({image.data(), width, height, channels, stride}, mask,
                       {out.data(), width, height, channels, stride});
      const auto expected = test::convolved(width, height, channels, image, mask);
      for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], expected.sums[i], 30 * 0x1p-53) << i;
    }
}

TEST(Library, CallsFromManyThreadsGiveTheSame) {
  setThreads(3);
  const auto pixels = randomPixels<std::uint8_t>(1033, 711, 3, 1);
  Pixels<std::uint32_t> expected(1033, 711, 3);
  integralImage(pixels.view(), expected.image);
  std::vector<int> wrong(4);
  {
    std::vector<std::jthread> callers;
    for (int& count : wrong)
      callers.emplace_back([&] {
        for (int i = 0; i < 10; ++i) {
          Pixels<std::uint32_t> table(1033, 711, 3);
          integralImage(pixels.view(), table.image);
          count += table.elements != expected.elements;
        }
      });
  }
  EXPECT_EQ(std::accumulate(wrong.begin(), wrong.end(), 0), 0);
}

TEST(Library, BadArgumentsThrowSentences) {
  const auto pixels = randomPixels<std::uint8_t>(6, 4, 1, 1);
  Pixels<std::uint32_t> table(6, 4, 1);
  Pixels<std::uint8_t> out(6, 4, 1);
  const auto tableOf = [&](Image<const std::uint8_t> image, Image<std::uint32_t> to, Sums sums = Sums::inclusive) {
    return reasonOf<std::invalid_argument>([&] { integralImage(image, to, sums); });
  };
  EXPECT_EQ(tableOf({}, table.image), "the image has no data");
  EXPECT_EQ(tableOf({pixels.image.data, 0, 4, 1, 9}, table.image), "the image is empty: 0 x 4 pixels of 1 channels");
  EXPECT_EQ(tableOf({pixels.image.data, 1 << 16, 1 << 15, 1, 1 << 16}, table.image),
            "the image has 65536 x 32768 pixels: the limit is 2^31 - 1");
  EXPECT_EQ(tableOf(pixels.view(), table.image, Sums::exclusive),
            "the table has 6 x 4 pixels, but the image has 6 x 4: give one more column and row");
  Pixels<std::uint32_t> two(6, 4, 2);
  EXPECT_EQ(tableOf(pixels.view(), two.image), "the table has 2 channels instead of 1");
  const auto wide = randomPixels<std::uint16_t>(300, 300, 1, 1);
  Pixels<std::uint32_t> small(300, 300, 1);
  EXPECT_EQ(reasonOf<std::invalid_argument>([&] { integralImage(wide.view(), small.image); }),
            "sums of 300 x 300 pixels of 16 bits can exceed 32 bits: take a table of 64 bits");

  auto floats = randomPixels<float>(6, 4, 1, 1);
  Pixels<std::int64_t> fixed(6, 4, 1);
  EXPECT_NE(
      reasonOf<std::invalid_argument>([&] { integralImage(floats.view(), 0x1p60, fixed.image); }).find("is too large"),
      std::string::npos);
  EXPECT_EQ(reasonOf<std::invalid_argument>([&] { integralImage(floats.view(), 0.0, fixed.image); }),
            "the scale must be positive and finite, not 0");
  const std::uint32_t order[] = {0, 3};
  std::uint32_t items[3] = {}, gathered[2];
  EXPECT_EQ(reasonOf<std::invalid_argument>([&] { gather(items, 4, 3, order, gathered); }),
            "the order names item 3, but there are 3");
  const Mask<float> even{2, 1, {1.0f, 1.0f}};
  std::vector<float> dense(24), result(24);
  EXPECT_EQ(reasonOf<std::invalid_argument>([&] {
              convolve<float>({dense.data(), 6, 4, 1, 6}, even, {result.data(), 6, 4, 1, 6});
            }),
            "the mask has 2 x 1 weights: give odd sides up to 63");
  EXPECT_EQ(reasonOf<std::invalid_argument>([] { setThreads(0); }), "threads must be 1 to 256, not 0");
}

}  // namespace

}  // namespace satdof::cpu
