#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "satdof/cuda.h"
#include "tests/cuda/gpu_test.h"
#include "tests/support/reason.h"

// satdof::cuda beside satdof::cpu.
namespace satdof::cuda {

namespace {

using test::reasonOf;

template <class T>
T randomElement(std::mt19937& random) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(random() | std::uint64_t{random()} << 32);
  else
    return std::ldexp(static_cast<T>(random() >> 8) - static_cast<T>(0x1p23), -23 - static_cast<int>(random() % 8));
}

template <class T>
std::vector<T> randomNumbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T& value : values) value = randomElement<T>(random);
  return values;
}

// The same image on host and device: rows with gaps, bottom row first in memory if `flipped`.
template <class T>
struct Twin {
  Twin(int width, int height, int channels, std::vector<T> values, bool flipped = false)
      : host(std::move(values)), device(host) {
    const std::ptrdiff_t stride = strideOf(width, channels), first = flipped ? (height - 1) * stride : 0;
    onHost = {host.data() + first, width, height, channels, flipped ? -stride : stride};
    onDevice = {device.data() + first, width, height, channels, onHost.stride};
  }
  Twin(int width, int height, int channels, unsigned seed, bool flipped = false)
      : Twin(width, height, channels,
             randomNumbers<T>(static_cast<std::size_t>(strideOf(width, channels) * height), seed), flipped) {}
  static std::ptrdiff_t strideOf(int width, int channels) { return std::ptrdiff_t{width} * channels + 3; }
  static cpu::Image<const T> constant(const cpu::Image<T>& image) {
    return {image.data, image.width, image.height, image.channels, image.stride};
  }
  cpu::Image<const T> hostIn() const { return constant(onHost); }
  cpu::Image<const T> deviceIn() const { return constant(onDevice); }
  void expectEqual(const char* what) const { expectNear(what, 0.0); }
  // Compares all elements, also those in the gaps between rows.
  void expectNear(const char* what, double bound) const {
    const std::vector<T> actual = device.read();
    for (std::size_t i = 0; i < host.size(); ++i)
      if (bound == 0.0 ? std::memcmp(&actual[i], &host[i], sizeof(T)) != 0
                       : !(std::abs(static_cast<double>(actual[i]) - static_cast<double>(host[i])) <= bound)) {
        ADD_FAILURE() << what << ": element " << i << " is " << +actual[i] << " instead of " << +host[i];
        return;
      }
  }

  std::vector<T> host;
  PoisonedArray<T> device;
  cpu::Image<T> onHost, onDevice;
};

struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{1, 1}, {3, 70}, {290, 35}};

class LibraryTest : public GpuTest<> {};

template <class T, class S>
void compareTables(double bound = 0.0) {
  for (const Size size : kSizes)
    for (const int channels : {1, 3, 8}) {
      if (size.width > 3 && channels > 3) continue;
      Twin<T> image(size.width, size.height, channels, 3, channels == 3);
      for (const cpu::Sums sums : {cpu::Sums::inclusive, cpu::Sums::exclusive}) {
        const int more = sums == cpu::Sums::exclusive ? 1 : 0;
        Twin<S> table(size.width + more, size.height + more, channels, 9, channels == 2);
        TablePlan plan(size.width, size.height, channels, sums);
        cpu::integralImage(image.hostIn(), table.onHost, sums);
        for (int run = 0; run < (size.width > 3 ? 1 : 2); ++run) plan.run(image.deviceIn(), table.onDevice, nullptr);
        table.expectNear("table", bound);
      }
    }
}

TEST_F(LibraryTest, IntegerTablesEqualTheProcessor) {
  compareTables<std::uint8_t, std::uint32_t>();
  compareTables<std::int8_t, std::int32_t>();
  compareTables<std::uint16_t, std::uint64_t>();
  compareTables<std::int32_t, std::int64_t>();
}

