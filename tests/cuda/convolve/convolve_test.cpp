#include "cuda/convolve/convolve.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "tests/cuda/gpu_test.h"
#include "tests/cuda/image.h"
#include "tests/device/primitives_reference.h"
#include "tests/support/same_bits.h"

namespace satdof::cuda {

namespace {

struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{1, 1}, {1, 7}, {7, 1}, {31, 33}, {64, 16}, {257, 129}, {1000, 1}, {100003, 1}};
constexpr Size kMasks[] = {{1, 1}, {3, 3}, {5, 5}, {31, 31}, {63, 63}, {63, 1}, {1, 63}, {3, 5}, {9, 1}};

template <class T>
Mask<T> randomMask(Size size, unsigned seed) {
  return {size.width, size.height,
          test::randomElements<T>(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height), seed)};
}

template <class T>
test::Convolved<T> convolve(Size size, const std::vector<T>& input, const Mask<T>& mask) {
  return test::convolved(size.width, size.height, 1, input, mask);
}

// Rounding errors of n sums of one fused product each: at most n 2^-24 of the magnitudes.
double roundingOf(int products, double magnitude) { return products * 0x1p-24 * magnitude + 1e-30; }

class ConvolveTest : public GpuTest<testing::TestWithParam<std::tuple<ConvolveInfo, Size>>> {
 protected:
  static Convolve variant() { return std::get<0>(GetParam()).value; }
  static Size size() { return std::get<1>(GetParam()); }
  static Extent extent() { return {size().width, size().height}; }
  static std::size_t elements() {
    return static_cast<std::size_t>(size().width) * static_cast<std::size_t>(size().height);
  }
  // Masks whose products with every element take less than a second of the processor's time.
  static std::vector<Size> masks() {
    std::vector<Size> chosen;
    for (const Size mask : kMasks)
      if (elements() * static_cast<std::size_t>(mask.width * mask.height) < 40'000'000) chosen.push_back(mask);
    return chosen;
  }

  template <class T>
  static std::vector<T> run(Convolve how, const std::vector<T>& input, const MaskPasses<T>& passes) {
    const auto convolver = makeConvolver<T>(how, extent(), passes);
    const PoisonedArray<T> in(input);
    std::vector<T> first;
    for (int repeat = 0; repeat < 2; ++repeat) {
      const PoisonedArray<T> out(input.size());
      convolver->run(in.data(), out.data(), nullptr);
      const std::vector<T> found = out.read();
      EXPECT_TRUE(repeat == 0 || found == first) << "the second run differs";
      first = found;
    }
    EXPECT_TRUE(in.read() == input) << "the input changed";
    return first;
  }
};

TEST_P(ConvolveTest, IntegersAreExact) {
  const auto input = test::randomElements<std::int32_t>(elements(), 1);
  for (const Size shape : masks()) {
    SCOPED_TRACE(testing::Message() << "mask " << shape.width << "x" << shape.height);
    // At most 63^2 100 20: far below 2^31.
    auto mask = randomMask<std::int32_t>(shape, 2);
    for (auto& weight : mask.weights) weight %= 21;
    const auto found = run<std::int32_t>(variant(), input, {mask});
    const auto expected = convolve(size(), input, mask);
    ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.sums.begin(), expected.sums.end()));
  }
}

TEST_P(ConvolveTest, FloatsAreWithinTheirRounding) {
  const auto input = test::randomElements<float>(elements(), 3);
  for (const Size shape : masks()) {
    SCOPED_TRACE(testing::Message() << "mask " << shape.width << "x" << shape.height);
    const auto mask = randomMask<float>(shape, 4);
    const auto found = run<float>(variant(), input, {mask});
    const auto expected = convolve(size(), input, mask);
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected.sums[i], roundingOf(shape.width * shape.height, expected.magnitudes[i])) << i;
  }
}

