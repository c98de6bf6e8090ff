#include "app/scene/teapots/layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>
#include <vector>

#include "app/core/files/data_dir.h"
#include "app/scene/teapots/bezier.h"

namespace satdof {
namespace {

// The spout reaches 3.525 units from the axis: at this distance, turning teapots never touch.
TEST(Layout, TeapotsStandApart) {
  std::vector<glm::vec3> positions;
  for (int i = 0; i < 300; ++i) {
    const auto teapot = teapotAt(i);
    EXPECT_EQ(teapot.position, teapotAt(i).position);
    for (const auto& other : positions) EXPECT_GT(glm::distance(teapot.position, other), 2 * 3.525f * kTeapotUnitM);
    positions.push_back(teapot.position);
  }
}

TEST(Layout, APointOfATeapotTurnsWithIt) {
  for (int i = 0; i < 50; ++i) {
    const Teapot teapot = teapotAt(i);
    const double timeS = 1.7 * i;
    const glm::vec3 place = teapot.position + glm::vec3(0.1f, 0.15f, 0.04f);
    const glm::vec3 point = worldToTeapot(teapot, timeS, place);
    EXPECT_LT(glm::distance(teapotToWorld(teapot, timeS, point), place), 1e-6f);
    const double turnS = 1 / std::abs(teapot.turnsPerS);
    EXPECT_LT(glm::distance(teapotToWorld(teapot, timeS + turnS, point), place), 1e-5f) << "a whole turn";
    EXPECT_NEAR(glm::distance(teapotToWorld(teapot, timeS + turnS / 2, point), place), 2 * std::hypot(0.1f, 0.04f),
                1e-5f)
        << "half a turn";
    EXPECT_EQ(teapotContaining(place, 50), i);
    EXPECT_EQ(teapotContaining(place, i), -1) << "there are fewer";
    EXPECT_EQ(teapotContaining({place.x, 0.0f, place.z}, 50), -1) << "the ground";
  }
}

TEST(Layout, LampsAreSmallBrightAndSway) {
  int moved = 0;
  for (int i = 0; i < kLamps; ++i) {
    const Lamp lamp = lampAt(i, 3.0), later = lampAt(i, 3.6);
    EXPECT_GT(lamp.position.y, lamp.radiusM);
    EXPECT_LT(lamp.radiusM, 0.14f);
    EXPECT_GT(glm::length(lamp.radiance), 5.0f);
    moved += lamp.position != later.position || lamp.radiance != later.radiance;
    // Lanterns do not touch the bodies of teapots.
    for (int j = 0; i < kLanterns && j < 60; ++j)
      EXPECT_GT(glm::distance(lamp.position, teapotAt(j).position), 2.0f * kTeapotUnitM + lamp.radiusM);
  }
  EXPECT_GT(moved, 30);
}

// Every vertex of the mesh is inside the teapot's bounding sphere.
TEST(Layout, TheBoundingSphereContainsTheTeapot) {
  const auto patches = readPatches(dataDir() / "assets" / "teapot.bpt");
  for (const auto& vertex : tessellate(patches, 8, 8).vertices)
    EXPECT_LE(glm::distance(kTeapotUnitM * vertex.position, glm::vec3(0.0f, 0.0f, kTeapotCentreYM)), kTeapotRadiusM);
}

}  // namespace
}  // namespace satdof
