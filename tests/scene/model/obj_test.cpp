#include <gmock/gmock.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <random>

#include "app/scene/model/reader.h"
#include "tests/scene/model/glb.h"

namespace satdof {
namespace {

ModelData parse(const std::string& text, const std::filesystem::path& folder = {}) {
  LoadProgress progress;
  return parseObj({text, folder, {}}, progress);
}

// Skips if this build has no OBJ reader.
class Obj : public testing::Test {
 protected:
  void SetUp() override {
    if (SATDOF_HAS_TINYOBJLOADER == 0) GTEST_SKIP() << "built without tinyobjloader";
  }
};

constexpr const char* kSquare =
    "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 0.25\nusemtl red\nf 1/1 2/2 3/3 "
    "-1/1\n";

TEST_F(Obj, ReadsPolygonsAndMaterials) {
  const test::TemporaryFolder folder;
  folder.write("m.mtl", "newmtl red\nKd 1 0.5 0\nNs 30\nKe 0 0 3\nnewmtl glass\nKd 1 1 1\nd 0.25\n");
  const ModelData model = parse(kSquare, folder.path());
  ASSERT_EQ(model.triangles(), 2u);
  const Primitive& primitive = model.meshes.at(0).primitives.at(0);
  const ModelMaterial& red = model.materials.at(static_cast<std::size_t>(primitive.material));
  EXPECT_EQ(red.name, "red");
  EXPECT_NEAR(red.baseColour.g, std::pow(0.5f, 2.2f), 1e-6f) << "sRGB to linear";
  EXPECT_NEAR(red.roughness, 0.5f, 1e-6f) << "(2 / 32)^(1/4)";
  EXPECT_EQ(red.emissive, glm::vec3(0, 0, 3));
  EXPECT_EQ(model.materials.at(1).alphaMode, AlphaMode::blend);
  EXPECT_EQ(model.materials.at(1).baseColour.a, 0.25f);
  for (const auto& vertex : model.vertices) EXPECT_EQ(vertex.normal, glm::vec3(0, 0, 1));
  bool found = false;
  for (const auto& vertex : model.vertices)
    if (vertex.position == glm::vec3(1, 1, 0)) found = vertex.uv.y == 0.75f;
  EXPECT_TRUE(found) << "v grows downwards";
}

TEST_F(Obj, AMissingMaterialFileIsANote) {
  const ModelData model = parse(kSquare);
  EXPECT_EQ(model.triangles(), 2u);
  ASSERT_FALSE(model.notes.empty());
  EXPECT_THAT(model.notes[0], testing::HasSubstr("m.mtl"));
}

TEST_F(Obj, MissingNormalsAreSmooth) {
  // Two triangles that meet at a right angle in the edge from vertex 1 to vertex 2.
  const ModelData model = parse("v 0 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 4 2\n");
  ASSERT_EQ(model.triangles(), 2u);
  for (const auto& vertex : model.vertices)
    if (vertex.position.x + vertex.position.y == 0) {
      EXPECT_NEAR(glm::distance(vertex.normal, glm::normalize(glm::vec3(1, 1, 0))), 0.0f, 1e-6f);
    }
}

TEST_F(Obj, SurvivesDamage) {
  EXPECT_EQ(parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99\nf 1 2 3\n").triangles(), 1u);
  EXPECT_THROW(parse("v 0 0 0\nf " + std::string(10000, '1') + "\n"), std::runtime_error);
  EXPECT_THROW(parse("v 0 0 0\r  vw 1 1e99 0.5\n"), std::runtime_error);
  std::mt19937 random(7);
  const std::string good = kSquare;
  for (int i = 0; i < 3000; ++i) {
    std::string bad = good;
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes)
      bad[random() % bad.size()] = static_cast<char>(random());
    try {
      const ModelData model = parse(bad);
      for (const auto index : model.indices) ASSERT_LT(index, model.vertices.size());
    } catch (const std::runtime_error&) {
    }
  }
}

}  // namespace
}  // namespace satdof
