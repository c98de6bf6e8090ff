#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/io/formats/png.h"
#include "app/scene/model/model_scene.h"
#include "tests/scene/drawn_scene.h"
#include "tests/scene/model/glb.h"
#include "tests/support/gl_fixture.h"

namespace satdof {
namespace {

using test::GlbMaker;

const glm::mat4 kNone(1.0f);

glm::mat4 moved(float x) { return glm::translate(kNone, glm::vec3(x, 0, 0)); }
glm::mat4 scaled(float x, float y, float z) { return glm::scale(kNone, glm::vec3(x, y, z)); }

// Spheres of radius 1 with a normal map, before a camera: one for each matrix, which transforms the mesh.
class Spheres {
 public:
  explicit Spheres(const std::vector<glm::mat4>& places) {
    for (const glm::mat4& place : places) add(place);
  }
  // Sphere i moves with joint i.
  Spheres& skinned() {
    std::vector<std::uint8_t> joints;
    std::vector<float> weights;
    for (std::size_t i = 0; i < positions_.size() / 3; ++i) {
      joints.insert(joints.end(), {static_cast<std::uint8_t>(i / kVertices), 0, 0, 0});
      weights.insert(weights.end(), {1, 0, 0, 0});
    }
    skin_ = R"(,"JOINTS_0":)" + std::to_string(maker_.accessor(joints, "VEC4", 4, 5121)) + R"(,"WEIGHTS_0":)" +
            std::to_string(maker_.accessor(weights, "VEC4", 4, 5126));
    return *this;
  }
  int vec3s(const std::vector<float>& values) { return maker_.vec3s(values); }
  // A file whose node 0 draws the spheres. `nodes`: the members of node 0, and more nodes. `material`, `rest`: more
  // members of the material and of the document.
  std::string file(const std::string& nodes, const std::string& material, const std::string& rest = "") {
    const std::string attributes = R"("POSITION":)" + std::to_string(maker_.vec3s(positions_)) + R"(,"NORMAL":)" +
                                   std::to_string(maker_.vec3s(normals_)) + R"(,"TEXCOORD_0":)" +
                                   std::to_string(maker_.accessor(uvs_, "VEC2", 2, 5126)) + skin_;
    const int indices = maker_.accessor(indices_, "SCALAR", 1, 5123);
    const std::vector<std::uint8_t> bumps = {200, 128, 200, 128, 210, 200, 128, 128, 255, 90, 90, 200};
    const int bumpMap = maker_.view(encodePng(bumps.data(), {2, 2}, 8, {}));
    return maker_.make(
        R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0)" + nodes + R"(],"meshes":[{"primitives":[{"attributes":{)" +
        attributes + R"(},"indices":)" + std::to_string(indices) +
        R"(,"material":0}]}],"textures":[{"source":0}],"images":[{"mimeType":"image/png","bufferView":)" +
        std::to_string(bumpMap) + R"(}],"materials":[{"normalTexture":{"index":0},
        "pbrMetallicRoughness":{"baseColorFactor":[0.8,0.7,0.6,0.7],"metallicFactor":0.3,"roughnessFactor":0.4})" +
        material + "}]" + rest);
  }

 private:
  static constexpr std::uint16_t kRings = 12, kSectors = 18, kVertices = (kRings + 1) * (kSectors + 1);

  void add(const glm::mat4& place) {
    const glm::mat3 turn = glm::transpose(glm::inverse(glm::mat3(place)));
    const auto first = static_cast<std::uint16_t>(positions_.size() / 3);
    for (int ring = 0; ring <= kRings; ++ring)
      for (int sector = 0; sector <= kSectors; ++sector) {
        const glm::vec2 uv = glm::vec2(sector, ring) / glm::vec2(kSectors, kRings);
        const float polar = std::numbers::pi_v<float> * uv.y, azimuth = 2 * std::numbers::pi_v<float> * uv.x;
        const glm::vec3 p(std::sin(polar) * std::sin(azimuth), std::cos(polar), std::sin(polar) * std::cos(azimuth));
        append(positions_, glm::vec3(place * glm::vec4(p, 1.0f)));
        append(normals_, glm::normalize(turn * p));
        uvs_.insert(uvs_.end(), {4 * uv.x, 4 * uv.y});
      }
    const bool mirrored = glm::determinant(turn) < 0.0f;
    for (std::uint16_t ring = 0; ring < kRings; ++ring)
      for (std::uint16_t sector = 0; sector < kSectors; ++sector) {
        const auto a = static_cast<std::uint16_t>(first + ring * (kSectors + 1) + sector);
        const auto right = static_cast<std::uint16_t>(a + 1), below = static_cast<std::uint16_t>(right + kSectors),
                   across = static_cast<std::uint16_t>(below + 1);
        std::vector<std::uint16_t> corners = {a, below, right, right, below, across};
        if (mirrored) corners = {a, right, below, right, across, below};
        indices_.insert(indices_.end(), corners.begin(), corners.end());
      }
  }
  static void append(std::vector<float>& to, const glm::vec3& v) { to.insert(to.end(), {v.x, v.y, v.z}); }

  GlbMaker maker_;
  std::vector<float> positions_, normals_, uvs_;
  std::vector<std::uint16_t> indices_;
  std::string skin_;
};

// Compares models under transforms with models whose meshes are transformed.
class MirroredTest : public GlTest {
 protected:
  static constexpr glm::ivec2 kSize{65, 49};

  MirroredTest() {
    view_.scene.kind = SceneKind::model;
    view_.scene.model.environment.text = "studio";
    view_.camera = {.yawDegrees = 20, .pitchDegrees = 10, .distanceM = 5, .targetYM = 0};
    targets_.resize(kSize, 1);
  }
  std::vector<glm::vec4> draw(const std::string& glb) {
    view_.scene.model.file.text = folder_.write(std::to_string(files_++) + ".glb", glb);
    auto drawn = test::draw(*scene_, targets_, view_);
    EXPECT_EQ(scene_->message(), "");
    return std::move(drawn.colour);
  }
  void expectEqual(const std::string& glb, const std::string& expected) {
    const auto a = draw(glb), b = draw(expected);
    float most = 0.0f;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(std::min(a[i][c], 1.0f) - std::min(b[i][c], 1.0f)));
    EXPECT_LT(most, 1.0f / 255);
  }

  test::TemporaryFolder folder_;
  Targets targets_;
  SceneView view_;
  std::unique_ptr<Scene> scene_ = makeModelScene();
  int files_ = 0;
};

constexpr const char* kMaterials[] = {"", R"(,"doubleSided":true)", R"(,"alphaMode":"MASK","doubleSided":true)",
                                      R"(,"alphaMode":"BLEND")", R"(,"alphaMode":"BLEND","doubleSided":true)"};

TEST_F(MirroredTest, ANodeMirrorsItsMesh) {
  for (const char* const material : kMaterials) {
    SCOPED_TRACE(material);
    expectEqual(Spheres({kNone}).file(R"(,"scale":[-1,1,1]})", material),
                Spheres({scaled(-1, 1, 1)}).file("}", material));
    expectEqual(Spheres({kNone}).file(R"(,"scale":[-1,-1,-1]})", material),
                Spheres({scaled(-1, -1, -1)}).file("}", material));
  }
}

TEST_F(MirroredTest, InstancesMirrorTheirMesh) {
  Spheres spheres({kNone});
  const std::string instances = R"("TRANSLATION":)" + std::to_string(spheres.vec3s({-1, 0, 0, 1, 0, 0})) +
                                R"(,"SCALE":)" + std::to_string(spheres.vec3s({1, -1, 1, 1, 1, 1}));
  expectEqual(spheres.file(R"(,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{)" + instances + "}}}}", "",
                           R"(,"extensionsUsed":["EXT_mesh_gpu_instancing"])"),
              Spheres({moved(-1) * scaled(1, -1, 1), moved(1)}).file("}", ""));
}

TEST_F(MirroredTest, AJointTransformsItsMeshAsANodeDoes) {
  for (const char* const material : kMaterials)
    for (const std::string placed : {R"("scale":[-1,1,1])", R"("translation":[0.3,0,0],"scale":[1,0.6,0.8])",
                                     R"("rotation":[0.6,0,0,0.8],"scale":[1.2,-0.5,0.8])"}) {
      SCOPED_TRACE(material + placed);
      expectEqual(
          Spheres({kNone}).skinned().file(R"(,"skin":0},{)" + placed + "}", material, R"(,"skins":[{"joints":[1]}])"),
          Spheres({kNone}).file("," + placed + "}", material));
    }
}

TEST_F(MirroredTest, ASkinMayHaveOneJointThatMirrors) {
  for (const char* const material : {kMaterials[0], kMaterials[1], kMaterials[2]}) {
    SCOPED_TRACE(material);
    expectEqual(Spheres({kNone, kNone})
                    .skinned()
                    .file(R"(,"skin":0},{"translation":[-1,0,0],"scale":[1,1,-1]},{"translation":[1,0,0]})", material,
                          R"(,"skins":[{"joints":[1,2]}])"),
                Spheres({moved(-1) * scaled(1, 1, -1), moved(1)}).file("}", material));
  }
}

}  // namespace
}  // namespace satdof
