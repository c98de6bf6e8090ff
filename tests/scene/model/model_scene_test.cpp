#include "app/scene/model/model_scene.h"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "tests/gl/gl_test.h"
#include "tests/scene/drawn_scene.h"
#include "tests/scene/model/glb.h"

namespace satdof {
namespace {

using test::GlbMaker;

// Squares before the camera, which looks along -z from (0, 0, 2): unlit colours at known distances.
class ModelSceneTest : public GlTest {
 protected:
  static constexpr glm::ivec2 kSize{65, 49};

  ModelSceneTest() {
    view_.scene.kind = SceneKind::model;
    view_.camera = {.yawDegrees = 0, .pitchDegrees = 0, .distanceM = 2, .targetYM = 0};
    targets_.resize(kSize, 1);
  }
  // A square of half-width `half` at z for each of `materials`; `nodes`: their "translation" and "scale".
  std::string file(const std::string& name, const std::string& nodes, const std::string& materials,
                   int count) {
    GlbMaker maker;
    const std::string square = maker.square();
    std::string meshes, roots;
    for (int i = 0; i < count; ++i) {
      if (i > 0) meshes += ",", roots += ",";
      meshes += R"({"primitives":[{"material":)" + std::to_string(i) + "," + square + "}]}";
      roots += std::to_string(i);
    }
    return folder_.write(name,
                         maker.make(R"("scenes":[{"nodes":[)" + roots + R"(]}],"nodes":[)" + nodes +
                                    R"(],"materials":[)" + materials + R"(],"meshes":[)" + meshes + "]"));
  }
  static std::string unlit(const std::string& colour, const std::string& more = "") {
    return R"({"extensions":{"KHR_materials_unlit":{}},"pbrMetallicRoughness":{"baseColorFactor":)" + colour +
           "}" + more + "}";
  }
  test::DrawnScene drawFile(const std::string& path) {
    view_.scene.model.file.text = path;
    return test::draw(*scene_, targets_, view_);
  }
  static const glm::vec4& centre(const test::DrawnScene& drawn) {
    return drawn.colour[static_cast<std::size_t>(kSize.y / 2 * kSize.x + kSize.x / 2)];
  }
  static float centreDepth(const test::DrawnScene& drawn) { return drawn.depthAt(kSize / 2); }