TEST_P(ConvolveTest, EveryVariantGivesTheSameBits) {
  const auto input = test::randomElements<float>(elements(), 5);
  for (const Size shape : masks()) {
    const auto mask = randomMask<float>(shape, 6);
    EXPECT_TRUE(run<float>(variant(), input, {mask}) == run<float>(Convolve::naive, input, {mask}))
        << shape.width << "x" << shape.height;
  }
}

TEST_P(ConvolveTest, TwoPassesEqualTheProductOfTheirMasks) {
  const auto input = test::randomElements<std::int32_t>(elements(), 7);
  for (const int side : {1, 3, 5, 63}) {
    SCOPED_TRACE(testing::Message() << "mask " << side);
    if (elements() * static_cast<std::size_t>(side * side) > 40'000'000) continue;
    Mask<std::int32_t> row = randomMask<std::int32_t>({side, 1}, 8);
    Mask<std::int32_t> column = randomMask<std::int32_t>({1, side}, 9), product{side, side, {}};
    for (auto* mask : {&row, &column})
      for (auto& weight : mask->weights) weight %= 4;
    for (const auto y : column.weights)
      for (const auto x : row.weights) product.weights.push_back(x * y);
    const auto found = run<std::int32_t>(variant(), input, {row, column});
    const auto expected = convolve(size(), input, product);
    ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.sums.begin(), expected.sums.end()));
  }
}

TEST_P(ConvolveTest, FiltersImages) {
  const std::size_t pixels = elements();
  const auto image = randomHalves(pixels, 10);
  ArrayOf<Half4> in(size().width, size().height);
  ArrayOf<Half4> out(size().width, size().height);
  in.write(image);
  constexpr float kOffset = 0.125f;
  const Mask<float> row{5, 1, {0.1f, -0.3f, 0.9f, 0.4f, 0.2f}}, column{1, 3, {0.5f, 1.0f, -0.25f}};
  Mask<float> product{5, 3, {}};
  for (const float y : column.weights)
    for (const float x : row.weights) product.weights.push_back(x * y);
  std::vector<MaskPasses<float>> all = {{product}, {row, column}, {row}, {column}};
  if (elements() < 40000) all.push_back({randomMask<float>({63, 63}, 11)});
  for (const MaskPasses<float>& passes : all) {
    const Mask<float>& mask = passes.size() == 2 ? product : passes[0];
    out.poison();
    const auto filter = makeImageConvolver(variant(), extent(), passes, kOffset);
    filter->run(in.get(), out.get(), nullptr);
    SATDOF_CUDA(cudaDeviceSynchronize());
    EXPECT_EQ(filter->stageTimes().size(), 1u);
    const auto found = out.read();
    for (int c = 0; c < 3; ++c) {
      std::vector<float> channel;
      for (const Half4& pixel : image) channel.push_back(__half2float(pixel.c[c]));
      const auto expected = convolve(size(), channel, mask);
      for (std::size_t i = 0; i < pixels; ++i) {
        const double value = expected.sums[i] + double{kOffset};
        ASSERT_NEAR(__half2float(found[i].c[c]), value,
                    0x1p-11 * std::abs(value) + 0x1p-25 +
                        roundingOf(2 * static_cast<int>(mask.weights.size()), expected.magnitudes[i] + 1))
            << i << " channel " << c;
      }
    }
    for (std::size_t i = 0; i < pixels; ++i)
      ASSERT_EQ(__half2float(found[i].c[3]), __half2float(image[i].c[3])) << "alpha of " << i;
  }
}

TEST_P(ConvolveTest, TheIdentityLeavesEveryBit) {
  const auto image = randomHalves(elements(), 12);
  ArrayOf<Half4> in(size().width, size().height);
  ArrayOf<Half4> out(size().width, size().height);
  in.write(image);
  for (const int side : {1, 3, 63}) {
    if (side == 63 && elements() > 40000) continue;
    Mask<float> direct{side, side, std::vector<float>(static_cast<std::size_t>(side * side))};
    Mask<float> row{side, 1, std::vector<float>(static_cast<std::size_t>(side))}, column{1, side, row.weights};
    direct.weights[static_cast<std::size_t>(side * side / 2)] = 1;
    row.weights[static_cast<std::size_t>(side / 2)] = column.weights[static_cast<std::size_t>(side / 2)] = 1;
    for (const MaskPasses<float>& passes : {MaskPasses<float>{direct}, MaskPasses<float>{row, column}}) {
      out.poison();
      const auto filter = makeImageConvolver(variant(), extent(), passes, 0);
      filter->run(in.get(), out.get(), nullptr);
      EXPECT_TRUE(test::sameBits(out.read(), image)) << side;
    }
  }
}

