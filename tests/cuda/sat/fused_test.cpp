#include <cmath>
#include <cstdint>
#include <functional>
#include <tuple>

#include "cuda/sat/fused.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/image.h"
#include "tests/support/same_bits.h"

namespace satdof::cuda {

namespace {

struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{1, 1},     {1, 33},    {33, 1},      {3, 5},     {17, 65},    {128, 48},
                           {255, 257}, {641, 479}, {1920, 1080}, {4099, 37}, {130, 5003}, {3840, 2160}};

const Quantisation kQuantisation{256.0f, 3.0f, {0.5f, 1.0f, 1.5f, 1.75f}};

// The table by its recurrence, in `Sum`.
template <class Sum>
std::vector<Sum> tableOf(const std::vector<Sum>& elements, Size size) {
  std::vector<Sum> table(elements.size());
  for (int y = 0; y < size.height; ++y) {
    Sum row[4] = {};
    for (int x = 0; x < size.width; ++x)
      for (int c = 0; c < 4; ++c) {
        const std::size_t i = (std::size_t{1} * y * size.width + x) * 4 + c;
        row[c] += elements[i];
        table[i] = row[c] + (y > 0 ? table[i - std::size_t{4} * size.width] : Sum{0});
      }
  }
  return table;
}

std::vector<uint64_t> integersOf(const std::vector<Half4>& image) {
  std::vector<uint64_t> elements;
  for (const Half4& pixel : image)
    for (const __half& c : pixel.c)
      elements.push_back(glsl::quantise(__half2float(c), kQuantisation.scale, kQuantisation.ceiling));
  return elements;
}
std::vector<uint64_t> integersOf(const std::vector<uint4>& image) {
  std::vector<uint64_t> elements;
  for (const uint4& pixel : image) elements.insert(elements.end(), {pixel.x, pixel.y, pixel.z, pixel.w});
  return elements;
}
std::vector<double> floatsOf(const std::vector<Half4>& image) {
  std::vector<double> elements;
  for (const Half4& pixel : image)
    for (int c = 0; c < 4; ++c) elements.push_back(__half2float(pixel.c[c]) - kQuantisation.mean[c]);
  return elements;
}

std::vector<uint4> expectedIntegers(const std::vector<uint64_t>& elements, Size size) {
  const std::vector<uint64_t> table = tableOf(elements, size);
  std::vector<uint4> result(table.size() / 4);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = {static_cast<unsigned>(table[4 * i]), static_cast<unsigned>(table[4 * i + 1]),
                 static_cast<unsigned>(table[4 * i + 2]), static_cast<unsigned>(table[4 * i + 3])};
  return result;
}

void expectEqual(const std::vector<uint4>& table, const std::vector<uint4>& expected, Size size) {
  if (test::sameBits(table, expected)) return;
  std::size_t wrong = 0, first = table.size();
  for (std::size_t i = 0; i < table.size(); ++i)
    if (std::memcmp(&table[i], &expected[i], sizeof(uint4)) != 0) {
      ++wrong;
      first = std::min(first, i);
    }
  ADD_FAILURE() << wrong << " of " << table.size() << " elements differ, first (" << first % size.width << ", "
                << first / size.width << "): " << table[first].x << " for " << expected[first].x;
}

// An element passes through at most D roundings, D = 2 (tilesX + tilesY) + 64 for tiles of 32x64 pixels or
// more: two for every tile that a carry crosses, and fewer than 64 inside tiles. So the error is at most D u
// / (1 - D u) times the sum of the absolute elements, u = 2^-24.
void expectWithinBound(const std::vector<float4>& table, const std::vector<double>& elements, Size size) {
  std::vector<double> magnitudes(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) magnitudes[i] = std::abs(elements[i]);
  const std::vector<double> exact = tableOf(elements, size), bound = tableOf(magnitudes, size);
  const double roundings = 2.0 * (size.width / 32 + size.height / 64 + 2) + 64;
  const double perUnit = roundings * std::ldexp(1, -24) / (1 - roundings * std::ldexp(1, -24));
  std::size_t wrong = 0;
  double largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double error = std::abs((&table[i / 4].x)[i % 4] - exact[i]);
    largest = std::max(largest, error / (perUnit * bound[i] + 1e-30));
    if (!(error <= perUnit * bound[i])) ++wrong;
  }
  EXPECT_EQ(wrong, 0u) << "of " << exact.size() << " sums; the largest error is " << largest << " of the bound";
}

const char* nameOf(FusedShape shape) {
  constexpr const char* kNames[] = {"Small", "Medium", "Large"};
  return kNames[static_cast<int>(shape)];
}

using Parameters = std::tuple<FusedShape, Size>;

std::string nameOf(const testing::TestParamInfo<Parameters>& parameters) {
  const auto& [shape, size] = parameters.param;
  return nameOf(shape) + std::to_string(size.width) + "x" + std::to_string(size.height);
}

class FusedTable : public GpuTest<testing::TestWithParam<Parameters>> {
 protected:
  Size size() const { return std::get<1>(GetParam()); }
  std::size_t pixels() const { return std::size_t{1} * size().width * size().height; }
  std::unique_ptr<TableBuilder> make(ElementType type) const {
    const auto& [shape, area] = GetParam();
    return makeFusedTableBuilder({area.width, area.height, Scan::fused, type, 256}, shape);
  }

