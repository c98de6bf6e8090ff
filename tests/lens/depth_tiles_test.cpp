#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "shaders/bokeh/sprite.h"
#include "tests/support/uniform.h"

namespace satdof {
namespace {

// A depth image and the nearest depth of its tiles.
struct Scene {
  glm::ivec2 size;
  std::vector<float> depth, tiles;

  glm::ivec2 tileCount() const { return (size + glsl::kDepthTilePx - 1) / glsl::kDepthTilePx; }
  float& at(glm::ivec2 p) { return depth[static_cast<std::size_t>(p.y * size.x + p.x)]; }
  float depthAt(glm::ivec2 p) const { return depth[static_cast<std::size_t>(p.y * size.x + p.x)]; }
  glm::vec4 depthsAt(glm::ivec2 p) const {
    const auto clamped = [&](int dx, int dy) {
      return depthAt(glm::clamp(p + glm::ivec2(dx, dy), glm::ivec2(0), size - 1));
    };
    return {clamped(0, 0), clamped(1, 0), clamped(0, 1), clamped(1, 1)};
  }
  float tileDepthAt(glm::ivec2 tile) const { return tiles[static_cast<std::size_t>(tile.y * tileCount().x + tile.x)]; }
  void findTiles() {
    tiles.assign(static_cast<std::size_t>(tileCount().x * tileCount().y), 0.0f);
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        float& tile = tiles[static_cast<std::size_t>(y / glsl::kDepthTilePx * tileCount().x + x / glsl::kDepthTilePx)];
        tile = std::max(tile, depthAt({x, y}));
      }
  }
};

}  // namespace

// A far wall with nearer rectangles. Rays of sprites that no tile hides reach every pixel.
TEST(DepthTiles, SpritesThatNoTileHidesReachEveryPixel) {
  test::Uniform uniform(20261122);
  const ThinLens lens{.alpha = -20.0f, .beta = 16.0f};  // radii 16 at infinity, -4 at the nearest depth, 1
  int free = 0, hidden = 0;
  for (int image = 0; image < 40; ++image) {
    Scene scene{{203, 117}, {}, {}};
    scene.depth.assign(static_cast<std::size_t>(scene.size.x * scene.size.y), 0.05f);
    float nearestDepth = 0.05f;
    for (int i = 0; i < 3; ++i) {
      const glm::ivec2 from(uniform(0, 200), uniform(0, 110)),
          to = glm::min(from + static_cast<int>(uniform(1, 9)), scene.size);
      const float depth = uniform(0.1f, 1.0f);
      nearestDepth = std::max(nearestDepth, depth);
      for (int y = from.y; y < to.y; ++y)
        for (int x = from.x; x < to.x; ++x) scene.at({x, y}) = depth;
    }
    scene.findTiles();
    const float nearest = glsl::signedRadius(lens, nearestDepth);
    for (int i = 0; i < 40; ++i) {
      const glm::vec2 place(uniform(0, 203), uniform(0, 117));
      const float radius = uniform(0, 1) < 0.8f ? uniform(3, 15) : uniform(-4, -2), margin = i % 2 == 0 ? 1.0f : 0.0f;
      const glm::vec3 variance(uniform(0, 9), 0.0f, uniform(0, 9));
      const glm::vec2 reach(glsl::apertureReach(Aperture{}, radius, variance));
      const bool mayBe = glsl::mayBeHidden(scene, lens, scene.tileCount(), place, radius, reach, nearest, margin);
      bool is = false;
      for (int y = 0; y < scene.size.y; ++y)
        for (int x = 0; x < scene.size.x; ++x) {
          const glm::vec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
          if (glm::abs(p.x - place.x) > reach.x || glm::abs(p.y - place.y) > reach.y) continue;
          is = is || glsl::reachingPart(scene, lens, p, place, variance, radius, nearest, margin) < 1.0f;
        }
      EXPECT_TRUE(mayBe || !is) << "image " << image << ", sprite " << i;
      ++(mayBe ? hidden : free);
    }
  }
  EXPECT_GT(free, 200);
  EXPECT_GT(hidden, 100);
}

// A lamp of radius 34 px in front of a wall at infinity, and a sprite of 36 px that stands for it and for a farther
// lamp beside it. A surface of 20 px hides the sprite.
TEST(ReachingPart, LightsOfASpriteDoNotHideIt) {
  const ThinLens lens{.alpha = -80.0f, .beta = 40.0f};
  const auto reaches = [&](float surfacePx) {
    Scene scene{{128, 96}, {}, {}};
    scene.depth.assign(static_cast<std::size_t>(scene.size.x * scene.size.y), 0.0f);
    const float depth = (40.0f - surfacePx) / 80.0f;
    for (int y = 32; y < 64; ++y)
      for (int x = 48; x < 80; ++x) scene.at({x, y}) = depth;
    scene.findTiles();
    float least = 1.0f;
    for (float x = 40.5f; x < 88.0f; x += 1.0f)
      least = std::min(
          least, glsl::reachingPart(scene, lens, {x, 48.5f}, {64.0f, 48.0f}, glm::vec3(0.0f), 36.0f, surfacePx, 1.0f));
    const bool mayBe =
        glsl::mayBeHidden(scene, lens, scene.tileCount(), {64.0f, 48.0f}, 36.0f, glm::vec2(38.0f), surfacePx, 1.0f);
    EXPECT_EQ(mayBe, least < 1.0f);
    return least;
  };
  EXPECT_EQ(reaches(34.0f), 1.0f);
  EXPECT_LT(reaches(20.0f), 0.5f);
}