TEST_F(LibraryTest, TablesOfFloatsAreExactInTheirUnit) {
  // The numbers are multiples of 2^-30: nothing is rounded. The processor sums doubles.
  compareTables<float, double>(1e-9);
  compareTables<double, double>(1e-9);
}

TEST_F(LibraryTest, FixedPointTablesEqualTheProcessor) {
  for (const double scale : {1.0, 1000.0, 0x1p40 / 7}) {
    Twin<float> image(260, 40, 3, 5);
    Twin<std::int64_t> table(260, 40, 3, 6);
    cpu::integralImage(image.hostIn(), scale, table.onHost);
    TablePlan(260, 40, 3).run(image.deviceIn(), scale, table.onDevice, nullptr);
    table.expectEqual("fixed point");
  }
}

template <Window window, class T, class Radius>
void filterOnHost(const cpu::Image<const T>& image, Radius radius, const cpu::Image<T>& out, cpu::Border border) {
  if constexpr (window == Window::box) cpu::boxFilter(image, radius, out, border);
  if constexpr (window == Window::tent) cpu::tentFilter(image, radius, out, border);
  if constexpr (window == Window::disc) cpu::discFilter(image, radius, out, border);
}

Twin<float> randomRadii(int width, int height, float largest) {
  auto values = randomNumbers<float>(static_cast<std::size_t>(Twin<float>::strideOf(width, 1) * height), 8);
  for (float& radius : values) radius = std::abs(radius) * largest;
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] = std::floor(values[i]);
  return {width, height, 1, std::move(values)};
}

template <Window window, class T>
void compareFilters(std::initializer_list<float> radii) {
  for (const cpu::Border border : {cpu::Border::inside, cpu::Border::clamp, cpu::Border::reflect})
    for (const Size size : {Size{1, 1}, Size{61, 21}})
      for (const int channels : {1, 3}) {
        const Twin<T> image(size.width, size.height, channels, 4, channels == 3);
        Twin<T> out(size.width, size.height, channels, 5);
        FilterPlan<window> plan(size.width, size.height, channels, border);
        for (const float radius : radii) {
          filterOnHost<window>(image.hostIn(), radius, out.onHost, border);
          plan.run(image.deviceIn(), radius, out.onDevice, nullptr);
          out.expectEqual("one radius");
        }
        const auto each = randomRadii(size.width, size.height, 20.0f);
        filterOnHost<window>(image.hostIn(), each.hostIn(), out.onHost, border);
        plan.run(image.deviceIn(), each.deviceIn(), out.onDevice, nullptr);
        out.expectEqual("a radius a pixel");
      }
}

TEST_F(LibraryTest, BoxesEqualTheProcessor) {
  compareFilters<Window::box, std::uint8_t>({0.0f, 1.25f, 7.0f, 3000.0f});
  compareFilters<Window::box, std::int16_t>({2.0f, 9.5f});
  compareFilters<Window::box, std::uint32_t>({3.5f, cpu::kMaxRadius});
  compareFilters<Window::box, float>({0.0f, 1.25f, 7.0f, 50.0f});
  compareFilters<Window::box, double>({1.0f, 9.5f});
}

TEST_F(LibraryTest, TentsEqualTheProcessor) {
  compareFilters<Window::tent, std::uint8_t>({0.0f, 1.25f, 7.0f, 3000.0f});
  compareFilters<Window::tent, std::int16_t>({2.0f, 9.5f});
  compareFilters<Window::tent, std::uint32_t>({3.5f, cpu::kMaxTentRadius<std::uint32_t>});
  compareFilters<Window::tent, float>({0.0f, 1.25f, 7.0f, 50.0f, cpu::kMaxTentRadius<float>});
  compareFilters<Window::tent, double>({1.0f, 9.5f});
}

TEST_F(LibraryTest, DiscsEqualTheProcessor) {
  compareFilters<Window::disc, std::uint8_t>({0.0f, 1.25f, 7.0f, 300.0f});
  compareFilters<Window::disc, std::int16_t>({2.0f, 9.5f});
  compareFilters<Window::disc, std::uint32_t>({3.5f});
  compareFilters<Window::disc, float>({0.0f, 1.25f, 7.0f, 50.0f});
  compareFilters<Window::disc, double>({1.0f, 9.5f});
}

