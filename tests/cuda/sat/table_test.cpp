#include "cuda/sat/table_builder.h"

#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <tuple>
#include <type_traits>

#include "cuda/runtime/surface.h"
#include "cuda/sat/planes.h"
#include "cuda/scan/scan.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/image.h"
#include "tests/support/reason.h"

namespace satdof::cuda {

namespace {

constexpr Quantisation kQuantisation{4096.0f, 16.0f, {0.31f, 0.27f, 0.52f, 1.0f}};

struct Size {
  int width, height;
  std::size_t pixels() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
};

constexpr Size kSizes[] = {{1, 1}, {1, 33}, {33, 1}, {3, 5}, {17, 65}, {640, 480}, {641, 479}, {1920, 1080}};

// A seeded random image of four channels, alpha included, and its elements. Halves reach below 0 and above
// the ceiling.
struct Image {
  Image(Size extent, ImageFormat imageFormat) : size(extent), format(imageFormat) {
    std::mt19937 random(static_cast<unsigned>(size.width * 7919 + size.height));
    for (std::size_t i = 0; i < 4 * size.pixels(); ++i) {
      if (format == ImageFormat::uint4) {
        integers.push_back(static_cast<unsigned>(random()));
        fixed.push_back(integers.back());
        continue;
      }
      const float magnitude = static_cast<float>(random() >> 8) * 0x1p-24f;
      const float v = random() % 64 == 0 ? 40.0f * magnitude - 10.0f : magnitude;
      halves.push_back(__float2half(v));
      const float value = __half2float(halves.back());
      fixed.push_back(glsl::quantise(value, kQuantisation.scale, kQuantisation.ceiling));
      floats.push_back(value - kQuantisation.mean[static_cast<int>(i % 4)]);
    }
  }
  Array sample() const {
    return format == ImageFormat::uint4 ? written<uint4>(integers.data()) : written<Half4>(halves.data());
  }
  template <class T>
  Array written(const void* texels) const {
    ArrayOf<T> array(size.width, size.height);
    array.write(texels);
    return array;
  }