std::vector<Size> affordableSizes() { return affordable(kSizes); }

INSTANTIATE_TEST_SUITE_P(Variants, ConvolveTest,
                         testing::Combine(testing::ValuesIn(kConvolves), testing::ValuesIn(affordableSizes())),
                         [](const auto& test) {
                           const Size size = std::get<1>(test.param);
                           return testName(std::get<0>(test.param).name) + "_" + std::to_string(size.width) + "x" +
                                  std::to_string(size.height);
                         });

// Two objects with different masks on two streams: neither reads the other's mask.
TEST(ConvolveMasks, ObjectsOnTwoStreamsKeepTheirMasks) {
  if (!device().available) GTEST_SKIP() << device().reason;
  constexpr int kWidth = 33, kHeight = 31, kRuns = 20;
  const Size size{kWidth, kHeight};
  const auto input = test::randomElements<std::int32_t>(std::size_t{kWidth} * kHeight, 13);
  const PoisonedArray<std::int32_t> in(input);
  struct Lane {
    cudaStream_t stream = nullptr;
    Mask<std::int32_t> mask;
    std::unique_ptr<Convolver<std::int32_t>> convolver;
    std::vector<PoisonedArray<std::int32_t>> out;
  } lanes[2];
  for (unsigned i = 0; i < 2; ++i) {
    SATDOF_CUDA(cudaStreamCreateWithFlags(&lanes[i].stream, cudaStreamNonBlocking));
    lanes[i].mask = randomMask<std::int32_t>({7, 7}, 14 + i);
    lanes[i].convolver = makeConvolver<std::int32_t>(Convolve::constant, {kWidth, kHeight}, {lanes[i].mask});
    for (int run = 0; run < kRuns; ++run) lanes[i].out.emplace_back(input.size());
  }
  SATDOF_CUDA(cudaDeviceSynchronize());
  for (int run = 0; run < kRuns; ++run)
    for (Lane& lane : lanes)
      lane.convolver->run(in.data(), lane.out[static_cast<std::size_t>(run)].data(), lane.stream);
  SATDOF_CUDA(cudaDeviceSynchronize());
  for (Lane& lane : lanes) {
    const auto expected = convolve(size, input, lane.mask).sums;
    for (const auto& out : lane.out) {
      const auto found = out.read();
      EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
    }
    cudaStreamDestroy(lane.stream);
  }
}

TEST(ConvolveMasks, MasksThatDoNotFitThrow) {
  if (!device().available) GTEST_SKIP() << device().reason;
  const auto make = [](const MaskPasses<float>& passes) {
    return makeConvolver<float>(Convolve::tiled, {8, 8}, passes);
  };
  EXPECT_NO_THROW(make({Mask<float>{}}));
  EXPECT_NO_THROW(makeConvolver<float>(Convolve::tiled, {0, 1}, {Mask<float>{}})->run(nullptr, nullptr, nullptr));
  EXPECT_THROW(make({}), std::runtime_error);
  EXPECT_THROW(make({Mask<float>{}, Mask<float>{}, Mask<float>{}}), std::runtime_error);
  EXPECT_THROW(make({Mask<float>{2, 1, {1, 1}}}), std::runtime_error);
  EXPECT_THROW(make({Mask<float>{1, 0, {}}}), std::runtime_error);
  EXPECT_THROW(make({Mask<float>{65, 1, std::vector<float>(65)}}), std::runtime_error);
  EXPECT_THROW(make({Mask<float>{3, 3, {1, 2, 3}}}), std::runtime_error);
}

}  // namespace

}  // namespace satdof::cuda
