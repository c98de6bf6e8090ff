#include "app/quality/metrics.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

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

}  // namespace

TEST(Metrics, EqualImagesHaveInfinitePsnrAndUnitSsim) {
  const Pair pair = noisyGradient(1);
  EXPECT_TRUE(std::isinf(satdof::psnr(pair.a, pair.a, pair.size)));
  EXPECT_NEAR(satdof::ssim(pair.a, pair.a, pair.size), 1.0, 1e-12);
}

TEST(Metrics, ConstantDifferenceHasKnownPsnr) {
  const std::vector<float> a(12 * 12 * 3, 0.25f), b(12 * 12 * 3, 0.75f);
  EXPECT_NEAR(satdof::psnr(a, b, {12, 12}), 20 * std::log10(2.0), 1e-9);
}

TEST(Metrics, WrongSizesThrow) {
  const std::vector<float> small(10 * 10 * 3, 0.5f);
  EXPECT_THROW(satdof::ssim(small, small, {10, 10}), std::runtime_error);
  EXPECT_THROW(satdof::psnr(small, small, {10, 11}), std::runtime_error);
}

// The metrics of skimage.metrics for the same images, in double precision.
TEST(Metrics, AgreeWithScikitImage) {
  if (std::system("/usr/bin/python3 -c 'import skimage.metrics' 2> /dev/null") != 0)
    GTEST_SKIP() << "python3-skimage is not installed";
  const Pair pair = noisyGradient(7);
  const auto folder =
      std::filesystem::temp_directory_path() / ("satdof_metrics_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const auto& [file, values] : {std::pair{"a", &pair.a}, std::pair{"b", &pair.b}})
    std::ofstream(folder / file, std::ios::binary)
        .write(reinterpret_cast<const char*>(values->data()),
               static_cast<std::streamsize>(values->size() * sizeof(float)));
  std::ofstream(folder / "metrics.py") << R"(
import numpy, sys
from skimage.metrics import peak_signal_noise_ratio, structural_similarity
a, b = (numpy.fromfile(sys.argv[1] + "/" + f, numpy.float32).reshape(41, 67, 3).astype(float) for f in "ab")
print(peak_signal_noise_ratio(a, b, data_range=1.0))
options = dict(gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=1.0)
try:
    print(structural_similarity(a, b, channel_axis=2, **options))
except TypeError:
    print(structural_similarity(a, b, multichannel=True, **options))
)";
  const auto command = "/usr/bin/python3 " + (folder / "metrics.py").string() + " " + folder.string() +
                       " > " + (folder / "out").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  double expectedPsnr = 0, expectedSsim = 0;
  std::ifstream(folder / "out") >> expectedPsnr >> expectedSsim;
  std::filesystem::remove_all(folder);
  EXPECT_NEAR(satdof::psnr(pair.a, pair.b, pair.size), expectedPsnr, 1e-6);
  EXPECT_NEAR(satdof::ssim(pair.a, pair.b, pair.size), expectedSsim, 1e-6);
}
