#include "app/scene/image/hidden.h"

#include <gmock/gmock.h>

#include <glm/gtc/packing.hpp>
#include <glm/vec3.hpp>

#include "shaders/scene/separation.h"

namespace satdof {
namespace {

constexpr glm::ivec2 kSize{41, 17};

// A red wall at depth 1 on the left, a blue one at depth 0.25 in the middle, a green one at depth 0.125 on the right.
struct Walls {
  Picture picture{kSize, {}, false, {}};
  DepthMap map{kSize, {}, 1.0f, {}, 0};
  HiddenLayer hidden;

  Walls(int middle, int right) {
    for (int i = 0; i < kSize.x * kSize.y; ++i) {
      const int x = i % kSize.x, wall = x < middle ? 0 : x < right ? 2 : 1;
      for (int c = 0; c < 4; ++c) picture.rgba.push_back(glm::packHalf1x16(c == wall || c == 3 ? 1.0f : 0.0f));
      map.depth.push_back(x < middle ? 1.0f : x < right ? 0.25f : 0.125f);
    }
    ThreadPool threads(2);
    hidden = hiddenLayer(picture, map, threads);
  }
  float valueAt(int x, int channel) const {
    return glm::unpackHalf1x16(hidden.rgba[static_cast<std::size_t>(4 * (4 * hidden.size.x + x) + channel)]);
  }
  float depthAt(int x) const { return hidden.depth[static_cast<std::size_t>(4 * hidden.size.x + x)]; }
};

TEST(HiddenLayer, ShowsTheSurfaceBehindAndNoneOfTheOneInFront) {
  const Walls walls(15, kSize.x);
  ASSERT_EQ(walls.hidden.size, glm::ivec2(21, 9));
  for (int x = 0; x < 21; ++x) {
    const bool behind = x < 8;  // texel 15 is beside the edge
    EXPECT_EQ(walls.valueAt(x, 3), behind ? 1.0f : 0.0f) << x;
    EXPECT_EQ(walls.valueAt(x, 2), behind ? 1.0f : 0.0f) << x;
    EXPECT_EQ(walls.valueAt(x, 0), 0.0f) << x;
    EXPECT_EQ(walls.depthAt(x), behind ? 0.25f : 0.0f) << x;
  }
}

TEST(HiddenLayer, IsBehindTheSurfaceByTheSeparation) {
  const Walls walls(14, 20);
  for (int x = 0; x < walls.hidden.size.x; ++x) {
    const float nearest = x < 8 ? 1.0f : x < 11 ? 0.25f : 0.0f;  // in front of a texel beside each edge
    EXPECT_LE(walls.depthAt(x), (1.0f - glsl::kSeparation) * nearest) << x;
    EXPECT_EQ(walls.valueAt(x, 3), nearest) << x;
  }
  EXPECT_GT(walls.valueAt(6, 2), 0.5f) << "the wall next to the edge";
  EXPECT_GT(walls.valueAt(9, 1), 0.5f);
}

TEST(HiddenLayer, TakesNoColourFromTexelsBesideAnEdge) {
  Walls walls(14, kSize.x);
  for (int y = 0; y < kSize.y; ++y)
    for (int c = 0; c < 3; ++c)  // white: mixed
      walls.picture.rgba[static_cast<std::size_t>(4 * (y * kSize.x + 14) + c)] = glm::packHalf1x16(1.0f);
  ThreadPool threads(2);
  walls.hidden = hiddenLayer(walls.picture, walls.map, threads);
  for (int x = 0; x < 8; ++x) {
    EXPECT_EQ(walls.valueAt(x, 0), 0.0f) << x;
    EXPECT_EQ(walls.valueAt(x, 2), 1.0f) << x;
  }
}

TEST(HiddenLayer, MarksTexelsBesideNearerSurfaces) {
  const Walls walls(15, 20);
  for (int x = 0; x < walls.hidden.size.x; ++x)
    EXPECT_EQ(walls.hidden.mixed[static_cast<std::size_t>(4 * walls.hidden.size.x + x)], x == 7 || x == 10 ? 255 : 0)
        << x;
}

TEST(HiddenLayer, AFlatImageHidesNothing) {
  const Walls walls(kSize.x, kSize.x);
  EXPECT_THAT(walls.hidden.rgba, testing::Each(0));
}

}  // namespace
}  // namespace satdof
