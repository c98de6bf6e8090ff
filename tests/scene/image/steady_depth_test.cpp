#include "app/scene/image/steady_depth.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace satdof::test {
namespace {

constexpr glm::ivec2 kFrameSize{40, 30};
constexpr std::size_t kFramePixels = 40 * 30;

// A wall of one colour at an inverse distance that flickers by 3 per cent, in front of it a square at `left`.
DepthFrame flickeringWall(unsigned seed, int left) {
  std::mt19937 random(seed);
  std::normal_distribution<float> flicker(1.0f, 0.03f);
  DepthFrame frame{kFrameSize, {}, 2.0f, {}};
  const float times = flicker(random);
  for (int y = 0; y < kFrameSize.y; ++y)
    for (int x = 0; x < kFrameSize.x; ++x) {
      const bool square = x >= left && x < left + 8 && y > 10 && y < 20;
      frame.colours.push_back(square ? glm::u8vec3(200, 40, 40) : glm::u8vec3(90, 100, 110));
      frame.depth.push_back(square ? 0.8f : 0.2f * times * flicker(random));
    }
  return frame;
}

double wallError(const DepthFrame& frame, const std::vector<float>& depth) {
  double sum = 0;
  for (std::size_t i = 0; i < kFramePixels; ++i)
    if (frame.colours[i].r == 90) sum += std::pow(static_cast<double>(depth[i]) - 0.2, 2);
  return std::sqrt(sum / kFramePixels);
}

TEST(SteadyDepth, HalvesTheFlickerAndKeepsMovingObjects) {
  std::vector<DepthFrame> frames;
  for (unsigned i = 0; i < 9; ++i) frames.push_back(flickeringWall(i, 3 * static_cast<int>(i)));
  std::vector<const DepthFrame*> earlier;
  for (std::size_t i = 0; i < 8; ++i) earlier.push_back(&frames[i]);
  ThreadPool threads(2);
  const DepthFrame& last = frames.back();
  const auto steady = steadyDepth(last, earlier, 0.05f, threads);
  double before = 0;
  for (const DepthFrame& frame : frames) before += wallError(frame, frame.depth) / 9.0;
  EXPECT_LT(wallError(last, steady), 0.5 * before);
  for (std::size_t i = 0; i < kFramePixels; ++i)
    if (last.colours[i].r == 200) {
      EXPECT_NEAR(steady[i], 0.8f, 1e-6f);
    } else {
      EXPECT_LT(steady[i], 0.25f) << "no trail";
    }
}

TEST(SteadyDepth, ASurfaceOfTheSameColourThatComesCloserIsNotAveraged) {
  DepthFrame far = flickeringWall(1, 100), near = far;
  for (float& v : near.depth) v *= 3.0f;
  const DepthFrame* const earlier[] = {&far};
  ThreadPool threads(1);
  const auto steady = steadyDepth(near, earlier, 0.05f, threads);
  for (std::size_t i = 0; i < kFramePixels; ++i) EXPECT_NEAR(steady[i], near.depth[i], 1e-5f);
}

TEST(SteadyDepth, NumbersOfOtherUnitsAreOneLength) {
  DepthFrame frame = flickeringWall(1, 100), other = frame;
  other.nearM = 1.0f;
  for (float& v : other.depth) v *= 0.5f;
  const DepthFrame* const earlier[] = {&other};
  ThreadPool threads(1);
  const auto steady = steadyDepth(frame, earlier, 0.05f, threads);
  for (std::size_t i = 0; i < kFramePixels; ++i) EXPECT_NEAR(steady[i], frame.depth[i], 1e-6f);
}

}  // namespace
}  // namespace satdof::test