template <class T>
void compareScatters(float largest) {
  for (const Size size : {Size{1, 1}, Size{3, 70}, Size{290, 11}})
    for (const int channels : {1, 7}) {
      const Twin<T> image(size.width, size.height, channels, 4, channels == 7);
      const auto radii = randomRadii(size.width, size.height, largest);
      Twin<T> out(size.width, size.height, channels + 1, 5);
      ScatterPlan plan(size.width, size.height, channels);
      cpu::scatter(image.hostIn(), radii.hostIn(), out.onHost);
      for (int run = 0; run < 2; ++run) plan.run(image.deviceIn(), radii.deviceIn(), out.onDevice, nullptr);
      out.expectEqual("a radius a pixel");
      cpu::scatter(image.hostIn(), largest - 0.25f, out.onHost);
      plan.run(image.deviceIn(), largest - 0.25f, out.onDevice, nullptr);
      out.expectEqual("one radius");
    }
}

TEST_F(LibraryTest, ScattersEqualTheProcessor) {
  compareScatters<float>(9.0f);
  compareScatters<double>(40.0f);
}

TEST_F(LibraryTest, WrongValuesGiveTheDocumentedResults) {
  Twin<float> image(40, 9, 1, 2), out(40, 9, 1, 3), radii(40, 9, 1, 4), tented(40, 9, 1, 5), disced(40, 9, 1, 5);
  Twin<double> sums(40, 9, 1, 6);
  const float wrong[] = {-1.0f, std::numeric_limits<float>::quiet_NaN(), 40000.0f};
  std::fill(radii.host.begin(), radii.host.end(), 0.0f);
  radii = Twin<float>(40, 9, 1, radii.host);
  SATDOF_CUDA(cudaMemcpy(radii.device.data(), wrong, sizeof wrong, cudaMemcpyHostToDevice));
  radii.host[2] = cpu::kMaxRadius;
  BoxFilterPlan plan(40, 9, 1, cpu::Border::clamp);
  cpu::boxFilter(image.hostIn(), radii.hostIn(), out.onHost, cpu::Border::clamp);
  plan.run(image.deviceIn(), radii.deviceIn(), out.onDevice, nullptr);
  out.expectEqual("radii of boxes");
  DiscFilterPlan discs(40, 9, 1);
  cpu::discFilter(image.hostIn(), radii.hostIn(), out.onHost);
  discs.run(image.deviceIn(), radii.deviceIn(), out.onDevice, nullptr);
  out.expectEqual("radii of discs");
  radii.host[2] = cpu::kMaxTentRadius<float>;
  TentFilterPlan tents(40, 9, 1, cpu::Border::reflect);
  cpu::tentFilter(image.hostIn(), radii.hostIn(), out.onHost, cpu::Border::reflect);
  tents.run(image.deviceIn(), radii.deviceIn(), out.onDevice, nullptr);
  out.expectEqual("radii of tents");
  const float infinity = std::numeric_limits<float>::infinity();
  SATDOF_CUDA(cudaMemcpy(image.device.data() + 7, &infinity, sizeof infinity, cudaMemcpyHostToDevice));
  plan.run(image.deviceIn(), 1.0f, out.onDevice, nullptr);
  tents.run(image.deviceIn(), 1.0f, tented.onDevice, nullptr);
  discs.run(image.deviceIn(), 1.0f, disced.onDevice, nullptr);
  TablePlan(40, 9, 1).run(image.deviceIn(), sums.onDevice, nullptr);
  const auto means = out.device.read(), underTents = tented.device.read(), ofDiscs = disced.device.read();
  const auto table64 = sums.device.read();
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_TRUE(std::isnan(means[i]) && std::isnan(table64[i])) << i;
    EXPECT_TRUE(std::isnan(underTents[i]) && std::isnan(ofDiscs[i])) << i;
  }
}

