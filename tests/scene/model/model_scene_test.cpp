#include "app/scene/model/model_scene.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <thread>

#include "app/io/formats/png.h"
#include "app/scene/model/environment_light.h"
#include "app/scene/model/framing.h"
#include "app/scene/model/gpu_model.h"
#include "app/scene/model/ground.h"
#include "app/scene/model/ray.h"
#include "tests/scene/drawn_scene.h"
#include "tests/scene/model/glb.h"
#include "tests/support/gl_fixture.h"

namespace satdof {
namespace {

using namespace std::string_literals;
using test::GlbMaker;
using test::unlit;

// Squares before the camera, which looks along -z from (0, 0, 2): unlit colours at known distances.
class ModelSceneTest : public GlTest {
 protected:
  static constexpr glm::ivec2 kSize{65, 49};

  ModelSceneTest() {
    view_.scene.kind = SceneKind::model;
    view_.camera = {.yawDegrees = 0, .pitchDegrees = 0, .distanceM = 2, .targetYM = 0};
    targets_.resize(kSize, 1);
  }
  std::string file(const std::string& name, const std::string& nodes, const std::string& materials, int count) {
    return folder_.write(name, test::squares(nodes, materials, count));
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

TEST_F(ModelSceneTest, ReadingsCountInSingularAndPlural) {
  const std::string path = file("a.glb", R"({"mesh":0})", unlit("[1,0,0,1]"), 1);
  drawFile(path);
  view_.live = true;
  drawFile(path);
  EXPECT_EQ(scene_->message(), "");
  const auto readings = scene_->report({}).readings;
  ASSERT_GE(readings.size(), 3u);
  EXPECT_EQ(readings[0].value, "2 triangles, 1 material, 1 node");
  EXPECT_EQ(readings[2].value, "0 clips, 0 cameras, 0 lights");
}

TEST_F(ModelSceneTest, DrawsKnownColoursAtKnownDistances) {
  const auto drawn =
      drawFile(file("a.glb", R"({"mesh":0,"translation":[0,0,-2],"scale":[9,9,9]},{"mesh":1,"scale":[0.3,0.3,0.3]})",
                    unlit("[0.25,0.5,1,1]") + "," + unlit("[1,0,0,1]"), 2));
  EXPECT_EQ(scene_->message(), "");
  EXPECT_NEAR(glm::distance(centre(drawn), glm::vec4(1, 0, 0, 1)), 0.0f, 1e-3f);
  EXPECT_NEAR(kNearM / centreDepth(drawn), 2.0f, 1e-3f);
  EXPECT_NEAR(glm::distance(drawn.colour[0], glm::vec4(0.25f, 0.5f, 1, 1)), 0.0f, 1e-3f);
  EXPECT_NEAR(kNearM / drawn.depth[0], 4.0f, 1e-3f);
  EXPECT_NEAR(drawn.frame.nearestM, 2.0f, 1e-3f);
  EXPECT_EQ(scene_->nearestM(view_, kSize), drawn.frame.nearestM);
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
    EXPECT_NEAR(centre(with("equal.glb", R"(,"alphaMode":"MASK","alphaCutoff":0.4)")).r, 1.0f, 1e-3f);
    EXPECT_NEAR(centre(with("just.glb", R"(,"alphaMode":"MASK","alphaCutoff":0.4001)")).g, 0.5f, 1e-3f);
    const auto blended = with("blend.glb", R"(,"alphaMode":"BLEND")");
    EXPECT_NEAR(glm::distance(centre(blended), glm::vec4(0.4f, 0.3f, 0, 1)), 0.0f, 2e-3f);
    EXPECT_NEAR(kNearM / centreDepth(blended), 4.0f, 1e-3f) << "opaque surfaces alone give the depth";
    EXPECT_NEAR(blended.frame.nearestM, 2.0f, 1e-3f);
    EXPECT_EQ(scene_->nearestM(view_, kSize), blended.frame.nearestM);
    ASSERT_NE(blended.frame.opaque, nullptr);
    SceneFrame opaque = blended.frame;
    opaque.colour = blended.frame.opaque;
    EXPECT_NEAR(glm::distance(centre(test::download(opaque)), glm::vec4(0, 0.5f, 0, 1)), 0.0f, 1e-3f);

    // The layer has the pane's own colour, coverage and depth, on its side of the plane only.
    Timings timings;
    timings.beginFrame();
    for (const bool front : {false, true}) {
      const BlendedLayer layer = scene_->blended(view_, targets_, front, {kNearM / 3.0f}, timings);
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
      "panes.glb", R"({"mesh":0},{"mesh":1,"translation":[0,0,-1]},{"mesh":2,"translation":[0,0,-3],"scale":[9,9,9]})",
      unlit("[1,0,0,0.5]", R"(,"alphaMode":"BLEND")") + "," +
          unlit("[0,0,1,0.5]", R"(,"alphaMode":"BLEND","doubleSided":true)") + "," + unlit("[0,1,0,1]"),
      3));
  EXPECT_NEAR(glm::distance(centre(drawn), glm::vec4(0.5f, 0.25f, 0.25f, 1)), 0.0f, 3e-3f);
}

TEST_F(ModelSceneTest, FramesOnBoundsOrOnACameraOfTheFile) {
  GlbMaker maker;
  const std::string square = maker.square();
  const std::string path =
      folder_.write("camera.glb", maker.make(R"("scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0,"translation":[5,1,0]},
      {"camera":0,"translation":[5,1,6]}],"cameras":[{"type":"perspective","perspective":{"yfov":0.4,"znear":0.1}}],
      "meshes":[{"primitives":[{)" + square + "}]}]"));
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

// A subject of radius 0.3 m at the origin, before a floor whose centre is 4 m behind the subject, and a camera of the
// file 1.5 m before the subject, 0.4 m above it.
ModelData subjectBeforeAFloor(float focusDistanceM) {
  ModelData model;
  model.materials.emplace_back();
  const auto mesh = [&](glm::vec3 low, glm::vec3 high) {
    Primitive primitive;
    primitive.bounds.add(low);
    primitive.bounds.add(high);
    model.meshes.push_back({.name = {}, .primitives = {primitive}});
    ModelNode node;
    node.mesh = static_cast<int>(model.meshes.size()) - 1;
    model.nodes.push_back(node);
  };
  mesh(glm::vec3(-0.17f), glm::vec3(0.17f));
  if (focusDistanceM > 0.0f) mesh({-9, -0.2f, -13}, {9, -0.2f, 5});
  ModelNode camera;
  camera.matrix = glm::inverse(glm::lookAt(glm::vec3(0, 0.4f, 1.5f), glm::vec3(0), glm::vec3(0, 1, 0)));
  model.nodes.push_back(camera);
  model.cameras.push_back({.name = {},
                           .node = static_cast<int>(model.nodes.size()) - 1,
                           .verticalFov = 0.5f,
                           .focusDistanceM = focusDistanceM});
  return model;
}

TEST(FrameModel, AnOrbitFromACameraOfTheFileKeepsTheSubjectInView) {
  for (const float focusDistanceM : {0.0f, 1.4f}) {
    const ModelData model = subjectBeforeAFloor(focusDistanceM);
    const Framing framing = frameModel({}, {}, model, pose(model, -1, 0.0));
    for (const float degrees : {-120.0f, -60.0f, 0.0f, 60.0f, 120.0f}) {
      CameraSettings camera = framing.camera;
      camera.yawDegrees += degrees;
      const Pinhole pinhole = makePinhole(camera, {1280, 720}, kNearM, {});
      EXPECT_NEAR(pinhole.distanceM(glm::vec3(0.0f)), 1.55f, 0.3f) << focusDistanceM << " " << degrees;
      const glm::vec4 clip = pinhole.worldToClip() * glm::vec4(0, 0, 0, 1);
      EXPECT_LT(glm::length(glm::vec2(clip) / clip.w), 0.5f) << focusDistanceM << " " << degrees;
    }
    EXPECT_LT(glm::distance(cameraFrame(framing.camera).eye, glm::vec3(0, 0.4f, 1.5f)), 1e-4f);
  }
}

// Squares of half-width 0.5 at these places, each facing z.
ModelData squaresAt(const std::vector<glm::vec3>& places) {
  ModelData model;
  model.materials.emplace_back();
  Primitive primitive;
  primitive.indices = 6;
  primitive.vertices = 4;
  for (const glm::vec2 corner : {glm::vec2(-0.5f), glm::vec2(0.5f, -0.5f), glm::vec2(0.5f), glm::vec2(-0.5f, 0.5f)}) {
    model.vertices.push_back({.position = glm::vec3(corner, 0.0f)});
    primitive.bounds.add(model.vertices.back().position);
  }
  model.indices = {0, 1, 2, 0, 2, 3};
  model.meshes.push_back({.name = {}, .primitives = {primitive}});
  for (const glm::vec3& place : places) {
    ModelNode node;
    node.mesh = 0;
    node.placement.translation = place;
    model.nodes.push_back(node);
  }
  return model;
}

void addCamera(ModelData& model, const glm::mat4& place) {
  ModelNode node;
  node.matrix = place;
  model.nodes.push_back(node);
  model.cameras.push_back({.name = {}, .node = static_cast<int>(model.nodes.size()) - 1});
}

Framing framed(const ModelData& model) { return frameModel({}, {}, model, pose(model, -1, 0.0)); }

TEST(FrameModel, FocusesOnWhatIsInTheMiddle) {
  ModelData model = squaresAt({glm::vec3(0), glm::vec3(0, 0, -60), glm::vec3(2, 0, 1)});
  addCamera(model, glm::translate(glm::mat4(1.0f), glm::vec3(0.3f, 0.2f, 3)));
  EXPECT_NEAR(framed(model).focusDistanceM, 3.0f, 1e-5f);
  model.materials[0].alphaMode = AlphaMode::blend;
  EXPECT_GT(framed(model).focusDistanceM, 10.0f) << "glass is not in focus: the centre of all";
  model = squaresAt({glm::vec3(0), glm::vec3(0, 0, 0.25f)});
  CameraSettings camera{.yawDegrees = 0.0f, .pitchDegrees = 0.0f};
  ModelSettings settings;
  settings.camera = 0;
  const Framing framing = frameModel(settings, camera, model, pose(model, -1, 0.0));
  EXPECT_NEAR(framing.focusDistanceM, framing.camera.distanceM - 0.125f, 1e-5f);
}

TEST(FrameModel, KeepsAnyPitchAndRollOfACameraOfTheFile) {
  const glm::vec3 eye(1, 2, 3);
  for (const auto& [target, up] :
       {std::pair(glm::vec3(1, 5, 0), glm::vec3(0, 1, 0)), std::pair(glm::vec3(1, 2, 0), glm::vec3(1, 1, 0)),
        std::pair(glm::vec3(-2, 9, 4), glm::vec3(0, -1, 0.2f)),
        std::pair(glm::vec3(1, -2, 3), glm::vec3(0.6f, 0, 0.8f))}) {
    ModelData model = squaresAt({glm::vec3(0, 0, -9)});
    const glm::mat4 place = glm::inverse(glm::lookAt(eye, target, up));
    addCamera(model, place);
    const CameraFrame frame = cameraFrame(framed(model).camera);
    EXPECT_LT(glm::distance(frame.eye, eye), 1e-4f);
    EXPECT_LT(glm::distance(frame.forward, -glm::vec3(place[2])), 1e-3f);
    EXPECT_LT(glm::distance(frame.up, glm::vec3(place[1])), 1e-3f);
    EXPECT_LT(glm::distance(frame.right, glm::vec3(place[0])), 1e-3f);
  }
}

TEST(FirstHit, FollowsSkinsAndMorphTargets) {
  ModelData model = squaresAt({glm::vec3(0)});
  Primitive& primitive = model.meshes[0].primitives[0];
  const Ray ray{glm::vec3(0.1f, 0.1f, 5), glm::vec3(0, 0, -1)};
  const auto hit = [&] { return firstHit(model, pose(model, -1, 0.0), ray); };
  EXPECT_NEAR(hit()->distance, 5.0f, 1e-5f);
  EXPECT_FALSE(firstHit(model, pose(model, -1, 0.0), {ray.from, -ray.direction})) << "behind";
  MorphTarget target{0, {}};
  target.displacement.add(glm::vec3(0, 0, 2));
  model.displacements.assign(4, {.position = glm::vec3(0, 0, 2)});
  primitive.targets = {target};
  model.meshes[0].targets = 1;
  model.morphWeights = {0.5f};
  EXPECT_NEAR(hit()->distance, 4.0f, 1e-5f);
  // The joint is 1 nearer than the node.
  ModelNode joint;
  joint.placement.translation = glm::dvec3(0, 0, 1);
  model.nodes.push_back(joint);
  model.skins.push_back({{1}, {glm::mat4(1.0f)}});
  model.nodes[0].skin = 0;
  model.weights.assign(4, {.joints = glm::u16vec4(0), .weights = glm::vec4(1, 0, 0, 0)});
  primitive.skinned = true;
  primitive.joints = {{0, primitive.bounds}};
  EXPECT_NEAR(hit()->distance, 3.0f, 1e-5f);
  // The point that is hit moves with the joint and the morph target.
  const auto found = hit();
  ASSERT_TRUE(found);
  const auto place = [&] { return positionOf(model, pose(model, -1, 0.0), found->point).value(); };
  EXPECT_LT(glm::distance(place(), glm::vec3(0.1f, 0.1f, 2)), 1e-5f);
  model.nodes.back().placement.translation = glm::dvec3(3, 0, 1);
  model.morphWeights = {1.0f};
  EXPECT_LT(glm::distance(place(), glm::vec3(3.1f, 0.1f, 3)), 1e-5f);
  EXPECT_FALSE(positionOf(model, pose(model, -1, 0.0), {1000, {}})) << "of another model";
}

TEST(FirstHit, APointOfANodeMovesWithIt) {
  ModelData model = squaresAt({glm::vec3(0)});
  const Ray ray{glm::vec3(0.1f, 0.1f, 5), glm::vec3(0, 0, -1)};
  const auto hit = firstHit(model, pose(model, -1, 0.0), ray);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->point.object, 1);
  model.nodes[0].placement.rotation = glm::quat(std::sqrt(0.5f), 0, 0, std::sqrt(0.5f));  // a quarter turn about z
  const auto place = positionOf(model, pose(model, -1, 0.0), hit->point);
  EXPECT_LT(glm::distance(*place, glm::vec3(-0.1f, 0.1f, 0)), 1e-5f);
}

TEST_F(ModelSceneTest, TheGroundShowsNothingButTheShadow) {
  const std::string path =
      file("standing.glb", R"({"mesh":0,"rotation":[0,0.4,0,0.9165151]})", R"({"doubleSided":true})", 1);
  view_.scene.model.environment.text = "studio";
  view_.camera = {.yawDegrees = 20, .pitchDegrees = 35, .distanceM = 5, .targetYM = 0};
  const auto plain = drawFile(path);
  view_.scene.model.ground = true;
  const auto shown = drawFile(path);
  EXPECT_EQ(shown.frame.nearestM, scene_->nearestM(view_, kSize));
  EXPECT_LE(shown.frame.nearestM, plain.frame.nearestM);
  int shadowed = 0;
  float darkest = 1.0f;
  for (std::size_t i = 0; i < plain.colour.size(); ++i) {
    if (shown.colour[i] == plain.colour[i]) continue;
    ++shadowed;
    EXPECT_EQ(plain.depth[i], 0.0f) << "the sky was there";
    EXPECT_GT(shown.depth[i], 0.0f);
    for (int c = 0; c < 3; ++c) EXPECT_LE(shown.colour[i][c], plain.colour[i][c] + 2e-3f);
    darkest = std::min(darkest, shown.colour[i].g / plain.colour[i].g);
  }
  EXPECT_GT(shadowed, 20);
  EXPECT_LT(darkest, 0.7f);
  view_.camera.pitchDegrees = -20;
  view_.scene.model.ground = false;
  const auto below = drawFile(path);
  view_.scene.model.ground = true;
  EXPECT_EQ(drawFile(path).colour, below.colour) << "seen from below there is no ground";
}

// A square that faces x, and a lamp on one side of it.
TEST_F(ModelSceneTest, LampsCastShadowsOnTheGround) {
  view_.scene.model.environment.text = "studio";
  view_.scene.model.environmentStrength = 0.01f;
  view_.camera = {.yawDegrees = 0, .pitchDegrees = 40, .distanceM = 5, .targetYM = 0};
  for (const std::string& light : {R"("type":"point","intensity":9)"s, R"("type":"directional","intensity":3)"s})
    for (const int side : {-1, 1}) {
      GlbMaker maker;
      const std::string square = maker.square();
      const std::string turn =
          side < 0 ? "-0.2705981,0.2705981" : "0.2705981,-0.2705981";  // down and to the other side
      const std::string path = folder_.write(
          std::to_string(light.size()) + (side < 0 ? "left.glb" : "right.glb"),
          maker.make(R"("extensionsUsed":["KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[{)" +
                     light +
                     R"(}]}},"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0,"rotation":[0,0.7071068,0,0.7071068]},
          {"translation":[)" +
                     std::to_string(2 * side) + R"(,1.5,0],"rotation":[-0.6532815,)" + turn +
                     R"(,0.6532815],"extensions":{"KHR_lights_punctual":{"light":0}}}],
          "materials":[{"doubleSided":true}],"meshes":[{"primitives":[{"material":0,)" +
                     square + "}]}]"));
      view_.scene.model.ground = false;
      const auto plain = drawFile(path);
      ASSERT_EQ(scene_->message(), "");
      view_.scene.model.ground = true;
      const auto shown = drawFile(path);
      std::array<int, 2> dark{};
      for (std::size_t i = 0; i < plain.colour.size(); ++i)
        if (plain.depth[i] == 0.0f && shown.colour[i].g < 0.3f * plain.colour[i].g)
          ++dark[i % static_cast<std::size_t>(kSize.x) < static_cast<std::size_t>(kSize.x) / 2 ? 0 : 1];
      EXPECT_GT(dark[side < 0 ? 1 : 0], 20) << light << side;
      EXPECT_LT(dark[side < 0 ? 0 : 1], 3) << light << side;
    }
}

TEST(GroundLight, ComesFromTheBrighterSide) {
  Irradiance light{};
  light[0] = glm::vec3(1.0f);
  const GroundLight even = groundLight(light, glm::mat3(1.0f));
  EXPECT_LT(glm::distance(even.to, glm::vec3(0, 1, 0)), 1e-5f);
  light[3] = glm::vec3(0.9f);  // x
  light[1] = glm::vec3(0.5f);  // y
  const GroundLight side = groundLight(light, glm::mat3(1.0f));
  EXPECT_GT(side.to.x, 0.5f);
  EXPECT_GT(side.to.y, 0.5f);
  EXPECT_LT(side.spread, even.spread);
  ModelSettings turned;
  turned.environmentDegrees = 90.0f;
  EXPECT_GT(std::abs(groundLight(light, toEnvironment(turned)).to.z), 0.5f);
}

// The square moves to the left by 3 and nearer by 1 within 2 s.
TEST_F(ModelSceneTest, ClipsMoveVerticesByMorphTargets) {
  GlbMaker maker;
  const std::string square = maker.square();
  const std::string left = std::to_string(maker.vec3s({-3, 0, 0, -3, 0, 0, -3, 0, 0, -3, 0, 0}));
  const std::string near = std::to_string(maker.vec3s({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}));
  const std::string times = std::to_string(maker.accessor(std::vector<float>{0, 2}, "SCALAR", 1, 5126));
  const std::string weights = std::to_string(maker.accessor(std::vector<float>{0, 0, 1, 1}, "SCALAR", 1, 5126));
  const std::string path = folder_.write(
      "morph.glb", maker.make(R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"materials":[)" + unlit("[1,0,0,1]") +
                              R"(],"meshes":[{"primitives":[{"material":0,)" + square + R"(,"targets":[{"POSITION":)" +
                              left + R"(},{"POSITION":)" + near + R"(}]}]}],"animations":[{"samplers":[{"input":)" +
                              times + R"(,"output":)" + weights +
                              R"(}],"channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}]}])"));
  // Depth 0 is the sky.
  const auto depthAt = [&](double timeS, int clip) {
    view_.timeS = timeS;
    view_.scene.model.clip = clip;
    return drawFile(path).depthAt(kSize / 2);
  };
  EXPECT_NEAR(kNearM / depthAt(0.0, 1), 2.0f, 1e-3f);
  EXPECT_NEAR(kNearM / depthAt(0.5, 1), 1.75f, 1e-3f);
  EXPECT_EQ(depthAt(1.5, 1), 0.0f) << "the square has left the centre";
  EXPECT_NEAR(kNearM / depthAt(1.5, 0), 2.0f, 1e-3f) << "at rest";
  view_.timeS = 0.5;
  view_.scene.model.clip = 1;
  EXPECT_NEAR(drawFile(path).frame.nearestM, 1.75f, 1e-3f) << "the bounds follow the weights";
}

// The texture has red and green over blue and white.
TEST_F(ModelSceneTest, TransformsTextureCoordinates) {
  struct Case {
    std::string info;       // more members of the texture's use
    glm::vec3 left, right;  // expected in the upper half
  };
  const glm::vec3 red(1, 0, 0), green(0, 1, 0), blue(0, 0, 1), white(1);
  const auto transform = [](const std::string& members) {
    return R"(,"extensions":{"KHR_texture_transform":{)" + members + "}}";
  };
  int files = 0;
  const std::vector<std::uint8_t> pixels = {0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 255, 0};  // bottom first
  for (const Case& c :
       {Case{"", red, green}, Case{transform(R"("offset":[0.5,0])"), green, red},
        Case{transform(R"("offset":[0,0.5])"), blue, white}, Case{transform(R"("scale":[-1,1])"), green, red},
        Case{transform(R"("scale":[0.5,0.5])"), red, red},
        // By 90 degrees counter-clockwise: (u, v) becomes (v, 1 - u).
        Case{transform(R"("rotation":1.57079633,"offset":[0,1])"), blue, red},
        // The second set is turned over: v becomes 1 - v.
        Case{R"(,"texCoord":1)", blue, white}, Case{transform(R"("texCoord":1,"offset":[0.5,0])"), white, blue}}) {
    GlbMaker maker;
    std::string square = maker.square();
    const int flipped = maker.accessor(std::vector<float>{0, 0, 1, 0, 1, 1, 0, 1}, "VEC2", 2, 5126);
    square.insert(square.find('}'), R"(,"TEXCOORD_1":)" + std::to_string(flipped));
    const int view = maker.view(encodePng(pixels.data(), {2, 2}, 8, {}));
    const auto drawn = drawFile(folder_.write(
        "texture" + std::to_string(++files) + ".glb",
        maker.make(R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"material":0,)" + square +
                   R"(}]}],"extensionsRequired":["KHR_texture_transform"],
            "materials":[{"extensions":{"KHR_materials_unlit":{}},
            "pbrMetallicRoughness":{"baseColorTexture":{"index":0)" +
                   c.info + R"(}}}],"textures":[{"source":0,"sampler":0}],"samplers":[{"magFilter":9728}],
            "images":[{"mimeType":"image/png","bufferView":)" +
                   std::to_string(view) + "}]")));
    const auto at = [&](int x) {
      return glm::vec3(drawn.colour[static_cast<std::size_t>((kSize.y / 2 + 6) * kSize.x + kSize.x / 2 + x)]);
    };
    EXPECT_NEAR(glm::distance(at(-6), c.left), 0.0f, 1e-3f) << c.info;
    EXPECT_NEAR(glm::distance(at(6), c.right), 0.0f, 1e-3f) << c.info;
  }
}

TEST(ModelScale, KeepsMetresUnlessTheModelIsTinyOrHuge) {
  const auto scaleOf = [](float side, float eye = 0.0f, float focus = 0.0f) {
    ModelData model = squaresAt({glm::vec3(0)});
    model.nodes[0].matrix = glm::scale(glm::mat4(1.0f), glm::vec3(side));
    if (eye > 0.0f) {
      addCamera(model, glm::translate(glm::mat4(1.0f), glm::vec3(3e-4f, 2e-4f, eye)));
      model.cameras[0].focusDistanceM = focus;
    }
    return modelScale({}, model);
  };
  const float unit = 0.5f / scaleOf(1e-3f);  // radius of the square, in thousandths
  EXPECT_EQ(scaleOf(1.0f), 1.0f);
  EXPECT_EQ(modelScale({}, {}), 1.0f);
  EXPECT_NEAR(scaleOf(1000.0f), 0.5f / (1e6f * unit), 1e-7f);
  EXPECT_NEAR(scaleOf(1000.0f, 50.0f), 0.02f, 1e-6f) << "the camera is a metre away";
  EXPECT_NEAR(scaleOf(1000.0f, 50.0f, 25.0f), 0.04f, 1e-6f) << "the subject of its focus";
  EXPECT_NEAR(scaleOf(1000.0f, 1e-3f), 60.0f / (1e6f * unit), 1e-5f) << "but the model stays below 60 m";
  EXPECT_EQ(scaleOf(1000.0f, 1e5f), scaleOf(1000.0f)) << "from far away";
  ModelSettings settings;
  settings.scale = 3.0f;
  EXPECT_EQ(modelScale(settings, squaresAt({glm::vec3(0)})), 3.0f);
}

TEST_F(ModelSceneTest, AMissingFileIsNamedOnce) {
  drawFile("missing.glb");
  EXPECT_EQ(scene_->message(), "cannot read the model missing.glb: No such file or directory");
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

// Uploading one texture a frame keeps the window responsive.
TEST_F(ModelSceneTest, TexturesAreUploadedOneByOne) {
  auto data = std::make_shared<ModelData>();
  data->images.assign(2, {"", {1, 1}, {glm::u8vec4(255)}});
  data->materials.resize(2);
  data->materials[0].baseColourTexture.image = data->materials[1].baseColourTexture.image = 0;
  data->materials[1].emissiveTexture.image = 1;
  data->materials[1].normalTexture.image = 1;
  GpuModel model(data);
  EXPECT_EQ(model.textureBytes(), 0u);
  std::vector<float> parts;
  for (int i = 0; i < 3; ++i) parts.push_back(model.upload());
  EXPECT_THAT(parts, testing::ElementsAre(1.0f / 3, 2.0f / 3, 1.0f));
  EXPECT_EQ(model.upload(), 1.0f);
}

// A grey surface in even white light of strength 1 sends back its albedo, up to the mirrored part.
TEST_F(ModelSceneTest, EvenLightGivesTheAlbedo) {
  view_.scene.model.file.text =
      file("grey.glb", R"({"mesh":0,"scale":[0.2,0.2,0.2]})",
           R"({"pbrMetallicRoughness":{"baseColorFactor":[0.5,0.5,0.5,1],"metallicFactor":0,"roughnessFactor":1}})", 1);
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