  // Builds the table of each image with one builder, then of the first image again: a build must not depend
  // on earlier builds. In arrays, then in device memory (images of halves stay in arrays).
  template <class Pixel, class Sum>
  void run(ElementType type, ImageFormat format, const std::vector<std::vector<Pixel>>& images,
           const std::function<void(const std::vector<Pixel>&, const std::vector<Sum>&)>& check) {
    for (const bool inMemory : {false, true}) {
      SCOPED_TRACE(inMemory ? "memory" : "array");
      run(type, format, images, check, inMemory);
    }
  }

 private:
  template <class Pixel, class Sum>
  void run(ElementType type, ImageFormat format, const std::vector<std::vector<Pixel>>& images,
           const std::function<void(const std::vector<Pixel>&, const std::vector<Sum>&)>& check, bool inMemory) {
    const auto builder = make(type);
    ASSERT_FALSE(builder->transposed());
    ArrayOf<Pixel> image(size().width, size().height);
    ArrayOf<Sum> table(size().width, size().height);
    const auto build = [&](const std::vector<Pixel>& pixelsOf) {
      image.write(pixelsOf);
      table.poison();
      const PoisonedArray<Pixel> imageRows(pixelsOf);
      const PoisonedArray<Sum> tableRows(pixels());
      const bool rowsIn = inMemory && format == ImageFormat::uint4;
      builder->build(rowsIn ? Texels(reinterpret_cast<Texel*>(imageRows.data())) : Texels(image.get()), format,
                     kQuantisation, inMemory ? Texels(reinterpret_cast<Texel*>(tableRows.data())) : Texels(table.get()),
                     nullptr);
      SATDOF_CUDA(cudaDeviceSynchronize());
      return inMemory ? tableRows.read() : table.read();
    };
    const std::vector<Sum> first = build(images[0]);
    check(images[0], first);
    for (std::size_t i = 1; i < images.size(); ++i) check(images[i], build(images[i]));
    if (type == ElementType::uint32) {
      EXPECT_TRUE(test::sameBits(build(images[0]), first)) << "another run, other bits";
    }
    ASSERT_EQ(builder->stageTimes().size(), 1u);
    EXPECT_GT(builder->stageTimes()[0].timeUs, 0.0f);
  }
};

TEST_P(FusedTable, SumsHalvesExactly) {
  run<Half4, uint4>(ElementType::uint32, ImageFormat::half4, {randomHalves(pixels(), 1), randomHalves(pixels(), 2)},
                    [&](const std::vector<Half4>& image, const std::vector<uint4>& table) {
                      expectEqual(table, expectedIntegers(integersOf(image), size()), size());
                    });
}

TEST_P(FusedTable, SumsIntegersModulo) {
  run<uint4, uint4>(ElementType::uint32, ImageFormat::uint4, {randomIntegers(pixels(), 3), randomIntegers(pixels(), 4)},
                    [&](const std::vector<uint4>& image, const std::vector<uint4>& table) {
                      expectEqual(table, expectedIntegers(integersOf(image), size()), size());
                    });
}

TEST_P(FusedTable, SumsFloatsWithinTheBound) {
  run<Half4, float4>(ElementType::float32, ImageFormat::half4, {randomHalves(pixels(), 5), randomHalves(pixels(), 6)},
                     [&](const std::vector<Half4>& image, const std::vector<float4>& table) {
                       expectWithinBound(table, floatsOf(image), size());
                     });
}

TEST_P(FusedTable, CanBeCapturedInAGraph) {
  const auto builder = make(ElementType::uint32);
  ArrayOf<Half4> image(size().width, size().height);
  ArrayOf<uint4> table(size().width, size().height);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  SATDOF_CUDA(cudaStreamCreate(&stream));
  // The first build creates the surfaces of the arrays, which is not allowed during capture.
  builder->build(image.get(), ImageFormat::half4, kQuantisation, table.get(), stream);
  SATDOF_CUDA(cudaStreamSynchronize(stream));
  SATDOF_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  builder->build(image.get(), ImageFormat::half4, kQuantisation, table.get(), stream);
  SATDOF_CUDA(cudaStreamEndCapture(stream, &graph));
  SATDOF_CUDA(cudaGraphInstantiate(&replay, graph, 0));
  for (const unsigned seed : {7u, 8u}) {
    const std::vector<Half4> halves = randomHalves(pixels(), seed);
    image.write(halves);
    table.poison();
    SATDOF_CUDA(cudaGraphLaunch(replay, stream));
    SATDOF_CUDA(cudaStreamSynchronize(stream));
    expectEqual(table.read(), expectedIntegers(integersOf(halves), size()), size());
  }
  SATDOF_CUDA(cudaGraphExecDestroy(replay));
  SATDOF_CUDA(cudaGraphDestroy(graph));
  SATDOF_CUDA(cudaStreamDestroy(stream));
}

INSTANTIATE_TEST_SUITE_P(All, FusedTable,
                         testing::Combine(testing::ValuesIn(kFusedShapes), testing::ValuesIn(affordable(kSizes))),
                         [](const auto& parameters) { return nameOf(parameters); });

}  // namespace

}  // namespace satdof::cuda