// `length`: elements in a row of several tiles.
template <class T, class S>
void compareScans(std::size_t length, double bound = 0.0) {
  for (const cpu::ScanShape shape : {cpu::ScanShape{1, 1, 1},
                                     {1, length, 1},
                                     {2, 1500, 3},
                                     {50, 33, 1},
                                     {19, 40, 5},
                                     {2, 37, 9},
                                     {1, 40, 301},
                                     {3, 0, 1}}) {
    const std::size_t count = shape.outer * shape.length * shape.inner;
    const auto in = randomNumbers<T>(count, 6);
    for (const cpu::Sums sums : {cpu::Sums::inclusive, cpu::Sums::exclusive}) {
      std::vector<S> expected(count);
      cpu::scan(in.data(), expected.data(), shape, sums);
      const PoisonedArray<T> input(in);
      const PoisonedArray<S> output(count);
      ScanPlan plan(shape, sums);
      for (int run = 0; run < 2; ++run) plan.run(input.data(), output.data(), nullptr);
      const auto actual = output.read();
      for (std::size_t i = 0; i < count; ++i)
        if (bound == 0.0)
          ASSERT_EQ(actual[i], expected[i])
              << shape.outer << " x " << shape.length << " x " << shape.inner << ", " << i;
        else
          ASSERT_NEAR(static_cast<double>(actual[i]), static_cast<double>(expected[i]),
                      bound * std::max(1.0, std::abs(static_cast<double>(expected[i]))))
              << i;
    }
  }
}

TEST_F(LibraryTest, ScansEqualTheProcessor) {
  compareScans<std::uint8_t, std::uint64_t>(9001);
  compareScans<std::int16_t, std::int64_t>(2050);
  compareScans<std::int64_t, std::int64_t>(2050);
  compareScans<float, float>(4100, 0x1p-23);
  compareScans<double, double>(2050, 1e-12);
}

TEST_F(LibraryTest, ScansInPlace) {
  for (const cpu::ScanShape shape : {cpu::ScanShape{1, 5001, 1}, {30, 300, 1}, {1, 40, 301}}) {
    const std::size_t count = shape.outer * shape.length * shape.inner;
    auto values = randomNumbers<std::uint64_t>(count, 1);
    const PoisonedArray<std::uint64_t> array(values);
    cpu::scan(values.data(), values.data(), shape, cpu::Sums::exclusive);
    ScanPlan(shape, cpu::Sums::exclusive).run(array.data(), array.data(), nullptr);
    EXPECT_TRUE(array.read() == values);
  }
}

TEST_F(LibraryTest, CompactionsEqualTheProcessor) {
  for (const std::size_t count : {0u, 1u, 2049u, 5003u})
    for (const std::size_t bytes : {1u, 2u, 3u, 4u, 8u, 12u, 16u})
      for (const unsigned percent : {0u, 50u, 100u}) {
        const auto items = randomNumbers<std::uint8_t>(count * bytes + 1, 5);
        auto mask = randomNumbers<std::uint8_t>(count, percent);
        for (auto& flag : mask) flag = flag * 100u < 256u * percent ? flag | 1u : 0;
        const std::size_t offset = percent == 50 ? 1 : 0;  // not aligned
        std::vector<std::uint8_t> expected(count * bytes + 1);
        const std::size_t kept = cpu::compact(items.data() + offset, bytes, mask, expected.data());
        const PoisonedArray<std::uint8_t> input(items), flags(mask), output(kept * bytes);
        const PoisonedArray<std::uint32_t> number(1);
        CompactPlan plan(count, bytes);
        plan.run(input.data() + offset, flags.data(), output.data(), number.data(), nullptr);
        expected.resize(kept * bytes);
        ASSERT_EQ(number.read()[0], kept);
        ASSERT_TRUE(output.read() == expected) << count << " items of " << bytes << ", " << percent;
      }
}