// The edge of a surface in front of another one. Rays that climb towards the edge find the one or the other.
TEST(ReachingPart, NoRayPassesBetweenASurfaceAndTheOneBehindIt) {
  const ThinLens lens{.alpha = -20.0f, .beta = 16.0f};
  constexpr float kSprite = 13.0f, kEdge = 48.0f;
  for (const auto& [front, back] : {std::pair(9.3f, 12.1f), {4.0f, 11.0f}, {-3.0f, 9.0f}}) {
    Scene scene{{128, 96}, {}, {}};
    for (int y = 0; y < scene.size.y; ++y)
      scene.depth.insert(scene.depth.end(), static_cast<std::size_t>(scene.size.x),
                         (16.0f - (static_cast<float>(y) < kEdge ? back : front)) / 20.0f);
    float most = 0.0f;
    for (float s = kEdge - 12.0f; s < kEdge + 12.0f; s += 0.37f)
      for (float p = s; p < s + kSprite; p += 0.29f)
        most = std::max(most,
                        glsl::reachingPart(scene, lens, {64.5f, p}, {64.0f, s}, glm::vec3(0.0f), kSprite, front, 0.0f));
    EXPECT_LT(most, 0.002f) << front << " in front of " << back;
  }
}

// A handle in front of a wall, and a light behind both. Rays beside the handle cross the depth of the wall behind the
// handle, where the depth image holds the handle instead of the wall.
TEST(ReachingPart, NoRayPassesBehindAHandleThroughItsWall) {
  const ThinLens lens{.alpha = -80.0f, .beta = 40.0f};
  constexpr float kSprite = 6.0f, kHandle = -25.0f;
  Scene scene{{128, 96}, {}, {}};
  for (int y = 0; y < scene.size.y; ++y)
    for (int x = 0; x < scene.size.x; ++x)
      scene.depth.push_back((40.0f - (x >= 62 && x < 66 ? kHandle : -12.0f)) / 80.0f);
  const auto most = [&] {
    float sum = 0.0f;
    for (float x = 58.25f; x < 70.0f; x += 0.25f)
      sum = std::max(
          sum, glsl::reachingPart(scene, lens, {x, 48.5f}, {64.0f, 48.0f}, glm::vec3(0.0f), kSprite, kHandle, 1.0f));
    return sum;
  };
  EXPECT_EQ(most(), 0.0f);
  for (int y = 0; y < scene.size.y; ++y)
    for (int x = 0; x < 58; ++x) scene.at({x, y}) = 0.0f;
  EXPECT_GT(most(), 0.5f) << "the wall ends beside the handle";
}

// A lid on a rim, near the focus plane: beside the two rows of the rim, the depth image jumps to the lid. Rays from a
// far light go dark once as they move down from the rim; no ray passes between rim and lid.
TEST(ReachingPart, NoRayPassesBetweenARimAndItsLidInFocus) {
  const ThinLens lens{.alpha = -100.0f, .beta = 83.0f};
  constexpr float kSprite = 48.0f, kRim = 16.8f, kLid = 12.6f;
  Scene scene{{8, 160}, {}, {}};
  for (int y = 0; y < scene.size.y; ++y) {
    const float lid = std::max(kLid - 0.3f * static_cast<float>(82 - y), 7.0f);
    scene.depth.insert(scene.depth.end(), 8, (83.0f - (y > 84 ? 55.0f : y > 82 ? kRim : lid)) / 100.0f);
  }
  for (float s = 60.0f; s < 90.0f; s += 0.71f) {
    float before = 1.0f;
    for (float p = s + kSprite; p > s - kSprite; p -= 0.25f) {
      const float part = glsl::reachingPart(scene, lens, {4.5f, p}, {4.5f, s}, glm::vec3(0.0f), kSprite, 7.0f, 0.0f);
      EXPECT_LT(part, before + 0.01f) << "light at " << s << ", pixel at " << p;
      before = std::min(before, part);
    }
    EXPECT_EQ(before, 0.0f);
  }
}

// A sprite for the lights of a wide cell, behind an edge.
TEST(ReachingPart, AWideSpriteGoesDarkGradually) {
  const ThinLens lens{.alpha = -80.0f, .beta = 40.0f};
  constexpr float kSprite = 20.0f, kWall = -20.0f;
  Scene scene{{128, 96}, {}, {}};
  for (int y = 0; y < scene.size.y; ++y)
    scene.depth.insert(scene.depth.end(), 128, y < 48 ? 0.0f : (40.0f - kWall) / 80.0f);
  float before = 1.0f, steepest = 0.0f;
  for (float p = 28.5f; p < 68.0f; p += 1.0f) {
    const float part =
        glsl::reachingPart(scene, lens, {64.5f, p}, {64.0f, 48.0f}, {64.0f, 0.0f, 64.0f}, kSprite, kWall, 0.0f);
    steepest = std::max(steepest, before - part);
    before = part;
  }
  EXPECT_EQ(before, 0.0f);
  EXPECT_LT(steepest, 0.15f) << "of " << 2.0f / (3.46f * 8.0f) << " for a light without gaps";
}

}  // namespace satdof
