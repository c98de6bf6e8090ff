#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <random>
#include <tuple>

#include "app/core/files/data_dir.h"
#include "app/scene/teapots/bezier.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

fs::path teapotFile() { return dataDir() / "assets" / "teapot.bpt"; }

const std::vector<BezierPatch>& teapot() {
  static const auto patches = readPatches(teapotFile());
  return patches;
}

std::string errorOf(const std::string& text) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("damaged.bpt", text);
  return test::reasonOf([&] { readPatches(file); });
}

using Key = std::tuple<float, float, float>;
Key keyOf(const glm::vec3& p) { return {p.x, p.y, p.z}; }

TEST(Bezier, ReadsTheTeapot) {
  ASSERT_EQ(teapot().size(), 36u);
  EXPECT_EQ(teapot()[0].points[0], glm::vec3(1.4f, 0.0f, 2.4f));
  EXPECT_EQ(teapot()[31].points[15], glm::vec3(1.5f, 0.0f, 0.15f));
  EXPECT_EQ(teapot()[35].points[15], glm::vec3(1.48f, 0.0f, 2.39f));
}

TEST(Bezier, DamagedFilesNameTheFaultAndItsPlace) {
  std::string points;
  for (int i = 0; i < 15; ++i) points += "0 " + std::to_string(i) + " 1\n";
  EXPECT_THAT(errorOf(""), HasSubstr("number of patches"));
  EXPECT_THAT(errorOf("-3\n"), HasSubstr("number of patches"));
  EXPECT_THAT(errorOf("1\n"), HasSubstr("patch 1 of 1 must start with its degrees, 3 3"));
  EXPECT_THAT(errorOf("2\n3 2\n" + points), HasSubstr("patch 1 of 2 must start with its degrees, 3 3"));
  EXPECT_THAT(errorOf("1\n3 3\n" + points), HasSubstr("patch 1 of 1: point 16 of 16 must be three numbers"));
  EXPECT_THAT(errorOf("1\n3 3\n" + points + "1 2 x\n"), HasSubstr("point 16 of 16"));
  EXPECT_THAT(errorOf("1\n3 3\n" + points + "1 2 nan\n"), HasSubstr("point 16 of 16"));
  EXPECT_THAT(errorOf("1\n3 3\n" + points + "1 2 3\n9"), HasSubstr("\"9\" follows the last patch"));
  EXPECT_EQ(errorOf("1\n3 3\n" + points + "1 2 3\n"), "accepted");
  EXPECT_THAT([] { readPatches("/nowhere/teapot.bpt"); },
              testing::ThrowsMessage<std::runtime_error>(
                  HasSubstr("cannot read the patches /nowhere/teapot.bpt: the file is missing")));
}

TEST(Bezier, NormalsAgreeWithFiniteDifferences) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> inside(0.02, 0.98);
  constexpr double kStep = 1e-3;
  for (const auto& patch : teapot())
    for (int i = 0; i < 50; ++i) {
      const double u = inside(random), v = inside(random);
      const auto point = evaluate(patch, u, v);
      EXPECT_NEAR(glm::length(point.normal), 1.0f, 1e-6f);
      const glm::dvec3 alongU =
          glm::dvec3(evaluate(patch, u + kStep, v).position) - glm::dvec3(evaluate(patch, u - kStep, v).position);
      const glm::dvec3 alongV =
          glm::dvec3(evaluate(patch, u, v + kStep).position) - glm::dvec3(evaluate(patch, u, v - kStep).position);
      const glm::vec3 difference = glm::normalize(glm::cross(alongV, alongU));
      EXPECT_GT(glm::dot(point.normal, difference), 0.9999f) << u << " " << v;
    }
}

TEST(Bezier, PolesPointAlongTheAxis) {
  int poles = 0;
  for (const auto& patch : teapot()) {
    if (patch.points[0] != patch.points[3]) continue;
    ++poles;
    const float axis = patch.points[0].z > 1.0f ? 1.0f : -1.0f;
    for (const double v : {0.0, 0.3, 1.0}) EXPECT_EQ(evaluate(patch, 0.0, v).normal, glm::vec3(0, 0, axis));
    EXPECT_GT(evaluate(patch, 1e-6, 0.4).normal.z * axis, 0.9999f);
  }
  EXPECT_EQ(poles, 8);
}

