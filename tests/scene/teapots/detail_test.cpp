#include "app/scene/teapots/detail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "app/core/files/data_dir.h"

namespace satdof {
namespace {

const std::vector<BezierPatch>& teapot() {
  static const auto patches = readPatches(dataDir() / "assets" / "teapot.bpt");
  return patches;
}

class DetailTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Details, DetailTest, testing::Range(0, kDetails));

// Distance along the normal from the surface to the triangle at the same parameters.
TEST_P(DetailTest, ErrorIsWithinItsBound) {
  constexpr int kWithin = 4;  // points along a side of a quad
  const auto segments = detailSegments(GetParam());
  float worst = 0.0f;
  for (std::size_t k = 0; k < teapot().size(); ++k) {
    const BezierPatch& patch = teapot()[k];
    const glm::ivec2 n = segments[k];
    const auto vertex = [&](int i, int j) { return evaluate(patch, double(i) / n.x, double(j) / n.y).position; };
    for (int i = 0; i < n.x; ++i)
      for (int j = 0; j < n.y; ++j) {
        const glm::vec3 a = vertex(i, j), b = vertex(i, j + 1), c = vertex(i + 1, j), d = vertex(i + 1, j + 1);
        for (int point = 0; point < kWithin * kWithin; ++point) {
          const float s = (float(point / kWithin) + 0.5f) / kWithin, t = (float(point % kWithin) + 0.5f) / kWithin;
          const auto surface = evaluate(patch, (i + double(s)) / n.x, (j + double(t)) / n.y);
          const glm::vec3 flat = s + t < 1 ? a + s * (c - a) + t * (b - a) : d + (1 - s) * (b - d) + (1 - t) * (c - d);
          worst = std::max(worst, std::abs(glm::dot(surface.position - flat, surface.normal)));
        }
      }
  }
  EXPECT_LE(worst, detailError(GetParam()));
  EXPECT_GT(worst, 0.3f * detailError(GetParam()));
}

// Bezier.SharedBordersAreWatertight continues from here.
TEST_P(DetailTest, SharedBordersHaveEqualSegments) {
  using Key = std::vector<std::tuple<float, float, float>>;
  const auto segments = detailSegments(GetParam());
  std::map<Key, std::vector<int>> sharing;
  for (std::size_t k = 0; k < teapot().size(); ++k)
    for (std::size_t side = 0; side < 4; ++side) {
      Key border;
      for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t across = side % 2 == 0 ? 0 : 3;
        const auto& p = teapot()[k].points[side < 2 ? 4 * across + i : 4 * i + across];
        border.emplace_back(p.x, p.y, p.z);
      }
      Key reversed(border.rbegin(), border.rend());
      sharing[std::min(border, reversed)].push_back(side < 2 ? segments[k].y : segments[k].x);
    }
  int shared = 0;
  for (const auto& [border, counts] : sharing) {
    if (border.front() == border.back()) continue;  // a pole, or closed: a point needs no segments
    for (std::size_t i = 1; i < counts.size(); ++i, ++shared) EXPECT_EQ(counts[i], counts[0]);
  }
  EXPECT_GE(shared, 40);
}

TEST(Detail, TrianglesDecrease) {
  std::size_t before = detailMesh(teapot(), 0).indices.size();
  EXPECT_LT(before, 3u * 40000u);
  for (int detail = 1; detail < kDetails; ++detail) {
    const std::size_t now = detailMesh(teapot(), detail).indices.size();
    EXPECT_LT(now, before);
    before = now;
  }
  EXPECT_LT(before, 3u * 400u);
}

TEST(Detail, AnotherFileIsRefused) { EXPECT_THROW(detailMesh(std::span(teapot()).first(3), 0), std::runtime_error); }

}  // namespace
}  // namespace satdof
