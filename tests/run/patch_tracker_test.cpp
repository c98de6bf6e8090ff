#include "app/run/film/patch_tracker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/packing.hpp>
#include <random>
#include <vector>

namespace satdof {
namespace {

constexpr glm::ivec2 kFilm{320, 200};

// Noise with bilinear interpolation.
class Texture {
 public:
  explicit Texture(unsigned seed) : random_(seed) {
    for (float& value : values_) value = std::uniform_real_distribution(0.0f, 1.0f)(random_);
  }
  float at(glm::vec2 p) const {
    p = p * 0.3f + 1000.0f;
    const glm::vec2 low = glm::floor(p), part = p - low;
    const auto value = [&](float x, float y) {
      return values_[(static_cast<std::size_t>(x) % 64) * 64 + static_cast<std::size_t>(y) % 64];
    };
    return glm::mix(glm::mix(value(low.x, low.y), value(low.x + 1, low.y), part.x),
                    glm::mix(value(low.x, low.y + 1), value(low.x + 1, low.y + 1), part.x), part.y);
  }

 private:
  std::mt19937 random_;
  std::vector<float> values_ = std::vector<float>(64 * 64);
};

// A textured disc at `disc` in front of a textured wall that moves, both with noise.
GreyImage frameOf(glm::vec2 disc, glm::vec2 wall, float gain, unsigned seed, bool hidden = false) {
  static const Texture ofDisc(1), ofWall(2);
  std::mt19937 random(seed);
  std::normal_distribution noise(0.0f, 0.01f);
  GreyImage image{kFilm, {}};
  for (int y = 0; y < kFilm.y; ++y)
    for (int x = 0; x < kFilm.x; ++x) {
      const glm::vec2 p(x, y);
      const bool inside = !hidden && glm::distance(p, disc) < 20.0f;
      image.values.push_back(gain * (inside ? ofDisc.at(p - disc) : ofWall.at(p - wall)) + noise(random));
    }
  return image;
}

glm::vec2 pathOf(int frame) {
  const float t = 0.2f * static_cast<float>(frame);
  return {160.0f + 110.0f * std::sin(t), 100.0f + 60.0f * std::sin(1.7f * t)};
}

glm::vec2 placeOf(glm::vec2 pixel) { return (pixel + 0.5f) / glm::vec2(kFilm); }

TEST(PatchTracker, FollowsAnObjectInFrontOfAMovingWall) {
  PatchTracker tracker(frameOf(pathOf(0), {0, 0}, 1.0f, 0), placeOf(pathOf(0) + glm::vec2(3, -2)));
  for (int i = 1; i < 36; ++i) {
    const auto time = static_cast<float>(i);
    const glm::vec2 at = tracker.follow(
        frameOf(pathOf(i), glm::vec2(-4.0f, 1.2f) * time, 1.0f - 0.015f * time, static_cast<unsigned>(i)));
    ASSERT_FALSE(tracker.lost()) << i;
    ASSERT_LT(glm::distance(at * glm::vec2(kFilm), pathOf(i) + glm::vec2(3.5f, -1.5f)), 2.0f) << i;
  }
}

TEST(PatchTracker, SaysWhenThePointIsGoneAndFindsItAgain) {
  PatchTracker tracker(frameOf(pathOf(0), {0, 0}, 1.0f, 0), placeOf(pathOf(0)));
  const glm::vec2 before = tracker.follow(frameOf(pathOf(1), {0, 0}, 1.0f, 1));
  for (int i = 2; i < 5; ++i) {
    EXPECT_EQ(tracker.follow(frameOf(pathOf(i), {0, 0}, 1.0f, 2, true)), before);
    EXPECT_TRUE(tracker.lost());
  }
  const glm::vec2 after = tracker.follow(frameOf(pathOf(5), {0, 0}, 1.0f, 5));
  EXPECT_FALSE(tracker.lost());
  EXPECT_LT(glm::distance(after, placeOf(pathOf(5))), 0.01f);
  EXPECT_EQ(tracker.follow(frameOf(pathOf(5) - glm::vec2(90, 0), {0, 0}, 1.0f, 6)), after) << "out of reach";
  EXPECT_TRUE(tracker.lost());
}

TEST(PatchTracker, AFlatPatchCannotBeFollowed) {
  const GreyImage flat{kFilm, std::vector<float>(static_cast<std::size_t>(kFilm.x * kFilm.y), 0.5f)};
  PatchTracker tracker(flat, {0.2f, 0.999f});
  EXPECT_LT(glm::distance(tracker.follow(flat), glm::vec2(0.2f, 0.999f)), 1e-5f);
  EXPECT_TRUE(tracker.lost());
}

TEST(PatchTracker, ShrinksPicturesByMeansOfBlocks) {
  Picture picture{.size = {1500, 5}, .rgba = {}};
  for (int i = 0; i < 1500 * 5; ++i)
    for (int c = 0; c < 4; ++c) picture.rgba.push_back(glm::packHalf1x16(c == 3 ? 1.0f : i % 1500 < 3 ? 0.25f : 1.0f));
  const GreyImage grey = greyOf(picture);
  EXPECT_EQ(grey.size, glm::ivec2(500, 1));
  ASSERT_EQ(grey.values.size(), 500u);
  EXPECT_NEAR(grey.values[0], 0.5f, 1e-3f);
  EXPECT_NEAR(grey.values[1], 1.0f, 1e-3f);
}

}  // namespace
}  // namespace satdof