TEST(Bezier, EveryVanishingBorderHasTheNormalOfItsLimit) {
  const BezierPatch& lid = teapot()[20];
  BezierPatch flipped, swapped;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      flipped.points[4 * i + j] = lid.points[4 * (3 - i) + j];
      swapped.points[4 * i + j] = lid.points[4 * j + i];
    }
  EXPECT_EQ(evaluate(lid, 0.0, 0.5).normal, glm::vec3(0, 0, 1));
  EXPECT_EQ(evaluate(flipped, 1.0, 0.5).normal, glm::vec3(0, 0, -1));
  EXPECT_EQ(evaluate(swapped, 0.5, 0.0).normal, glm::vec3(0, 0, -1));
}

TEST(Bezier, APatchWithoutANormalIsRefused) {
  BezierPatch line;
  for (std::size_t i = 0; i < 16; ++i) line.points[i] = {float(i), 0.0f, 0.0f};
  EXPECT_THROW(evaluate(line, 0.5, 0.5), std::runtime_error);
  EXPECT_THROW(tessellate(teapot(), 3, 0), std::runtime_error);
}

class Tessellation : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Segments, Tessellation, testing::Values(2, 3, 7, 10, 16));

TEST_P(Tessellation, TrianglesFaceTheirNormals) {
  const Mesh mesh = tessellate(teapot(), GetParam(), GetParam());
  EXPECT_EQ(mesh.vertices.size(), teapot().size() * static_cast<std::size_t>((GetParam() + 1) * (GetParam() + 1)));
  ASSERT_EQ(mesh.indices.size() % 3, 0u);
  std::size_t away = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const auto& a = mesh.vertices.at(mesh.indices[i]);
    const auto& b = mesh.vertices.at(mesh.indices[i + 1]);
    const auto& c = mesh.vertices.at(mesh.indices[i + 2]);
    const glm::vec3 face = glm::cross(b.position - a.position, c.position - a.position);
    EXPECT_GT(glm::length(face), 0.0f);
    if (glm::dot(face, a.normal + b.normal + c.normal) <= 0) ++away;
  }
  // Two segments are too few for the tight bend of the spout's lip: one triangle on each side faces away.
  EXPECT_EQ(away, GetParam() == 2 ? 2u : 0u);
}

TEST_P(Tessellation, NormalsPointOutOfTheBody) {
  const Mesh mesh = tessellate(teapot(), GetParam(), GetParam());
  const std::size_t perPatch = mesh.vertices.size() / teapot().size();
  for (std::size_t patch = 4; patch < 12; ++patch)
    for (std::size_t i = 0; i < perPatch; ++i) {
      const auto& vertex = mesh.vertices[patch * perPatch + i];
      EXPECT_GT(vertex.normal.x * vertex.position.x + vertex.normal.y * vertex.position.y, 0.0f);
    }
  for (std::size_t patch = 28; patch < 32; ++patch)
    for (std::size_t i = 0; i < perPatch; ++i) EXPECT_LE(mesh.vertices[patch * perPatch + i].normal.z, 0.0f);
}

// Two patches with the same four control points on a border, in either direction, have bit-identical vertices
// there.
TEST_P(Tessellation, SharedBordersAreWatertight) {
  const int n = GetParam();
  const Mesh mesh = tessellate(teapot(), n, n);
  const auto border = [&](auto&& at, int side) {
    std::vector<Key> keys;
    const int last = side < 4 ? 3 : n;
    for (int i = 0; i <= last; ++i) {
      const int s = side % 4;
      keys.push_back(s == 0 ? at(0, i) : s == 1 ? at(last, i) : s == 2 ? at(i, 0) : at(i, last));
    }
    return keys;
  };
  std::map<std::vector<Key>, std::vector<std::vector<Key>>> sharing;
  for (std::size_t patch = 0; patch < teapot().size(); ++patch)
    for (int side = 0; side < 4; ++side) {
      auto control = border(
          [&](int i, int j) { return keyOf(teapot()[patch].points[static_cast<std::size_t>(4 * i + j)]); }, side);
      auto vertices = border(
          [&](int i, int j) {
            const auto index =
                patch * static_cast<std::size_t>((n + 1) * (n + 1)) + static_cast<std::size_t>(i * (n + 1) + j);
            return keyOf(mesh.vertices[index].position);
          },
          side + 4);
      auto reversed = control;
      std::reverse(reversed.begin(), reversed.end());
      if (reversed < control) {
        control = reversed;
        std::reverse(vertices.begin(), vertices.end());
      }
      sharing[control].push_back(vertices);
    }
  int shared = 0;
  for (const auto& [control, borders] : sharing)
    for (std::size_t i = 1; i < borders.size(); ++i, ++shared) EXPECT_EQ(borders[i], borders[0]);
  EXPECT_GE(shared, 40);
}

}  // namespace
}  // namespace satdof
