#include "app/quality/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

struct Pair {
  glm::ivec2 size{67, 41};
  std::vector<float> a, b;
};

Pair noisyGradient(unsigned seed) {
  Pair pair;
  std::mt19937 random(seed);
  std::normal_distribution<float> noise(0.0f, 0.05f);
  for (int y = 0; y < pair.size.y; ++y)
    for (int x = 0; x < pair.size.x; ++x)
      for (int channel = 0; channel < 3; ++channel) {
        const float value = 0.5f + 0.4f * std::sin(0.1f * static_cast<float>(x * (channel + 1) + 2 * y));
        pair.a.push_back(value);
        pair.b.push_back(std::clamp(value + noise(random), 0.0f, 1.0f));
      }
  return pair;
}

// The numbers that a Python program prints. Its argument is a folder with the images of `pair` as files a and b, 32-bit
// floats.
std::vector<double> printsOf(const std::string& program, const Pair& pair) {
  const test::TemporaryFolder folder;
  for (const auto& [file, values] : {std::pair{"a", &pair.a}, std::pair{"b", &pair.b}})
    folder.write(file, {reinterpret_cast<const char*>(values->data()), values->size() * sizeof(float)});
  const std::string script = folder.write("metrics.py", program), printed = folder.write("out", "");
  const auto command = "/usr/bin/python3 " + script + " " + folder.path().string() + " > " + printed;
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::vector<double> numbers;
  std::ifstream out(printed);
  for (double number = 0; out >> number;) numbers.push_back(number);
  return numbers;
}

bool pythonHas(const std::string& module) {
  return std::system(("/usr/bin/python3 -c 'import " + module + "' 2> /dev/null").c_str()) == 0;
}

TEST(Metrics, EqualImagesHaveInfinitePsnrAndUnitSsim) {
  const Pair pair = noisyGradient(1);
  EXPECT_TRUE(std::isinf(psnr(pair.a, pair.a, pair.size)));
  EXPECT_NEAR(ssim(pair.a, pair.a, pair.size), 1.0, 1e-12);
}

TEST(Metrics, ConstantDifferenceHasKnownPsnr) {
  const std::vector<float> a(12 * 12 * 3, 0.25f), b(12 * 12 * 3, 0.75f);
  EXPECT_NEAR(psnr(a, b, {12, 12}), 20 * std::log10(2.0), 1e-9);
}

TEST(Metrics, WrongSizesThrow) {
  const std::vector<float> small(10 * 10 * 3, 0.5f);
  EXPECT_THROW(ssim(small, small, {10, 10}), std::runtime_error);
  EXPECT_THROW(psnr(small, small, {10, 11}), std::runtime_error);
}

// The metrics of skimage.metrics for the same images, in double precision.
TEST(Metrics, AgreeWithScikitImage) {
  if (!pythonHas("skimage.metrics")) GTEST_SKIP() << "python3-skimage is not installed";
  const Pair pair = noisyGradient(7);
  const auto expected = printsOf(R"(
import numpy, sys
from skimage.metrics import peak_signal_noise_ratio, structural_similarity
a, b = (numpy.fromfile(sys.argv[1] + "/" + f, numpy.float32).reshape(41, 67, 3).astype(float) for f in "ab")
print(peak_signal_noise_ratio(a, b, data_range=1.0))
options = dict(gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=1.0)
try:
    print(structural_similarity(a, b, channel_axis=2, **options))
except TypeError:
    print(structural_similarity(a, b, multichannel=True, **options))
)",
                                 pair);
  ASSERT_EQ(expected.size(), 2u);
  EXPECT_NEAR(psnr(pair.a, pair.b, pair.size), expected[0], 1e-6);
  EXPECT_NEAR(ssim(pair.a, pair.b, pair.size), expected[1], 1e-6);
}

// FLIP is optional: see third_party/CMakeLists.txt.
class Flip : public testing::Test {
 protected:
  void SetUp() override {
    if (!satdof::flip(std::vector<float>(3), std::vector<float>(3), {1, 1})) GTEST_SKIP() << "this build has no FLIP.h";
  }
  static double flip(const std::vector<float>& reference, const std::vector<float>& test, glm::ivec2 size) {
    return satdof::flip(reference, test, size).value();
  }
};

TEST_F(Flip, IsZeroForEqualImages) {
  const Pair pair = noisyGradient(1);
  EXPECT_EQ(flip(pair.a, pair.a, pair.size), 0.0);
}

TEST_F(Flip, IsNearOneForBlackAgainstWhite) {
  const std::vector<float> black(40 * 30 * 3, 0.0f), white(40 * 30 * 3, 1.0f);
  EXPECT_GT(flip(black, white, {40, 30}), 0.9);
  EXPECT_LE(flip(black, white, {40, 30}), 1.0);
}

TEST_F(Flip, GrowsWithTheNoiseAndHardlyDependsOnTheOrder) {
  const Pair pair = noisyGradient(3);
  std::vector<float> between(pair.a.size());
  for (std::size_t i = 0; i < between.size(); ++i) between[i] = 0.5f * (pair.a[i] + pair.b[i]);
  const double error = flip(pair.a, pair.b, pair.size);
  EXPECT_LT(0.0, flip(pair.a, between, pair.size));
  EXPECT_LT(flip(pair.a, between, pair.size), error);
  EXPECT_LT(error, 0.5);
  EXPECT_NEAR(flip(pair.b, pair.a, pair.size), error, 1e-4);
}

TEST_F(Flip, RefusesWrongSizes) {
  const std::vector<float> small(10 * 10 * 3, 0.5f);
  EXPECT_THROW(flip(small, small, {10, 11}), std::runtime_error);
}

TEST_F(Flip, AgreesWithThePythonPackage) {
  if (!pythonHas("flip_evaluator")) GTEST_SKIP() << "the Python package flip-evaluator is not installed";
  const Pair pair = noisyGradient(7);
  const auto expected = printsOf(R"(
import flip_evaluator, numpy, sys
a, b = (numpy.fromfile(sys.argv[1] + "/" + f, numpy.float32).reshape(41, 67, 3) for f in "ab")
print(flip_evaluator.evaluate(a, b, "LDR")[1])
)",
                                 pair);
  ASSERT_EQ(expected.size(), 1u);
  EXPECT_NEAR(flip(pair.a, pair.b, pair.size), expected[0], 1e-3);
}

}  // namespace
}  // namespace satdof