  test::TemporaryFolder folder_;
  Targets targets_;
  SceneView view_;
  std::unique_ptr<Scene> scene_ = makeModelScene();
};

TEST_F(ModelSceneTest, DrawsKnownColoursAtKnownDistances) {
  const auto drawn = drawFile(
      file("a.glb", R"({"mesh":0,"translation":[0,0,-2],"scale":[9,9,9]},{"mesh":1,"scale":[0.3,0.3,0.3]})",
           unlit("[0.25,0.5,1,1]") + "," + unlit("[1,0,0,1]"), 2));
  EXPECT_EQ(scene_->message(), "");
  EXPECT_NEAR(glm::distance(centre(drawn), glm::vec4(1, 0, 0, 1)), 0.0f, 1e-3f);
  EXPECT_NEAR(kNearM / centreDepth(drawn), 2.0f, 1e-3f);
  EXPECT_NEAR(glm::distance(drawn.colour[0], glm::vec4(0.25f, 0.5f, 1, 1)), 0.0f, 1e-3f);
  EXPECT_NEAR(kNearM / drawn.depth[0], 4.0f, 1e-3f);
  EXPECT_NEAR(drawn.frame.nearestM, 2.0f, 1e-3f);
  EXPECT_EQ(drawn.frame.opaque, nullptr);
}

TEST_F(ModelSceneTest, AlphaModesDiscardBlendAndIgnore) {
  const std::string nodes = R"({"mesh":0,"translation":[0,0,-2],"scale":[9,9,9]},{"mesh":1})";
  for (const int samples : {1, 4}) {
    targets_.resize(kSize, samples);
    const auto with = [&](const char* name, const std::string& more) {
      return drawFile(file(name, nodes, unlit("[0,0.5,0,1]") + "," + unlit("[1,0,0,0.4]", more), 2));
    };
    EXPECT_NEAR(centre(with("opaque.glb", "")).r, 1.0f, 1e-3f);
    const auto hidden = with("hidden.glb", R"(,"alphaMode":"MASK","alphaCutoff":0.5)");
    EXPECT_NEAR(centre(hidden).g, 0.5f, 1e-3f);
    EXPECT_NEAR(kNearM / centreDepth(hidden), 4.0f, 1e-3f);
    EXPECT_NEAR(centre(with("shown.glb", R"(,"alphaMode":"MASK","alphaCutoff":0.3)")).r, 1.0f, 1e-3f);
    const auto blended = with("blend.glb", R"(,"alphaMode":"BLEND")");
    EXPECT_NEAR(glm::distance(centre(blended), glm::vec4(0.4f, 0.3f, 0, 1)), 0.0f, 2e-3f);
    EXPECT_NEAR(kNearM / centreDepth(blended), 4.0f, 1e-3f) << "the depth is that of opaque surfaces";
    EXPECT_NEAR(blended.frame.nearestM, 2.0f, 1e-3f);
    ASSERT_NE(blended.frame.opaque, nullptr);
    SceneFrame opaque = blended.frame;
    opaque.colour = blended.frame.opaque;
    EXPECT_NEAR(glm::distance(centre(test::download(opaque)), glm::vec4(0, 0.5f, 0, 1)), 0.0f, 1e-3f);

    // The layer has the pane's own colour, coverage and depth, on its side of the plane only.
    Timings timings;
    timings.beginFrame();
    for (const bool front : {false, true}) {
      const BlendedLayer layer = scene_->blended(view_, targets_, front, 3.0f, timings);
      std::vector<glm::vec4> colour(static_cast<std::size_t>(kSize.x * kSize.y)), depth = colour;
      const auto bytes = static_cast<GLsizei>(colour.size() * 16);
      glGetTextureImage(layer.colour->name(), 0, GL_RGBA, GL_FLOAT, bytes, colour.data());
      glGetTextureImage(layer.depth->name(), 0, GL_RGBA, GL_FLOAT, bytes, depth.data());
      const std::size_t at = colour.size() / 2;
      EXPECT_NEAR(colour[at].a, front ? 0.4f : 0.0f, 1e-3f);
      EXPECT_NEAR(colour[at].r, front ? 0.4f : 0.0f, 1e-3f);
      EXPECT_NEAR(depth[at].r, front ? 0.4f * kNearM / 2 : 0.0f, 1e-4f);
      EXPECT_EQ(depth[at].a, colour[at].a);
    }
    timings.endFrame();
  }
}

TEST_F(ModelSceneTest, BlendedSurfacesGoFarthestFirst) {
  // The file lists the nearer pane first.
  const auto drawn = drawFile(file(
      "panes.glb",
      R"({"mesh":0},{"mesh":1,"translation":[0,0,-1]},{"mesh":2,"translation":[0,0,-3],"scale":[9,9,9]})",
      unlit("[1,0,0,0.5]", R"(,"alphaMode":"BLEND")") + "," +
          unlit("[0,0,1,0.5]", R"(,"alphaMode":"BLEND","doubleSided":true)") + "," + unlit("[0,1,0,1]"),
      3));
  EXPECT_NEAR(glm::distance(centre(drawn), glm::vec4(0.5f, 0.25f, 0.25f, 1)), 0.0f, 3e-3f);
}

TEST_F(ModelSceneTest, FramesOnBoundsOrOnACameraOfTheFile) {
  GlbMaker maker;
  const std::string square = maker.square();
  const std::string path = folder_.write(
      "camera.glb", maker.make(R"("scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0,"translation":[5,1,0]},
      {"camera":0,"translation":[5,1,6]}],"cameras":[{"type":"perspective","perspective":{"yfov":0.4,"znear":0.1}}],
      "meshes":[{"primitives":[{)" +
                               square + "}]}]"));
  view_.scene.model.file.text = path;
  const auto framing = scene_->framing(view_);
  ASSERT_TRUE(framing);
  EXPECT_NEAR(framing->camera.targetXM, 5.0f, 1e-4f);
  EXPECT_NEAR(framing->camera.distanceM, 6.0f, 1e-4f);
  EXPECT_NEAR(framing->camera.yawDegrees, 0.0f, 1e-3f);
  EXPECT_NEAR(framing->camera.verticalFovDegrees, 0.4f * 57.29578f, 1e-3f);
  EXPECT_NEAR(*framing->focalLengthMm, 12.0f / std::tan(0.2f), 1e-2f);
  view_.scene.model.camera = 0;
  const auto placed = scene_->framing(view_);
  ASSERT_TRUE(placed);
  EXPECT_NEAR(placed->camera.targetYM, 1.0f, 1e-4f);
  EXPECT_GT(placed->camera.distanceM, 2.0f);
  EXPECT_FALSE(placed->focalLengthMm);
  Settings settings;
  applyFraming(settings, *placed);
  EXPECT_FALSE(settings.scene.frame);
  view_.scene.frame = false;
  EXPECT_FALSE(scene_->framing(view_));
}

TEST(ModelScale, KeepsMetresUnlessTheModelIsTinyOrHuge) {
  EXPECT_EQ(modelScale({}, 1.0f), 1.0f);
  EXPECT_EQ(modelScale({}, 0.0f), 1.0f);
  EXPECT_NEAR(modelScale({}, 0.01f), 50.0f, 1e-3f);
  EXPECT_NEAR(modelScale({}, 500.0f), 0.001f, 1e-6f);
  ModelSettings settings;
  settings.scale = 3.0f;
  EXPECT_EQ(modelScale(settings, 500.0f), 3.0f);
}

TEST_F(ModelSceneTest, ABadFileKeepsTheOldModel) {
  const std::string good = file("good.glb", R"({"mesh":0})", unlit("[1,0,0,1]"), 1);
  drawFile(good);
  const int contents = scene_->contents();
  const std::string bad = folder_.write("bad.glb", "glTF");
  const auto drawn = drawFile(bad);
  EXPECT_THAT(scene_->message(), testing::HasSubstr("cannot read the model " + bad));
  EXPECT_NEAR(centre(drawn).r, 1.0f, 1e-3f);
  EXPECT_EQ(scene_->contents(), contents);
}

TEST_F(ModelSceneTest, ALiveViewShowsTheOldModelUntilTheNewOneIsReady) {
  drawFile(file("red.glb", R"({"mesh":0})", unlit("[1,0,0,1]"), 1));
  view_.live = true;
  const std::string green = file("green.glb", R"({"mesh":0})", unlit("[0,1,0,1]"), 1);
  auto drawn = drawFile(green);
  while (scene_->loading()) {
    EXPECT_NEAR(centre(drawn).r, 1.0f, 1e-3f);
    std::this_thread::yield();
    drawn = drawFile(green);
  }
  EXPECT_NEAR(centre(drawFile(green)).g, 1.0f, 1e-3f);
  EXPECT_EQ(scene_->message(), "");
}

// A grey surface in even white light of strength 1 sends back its albedo, up to the mirrored part.
TEST_F(ModelSceneTest, EvenLightGivesTheAlbedo) {
  view_.scene.model.file.text = file(
      "grey.glb", R"({"mesh":0,"scale":[0.2,0.2,0.2]})",
      R"({"pbrMetallicRoughness":{"baseColorFactor":[0.5,0.5,0.5,1],"metallicFactor":0,"roughnessFactor":1}})",
      1);
  std::string hdr = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 4\n";
  for (int i = 0; i < 16; ++i) hdr += "\x80\x80\x80\x81";
  view_.scene.model.environment.text = folder_.write("even.hdr", hdr);
  const auto drawn = test::draw(*scene_, targets_, view_);
  EXPECT_EQ(scene_->message(), "");
  EXPECT_NEAR(centre(drawn).r, 0.52f, 0.04f);
  EXPECT_NEAR(drawn.colour[0].r, 1.0f, 1e-2f) << "the sky";
}

}  // namespace
}  // namespace satdof