template <class K>
void compareSorts() {
  for (const std::size_t count : {0u, 1u, 100u, 2500u, 9001u}) {
    auto keys = randomNumbers<K>(count, 3);
    for (std::size_t i = 0; i < count; i += 3) keys[i] = keys[i / 2];
    if constexpr (std::is_floating_point_v<K>)
      for (std::size_t i = 0; i + 3 < count; i += 97) {
        keys[i] = std::numeric_limits<K>::infinity();
        keys[i + 1] = K{-0.0f};
        keys[i + 2] = K{0.0f};
        keys[i + 3] = std::copysign(std::numeric_limits<K>::quiet_NaN(), K{-1});
      }
    std::vector<std::uint32_t> expected(count);
    cpu::sortOrder<K>(keys, expected);
    std::vector<K> sorted(count);
    cpu::gather(keys.data(), sizeof(K), count, expected, sorted.data());
    const PoisonedArray<K> input(keys), output(count), taken(count);
    const PoisonedArray<std::uint32_t> order(count);
    SortPlan plan(typeOf<K>(), count);
    plan.run(input.data(), output.data(), nullptr);
    plan.order(input.data(), order.data(), nullptr);
    gather(input.data(), sizeof(K), count, order.data(), count, taken.data(), nullptr);
    ASSERT_TRUE(order.read() == expected) << count;
    for (const auto* const array : {&output, &taken}) {
      const std::vector<K> actual = array->read();
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(std::memcmp(&actual[i], &sorted[i], sizeof(K)), 0)
            << count << " keys, " << i << ": " << +actual[i] << " instead of " << +sorted[i];
    }
  }
}

TEST_F(LibraryTest, SortsEqualTheProcessor) {
  compareSorts<std::uint8_t>();
  compareSorts<std::int16_t>();
  compareSorts<std::uint32_t>();
  compareSorts<std::int64_t>();
  compareSorts<float>();
  compareSorts<double>();
}

// S: element type of the image.
template <class T, class S = T>
void compareConvolutions() {
  for (const int channels : {1, 4})
    for (const auto [width, height] : {Size{1, 1}, Size{45, 19}})
      for (const Size side : {Size{3, 5}, Size{7, 1}}) {
        Twin<S> image(width, height, channels, 2, true);
        Twin<T> out(width, height, channels, 3);
        const cpu::Mask<T> mask{side.width, side.height,
                                randomNumbers<T>(static_cast<std::size_t>(side.width * side.height), 4)};
        const std::ptrdiff_t row = std::ptrdiff_t{width} * channels;
        std::vector<T> dense, convolved(static_cast<std::size_t>(row * height));
        for (int y = 0; y < height; ++y) dense.insert(dense.end(), image.onHost.row(y), image.onHost.row(y) + row);
        cpu::convolve<T>({dense.data(), width, height, channels, row}, mask,
                         {convolved.data(), width, height, channels, row});
        for (int y = 0; y < height; ++y) std::copy_n(convolved.data() + y * row, row, out.onHost.row(y));
        convolve(image.deviceIn(), mask, out.onDevice, nullptr);
        out.expectEqual("convolution");
      }
}

TEST_F(LibraryTest, ConvolutionsEqualTheProcessor) {
  compareConvolutions<float>();
  compareConvolutions<double>();
  compareConvolutions<std::int32_t>();
  compareConvolutions<float, std::uint8_t>();
  compareConvolutions<std::int32_t, std::uint8_t>();
}

