#include "app/render/image_mean.h"

#include <chrono>
#include <random>
#include <thread>

#include "tests/support/lens_fixture.h"

namespace satdof::test {
namespace {

using ImageMeanTest = GlTest;

TEST_F(ImageMeanTest, OfAFrameAlone) {
  const auto uniform = [](float level) {
    return Image(
        {65, 33}, [&] { return glm::vec4(level, 0.0f, 0.0f, 1.0f); }, [] { return 0.1f; });
  };
  const Image dark = uniform(0.25f), bright = uniform(2.0f);
  ImageMean mean;
  for (int i = 0; i < 3; ++i) {
    EXPECT_FLOAT_EQ(mean.update(dark.colourTexture, true).r, 0.25f);
    EXPECT_FLOAT_EQ(mean.update(bright.colourTexture, true).r, 2.0f);
    mean.update(dark.colourTexture);
  }
}

TEST_F(ImageMeanTest, Arrives) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> value(0.0f, 1.0f);
  const Image image(
      {640, 360}, [&] { return glm::vec4(value(random), 3.0f, 0.0f, 1.0f); }, [] { return 0.1f; });
  ImageMean mean;
  glm::vec4 got = mean.update(image.colourTexture);
  for (int i = 0; i < 1000 && got == glm::vec4(0.0f); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    got = mean.update(image.colourTexture);
  }
  EXPECT_NEAR(got.r, 0.5f, 0.05f);
  EXPECT_FLOAT_EQ(got.g, 3.0f);
  EXPECT_EQ(got.b, 0.0f);
  EXPECT_FLOAT_EQ(got.a, 1.0f);
}

}  // namespace
}  // namespace satdof::test