  Size size;
  ImageFormat format;
  std::vector<unsigned> integers;
  std::vector<__half> halves;
  std::vector<unsigned> fixed;
  std::vector<float> floats;
};

// Inclusive sums over [0, x] x [0, y] of the four channels, at 4 * (y * width + x) + channel.
template <class Sum, class T, class Map>
std::vector<Sum> sumTable(const std::vector<T>& elements, Size size, Map map) {
  const std::size_t row = 4 * static_cast<std::size_t>(size.width);
  std::vector<Sum> table(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const bool left = i % row >= 4;
    const bool below = i >= row;
    table[i] = static_cast<Sum>(map(elements[i])) + (left ? table[i - 4] : Sum{0}) + (below ? table[i - row] : Sum{0}) -
               (left && below ? table[i - row - 4] : Sum{0});
  }
  return table;
}

struct Reference {
  explicit Reference(const Image& image)
      : fixed(sumTable<std::uint64_t>(image.fixed, image.size, [](unsigned v) { return v; })),
        exact(sumTable<double>(image.floats, image.size, [](float v) { return v; })),
        magnitude(sumTable<double>(image.floats, image.size, [](float v) { return std::abs(v); })) {}
  std::vector<std::uint64_t> fixed;
  std::vector<double> exact, magnitude;
};

const std::pair<Image, Reference>& imageOf(Size size, ImageFormat format) {
  static std::map<std::tuple<int, int, ImageFormat>, std::pair<Image, Reference>> made;
  const auto key = std::make_tuple(size.width, size.height, format);
  if (const auto known = made.find(key); known != made.end()) return known->second;
  const Image image(size, format);
  return made.emplace(key, std::make_pair(image, Reference(image))).first->second;
}

template <class T>
std::vector<T> buildTable(const TableOptions& options, const Image& image, const Array& sample, TableBuilder& builder) {
  const Size size = builder.transposed() ? Size{options.height, options.width} : image.size;
  ArrayOf<std::conditional_t<std::is_same_v<T, float>, float4, uint4>> table(size.width, size.height);
  table.poison();
  builder.build(sample.get(), image.format, kQuantisation, table.get(), nullptr);
  SATDOF_CUDA(cudaDeviceSynchronize());
  auto texels = table.template read<T>();
  builder.forgetArrays();  // the next table may have the address of this one
  if (!builder.transposed()) return texels;
  std::vector<T> upright(texels.size());
  for (std::size_t i = 0; i < texels.size(); ++i) {
    const std::size_t pixel = i / 4;
    const auto height = static_cast<std::size_t>(options.height);
    const auto width = static_cast<std::size_t>(options.width);
    upright[4 * (pixel % height * width + pixel / height) + i % 4] = texels[i];
  }
  return upright;
}

void expectFixed(const TableOptions& options, ImageFormat format) {
  const auto& [image, reference] = imageOf({options.width, options.height}, format);
  SCOPED_TRACE(std::to_string(options.width) + "x" + std::to_string(options.height) +
               (format == ImageFormat::uint4 ? " uint4" : " half4"));
  const Array sample = image.sample();
  const auto builder = makeTableBuilder(options);
  const auto table = buildTable<unsigned>(options, image, sample, *builder);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < table.size() && wrong < 5; ++i)
    if (table[i] != static_cast<unsigned>(reference.fixed[i])) {
      ++wrong;
      ADD_FAILURE() << "element (" << i / 4 % static_cast<std::size_t>(options.width) << ", "
                    << i / 4 / static_cast<std::size_t>(options.width) << "), channel " << i % 4 << ": " << table[i]
                    << ", expected " << static_cast<unsigned>(reference.fixed[i]);
    }
  EXPECT_EQ(buildTable<unsigned>(options, image, sample, *builder), table) << "the second build differs";
}

// Every element passes through at most d additions. Each of the two scans of n elements has at most 192 + n /
// 512 (see scan_test.cpp); tiles with carries along both axes have no more. So |error| <= d u / (1 - d u) *
// sum |v|, u = 2^-24 (Higham 2002, 4.2).
void expectFloat(const TableOptions& options) {
  const auto& [image, reference] = imageOf({options.width, options.height}, ImageFormat::half4);
  SCOPED_TRACE(std::to_string(options.width) + "x" + std::to_string(options.height) + " float32");
  const Array sample = image.sample();
  const auto builder = makeTableBuilder(options);
  const auto table = buildTable<float>(options, image, sample, *builder);
  const double du = (384 + (options.width + options.height) / 512.0) * 0x1p-24;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < table.size() && wrong < 5; ++i) {
    const double error = std::abs(static_cast<double>(table[i]) - reference.exact[i]);
    if (error <= du / (1 - du) * reference.magnitude[i]) continue;
    ++wrong;
    ADD_FAILURE() << "element (" << i / 4 % static_cast<std::size_t>(options.width) << ", "
                  << i / 4 / static_cast<std::size_t>(options.width) << "), channel " << i % 4 << ": " << table[i]
                  << ", expected " << reference.exact[i];
  }
}

std::string nameOf(Scan scan) {
  for (const ScanInfo& entry : kScans)
    if (entry.value == scan) return testName(entry.name);
  return "unknown";
}

std::vector<Scan> allScans() {
  std::vector<Scan> scans;
  for (const ScanInfo& entry : kScans) scans.push_back(entry.value);
  return scans;
}

class TableTest : public GpuTest<testing::TestWithParam<Scan>> {};

TEST_P(TableTest, Uint32IsExact) {
  for (const Size size : affordable(kSizes))
    for (const ImageFormat format : {ImageFormat::half4, ImageFormat::uint4})
      expectFixed({size.width, size.height, GetParam(), ElementType::uint32}, format);
}