TEST_F(LibraryTest, BadArgumentsThrowSentences) {
  Twin<std::uint8_t> image(6, 4, 1, 1);
  Twin<std::uint32_t> table(6, 4, 1, 1);
  Twin<float> floats(6, 4, 1, 1);
  TablePlan plan(6, 4, 1);
  const auto tableOf = [&](const InputImage& in, const OutputImage& out) {
    return reasonOf<std::invalid_argument>([&] { plan.run(in, out, nullptr); });
  };
  EXPECT_EQ(tableOf({Input(nullptr, Type::uint8), 6, 4, 1, 6}, table.onDevice), "the image has no data");
  EXPECT_EQ(tableOf({Input(image.device.data()), 7, 4, 1, 7}, table.onDevice),
            "the image has 7 x 4 pixels of 1 channels instead of 6 x 4 of 1");
  EXPECT_EQ(tableOf({Input(image.device.data()), 6, 4, 1, 5}, table.onDevice),
            "the image has rows of 6 elements, but a stride of 5");
  EXPECT_EQ(tableOf(image.deviceIn(), floats.onDevice), "the table of uint8 cannot be float32");
  EXPECT_EQ(tableOf(floats.deviceIn(), table.onDevice), "the table of floats is float64, not uint32");
  EXPECT_EQ(reasonOf<std::invalid_argument>([] { TablePlan(0, 4, 1); }), "the image is empty: 0 x 4 pixels");
  EXPECT_EQ(reasonOf<std::invalid_argument>([] { TablePlan(4, 4, 9); }),
            "an image has 1 to 8 channels on a device, not 9");
  EXPECT_EQ(reasonOf<std::invalid_argument>([] { TablePlan(1 << 16, 1 << 15, 1); }),
            "the image has 65536 x 32768 pixels of 1 channels: the limit is 2^31 - 1 elements on a device");
  EXPECT_EQ(reasonOf<std::invalid_argument>([] {
              ScanPlan({1 << 20, 1 << 20, 1 << 30});
            }),
            "a scan of 1048576 x 1048576 x 1073741824 elements: the limit is 2^31 - 1");
  ScanPlan scan({1, 24, 1});
  EXPECT_EQ(reasonOf<std::invalid_argument>([&] { scan.run(image.device.data(), table.device.data(), nullptr); }),
            "the scan of uint8 is uint64, not uint32");
  BoxFilterPlan box(6, 4, 1, cpu::Border::clamp);
  EXPECT_EQ(reasonOf<std::invalid_argument>([&] { box.run(image.deviceIn(), -1.0f, image.onDevice, nullptr); }),
            "a radius must be 0 or more, not -1");
  EXPECT_EQ(reasonOf<std::invalid_argument>([&] { box.run(image.deviceIn(), 1.0f, floats.onDevice, nullptr); }),
            "the output is float32, but the image is uint8");
  TentFilterPlan tent(6, 4, 1);
  EXPECT_EQ(reasonOf<std::invalid_argument>([&] { tent.run(floats.deviceIn(), 724.0f, floats.onDevice, nullptr); }),
            "the radius 724 is above 723, the most of a tent over pixels of this type: its sums have 64 bits");
  ScatterPlan scatter(6, 4, 1);
  Twin<float> two(6, 4, 2, 1);
  EXPECT_EQ(
      reasonOf<std::invalid_argument>([&] { scatter.run(image.deviceIn(), floats.deviceIn(), two.onDevice, nullptr); }),
      "cannot scatter an image of uint8: take float32 or float64");
  EXPECT_EQ(reasonOf<std::invalid_argument>(
                [&] { scatter.run(floats.deviceIn(), floats.deviceIn(), floats.onDevice, nullptr); }),
            "the output has 6 x 4 pixels of 1 channels instead of 6 x 4 of 2");
  EXPECT_EQ(reasonOf<std::invalid_argument>([] { ScatterPlan(4, 4, 8); }),
            "a scatter on a device takes 1 to 7 channels, not 8");
  EXPECT_EQ(reasonOf<std::invalid_argument>([] { SortPlan(Type::int8, std::size_t{1} << 31); }),
            "2147483648 keys: the limit is 2^30 on a device");
  EXPECT_EQ(reasonOf<std::invalid_argument>([&] {
              convolve<float>(floats.deviceIn(), {2, 1, {1, 1}}, floats.onDevice, nullptr);
            }),
            "the mask has 2 x 1 weights: give odd sides up to 63");
}

}  // namespace

}  // namespace satdof::cuda