TEST_P(TableTest, Float32StaysWithinTheBound) {
  for (const Size size : affordable(kSizes)) expectFloat({size.width, size.height, GetParam(), ElementType::float32});
}

TEST_P(TableTest, ReportsItsStages) {
  const auto& [image, reference] = imageOf({65, 47}, ImageFormat::half4);
  const TableOptions options{65, 47, GetParam(), ElementType::uint32};
  const auto builder = makeTableBuilder(options);
  EXPECT_TRUE(builder->stageTimes().empty());
  const Array sample = image.sample();
  for (int i = 0; i < 6; ++i) buildTable<unsigned>(options, image, sample, *builder);
  const auto stages = builder->stageTimes();
  ASSERT_FALSE(stages.empty());
  for (const auto& [name, timeUs] : stages) EXPECT_GT(timeUs, 0.0f) << name;
}

INSTANTIATE_TEST_SUITE_P(Variants, TableTest, testing::ValuesIn(allScans()),
                         [](const auto& test) { return nameOf(test.param); });

class LargeTableTest : public GpuTest<> {};

TEST_F(LargeTableTest, FusedIsExactAndWithinTheBoundUpTo8K) {
  constexpr Size kLargeSizes[] = {{3840, 2160}, {7680, 4320}};
  for (const Size size : affordable(kLargeSizes)) {
    expectFixed({size.width, size.height, Scan::fused, ElementType::uint32}, ImageFormat::half4);
    expectFloat({size.width, size.height, Scan::fused, ElementType::float32});
  }
}

class BlockSizeTableTest : public GpuTest<testing::TestWithParam<Scan>> {};

TEST_P(BlockSizeTableTest, EveryBlockSizeIsExact) {
  if (!affordable(641 * 479)) GTEST_SKIP() << "too large for SATDOF_TEST_ELEMENTS";
  for (const int blockSize : kBlockSizes)
    expectFixed({641, 479, GetParam(), ElementType::uint32, blockSize}, ImageFormat::half4);
}

INSTANTIATE_TEST_SUITE_P(Variants, BlockSizeTableTest, testing::ValuesIn([] {
                           std::vector<Scan> scans;
                           for (const ScanInfo& entry : kScans)
                             if (entry.hasBlockSize) scans.push_back(entry.value);
                           return scans;
                         }()),
                         [](const auto& test) { return nameOf(test.param); });

class PlanesTest : public GpuTest<> {};

std::size_t indexOf(const PlaneShape& shape, std::size_t plane, std::size_t x, std::size_t y) {
  return (plane * shape.height + y) * shape.pitch + x;
}

template <class T>
void expectPlanes(const Image& image, ElementType type, const std::vector<T>& elements,
                  const Quantisation& quantisation = kQuantisation, unsigned planeCount = kPlanes) {
  const PlaneShape shape(static_cast<unsigned>(image.size.width), static_cast<unsigned>(image.size.height), planeCount);
  const PoisonedArray<T> planes(shape.elements());
  const Array sample = image.sample();
  const Surface surface(sample.get());
  deinterleave(surface.object(), image.format, type, quantisation, shape, planes.data(), nullptr);
  const auto values = planes.read();
  for (std::size_t y = 0; y < shape.height; ++y)
    for (std::size_t c = 0; c < shape.planes; ++c) {
      for (std::size_t x = 0; x < shape.width; ++x)
        ASSERT_EQ(values[indexOf(shape, c, x, y)], elements[4 * (y * shape.width + x) + c])
            << "(" << x << ", " << y << "), channel " << c;
      for (std::size_t x = shape.width; x < shape.pitch; ++x)
        ASSERT_TRUE(PoisonedArray<T>::isPoison(values[indexOf(shape, c, x, y)])) << "past row " << y;
    }
}

TEST_F(PlanesTest, DeinterleavesExactly) {
  for (const Size size : affordable(kSizes)) {
    SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height));
    const auto& half4 = imageOf(size, ImageFormat::half4).first;
    const auto& uint4 = imageOf(size, ImageFormat::uint4).first;
    expectPlanes(half4, ElementType::uint32, half4.fixed);
    expectPlanes(half4, ElementType::float32, half4.floats);
    expectPlanes(uint4, ElementType::uint32, uint4.fixed);
    expectPlanes(half4, ElementType::float32, half4.floats, kQuantisation, 3);
  }
}

TEST_F(PlanesTest, QuantisesEveryHalfAsTheShadersDo) {
  Image image({128, 128}, ImageFormat::half4);
  for (const Quantisation& quantisation :
       {Quantisation{1.0f, 4.0f}, {256.0f, 3.0f}, {0x1p17f, 64.0f}, {0x1p21f, 4.0f}}) {
    for (std::size_t bits = 0; bits < image.halves.size(); ++bits) {
      __half half{__half_raw{static_cast<unsigned short>(bits)}};
      if (std::isnan(__half2float(half))) half = __float2half(0.0f);
      image.halves[bits] = half;
      image.fixed[bits] = glsl::quantise(__half2float(half), quantisation.scale, quantisation.ceiling);
    }
    expectPlanes(image, ElementType::uint32, image.fixed, quantisation);
  }
}

TEST_F(PlanesTest, FloatsFromAnImageOfIntegersThrow) {
  const auto& image = imageOf({3, 5}, ImageFormat::uint4).first;
  EXPECT_THROW(expectPlanes(image, ElementType::float32, image.floats), std::runtime_error);
}

TEST_F(PlanesTest, TransposesAndInterleavesEveryElement) {
  for (const auto& [size, planeCount] : [] {
         std::vector<std::pair<Size, unsigned>> cases{{{37, 65}, 3}, {{64, 32}, 3}};
         for (const Size each : affordable(kSizes)) cases.emplace_back(each, kPlanes);
         return cases;
       }()) {
    SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height));
    const PlaneShape from(static_cast<unsigned>(size.width), static_cast<unsigned>(size.height), planeCount);
    const PlaneShape to = from.transposed();
    std::mt19937 random(11);
    std::vector<unsigned> values(from.elements());
    for (unsigned& value : values) value = static_cast<unsigned>(random());
    const PoisonedArray<unsigned> in(values), out(to.elements());
    transpose(in.data(), from, out.data(), nullptr);
    const auto transposed = out.read();
    ArrayOf<uint4> sample(size.height, size.width);
    sample.poison();
    const Surface surface(sample.get());
    interleave(out.data(), to, surface.object(), nullptr);
    SATDOF_CUDA(cudaDeviceSynchronize());
    const auto texels = sample.read<unsigned>();
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t y = 0; y < to.height; ++y) {
        for (std::size_t x = 0; x < to.width; ++x) {
          if (c >= to.planes) {
            ASSERT_EQ(texels[4 * (y * to.width + x) + c], 0u) << x << ", " << y;
            continue;
          }
          ASSERT_EQ(transposed[indexOf(to, c, x, y)], values[indexOf(from, c, y, x)]) << x << ", " << y;
          ASSERT_EQ(texels[4 * (y * to.width + x) + c], values[indexOf(from, c, y, x)]) << x << ", " << y;
        }
        for (std::size_t x = to.width; c < to.planes && x < to.pitch; ++x)
          ASSERT_TRUE(PoisonedArray<unsigned>::isPoison(transposed[indexOf(to, c, x, y)])) << "past row " << y;
      }
  }
}

TEST(TableOptionsTest, SizesThatDoNotFitThrow) {
  for (const Size size : {Size{0, 4}, Size{4, -1}, Size{100000, 4}}) {
    const std::string reason = test::reasonOf([&] { makeTableBuilder({size.width, size.height}); });
    const auto named = std::to_string(size.width) + "x" + std::to_string(size.height);
    EXPECT_NE(reason.find(named), reason.npos) << named << ": " << reason;
  }
}

}  // namespace

}  // namespace satdof::cuda
