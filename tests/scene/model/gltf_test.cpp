#include <gmock/gmock.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <numbers>
#include <random>

#include "app/core/files/data_dir.h"
#include "app/core/files/files.h"
#include "app/io/formats/png.h"
#include "app/scene/model/gltf/buffers.h"
#include "app/scene/model/reader.h"
#include "tests/scene/model/glb.h"
#include "tests/support/reason.h"
#include "tests/support/with_damage.h"

namespace satdof {
namespace {

using test::GlbMaker;
using testing::HasSubstr;

ModelData parse(const std::string& bytes, const std::filesystem::path& folder = {}) {
  LoadProgress progress;
  return parseGltf({bytes, folder, {}}, progress);
}

std::string problemOf(const std::string& bytes, const std::filesystem::path& folder = {}) {
  return test::reasonOf([&] { parse(bytes, folder); });
}

constexpr const char* kOneNode = R"("scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}])";

void expectNear(const glm::vec3& a, const glm::vec3& b, float within = 1e-5f) {
  EXPECT_NEAR(glm::distance(a, b), 0.0f, within) << a.x << " " << a.y << " " << a.z;
}

TEST(Gltf, ReadsATriangleAndComputesItsNormal) {
  GlbMaker maker;
  maker.vec3s({0, 0, 0, 2, 0, 0, 0, 0, -3});
  const ModelData model =
      parse(maker.make(std::string(kOneNode) + R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}])"));
  ASSERT_EQ(model.triangles(), 1u);
  const Primitive& primitive = model.meshes.at(0).primitives.at(0);
  EXPECT_EQ(primitive.bounds.low, glm::vec3(0, 0, -3));
  EXPECT_EQ(primitive.bounds.high, glm::vec3(2, 0, 0));
  for (std::uint32_t i = 0; i < 3; ++i)
    expectNear(model.vertices[primitive.firstVertex + model.indices[primitive.firstIndex + i]].normal, {0, 1, 0});
  ASSERT_EQ(model.materials.size(), 1u) << "the default material";
  EXPECT_EQ(model.materials[0].metallic, 1.0f);
}

TEST(Gltf, PlacesNodesUnderTheirParents) {
  GlbMaker maker;
  const std::string square = maker.square();
  // The parent comes last in the file: moved by (0, 10, 0) and turned by 90 degrees about y.
  const ModelData model = parse(maker.make(
      R"("scenes":[{"nodes":[2]}],"nodes":[{"mesh":0,"translation":[1,0,0]},
      {"matrix":[2,0,0,0, 0,2,0,0, 0,0,2,0, 5,6,7,1],"children":[0]},
      {"translation":[0,10,0],"rotation":[0,0.70710678,0,0.70710678],"children":[1]}],
      "meshes":[{"primitives":[{)" +
      square + "}]}]"));
  ASSERT_EQ(model.nodes.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(model.nodes[i].parent, static_cast<int>(i));
  const auto world = worldTransforms(model, -1, 0.0);
  // (1, 0, 0) -> matrix: (7, 6, 7) -> turn (x, z) to (z, -x): (7, 6, -7) -> up by 10.
  for (std::size_t i = 0; i < 3; ++i)
    if (model.nodes[i].mesh == 0) expectNear(glm::vec3(world[i][3]), {7, 16, -7}, 1e-4f);
  const Bounds all = bounds(model, pose(model, -1, 0.0));
  expectNear(all.low, {7, 14, -9}, 1e-4f);
  expectNear(all.high, {7, 18, -5}, 1e-4f);
}

TEST(Gltf, ReadsMaterialsAndTextures) {
  GlbMaker maker;
  const std::string square = maker.square();
  const std::vector<std::uint8_t> pixels = {10, 20, 30, 40, 50, 60};  // bottom row, top row
  const int view = maker.view(encodePng(pixels.data(), {1, 2}, 8, {}));
  const ModelData model =
      parse(maker.make(std::string(kOneNode) + R"(,"meshes":[{"primitives":[{"material":1,)" + square + R"(}]}],
      "materials":[{},{"name":"m","pbrMetallicRoughness":{"baseColorFactor":[0.1,0.2,0.3,0.4],"metallicFactor":0.25,
      "roughnessFactor":0.75,"baseColorTexture":{"index":0}},"normalTexture":{"index":0,"scale":0.5,"texCoord":1},
      "occlusionTexture":{"index":0,"strength":0.3},"emissiveFactor":[1,0.5,0],"alphaMode":"MASK","alphaCutoff":0.7,
      "doubleSided":true,"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":8}}}],
      "textures":[{"source":0,"sampler":0}],"samplers":[{"wrapS":33071,"wrapT":33648,"magFilter":9728}],
      "images":[{"mimeType":"image/png","bufferView":)" +
                       std::to_string(view) + "}]"));
  const ModelMaterial& m = model.materials.at(1);
  EXPECT_EQ(m.baseColour, glm::vec4(0.1f, 0.2f, 0.3f, 0.4f));
  EXPECT_EQ(m.metallic, 0.25f);
  EXPECT_EQ(m.roughness, 0.75f);
  EXPECT_EQ(m.normalScale, 0.5f);
  EXPECT_EQ(m.normalTexture.uvSet, 1);
  EXPECT_EQ(m.occlusionStrength, 0.3f);
  EXPECT_EQ(m.emissive, glm::vec3(8, 4, 0));
  EXPECT_EQ(m.alphaMode, AlphaMode::mask);
  EXPECT_EQ(m.alphaCutoff, 0.7f);
  EXPECT_TRUE(m.doubleSided);
  EXPECT_EQ(m.baseColourTexture.wrapU, Wrap::clamp);
  EXPECT_EQ(m.baseColourTexture.wrapV, Wrap::mirror);
  EXPECT_TRUE(m.baseColourTexture.nearest);
  ASSERT_EQ(model.images.size(), 1u);
  EXPECT_EQ(model.images[0].size, glm::ivec2(1, 2));
  EXPECT_EQ(model.images[0].texels[0], glm::u8vec4(40, 50, 60, 255)) << "top row first";
  // u grows along x and v downwards, so the bitangent points up: w is 1.
  const Primitive& primitive = model.meshes[0].primitives[0];
  const glm::vec4 tangent = model.vertices[primitive.firstVertex].tangent;
  expectNear(glm::vec3(tangent), {1, 0, 0});
  EXPECT_EQ(tangent.w, 1.0f);
}

TEST(Gltf, ReadsCamerasAndLights) {
  const ModelData model =
      parse(GlbMaker().make(R"("scenes":[{"nodes":[0,1]}],"nodes":[{"camera":0,"translation":[1,2,3]},
      {"extensions":{"KHR_lights_punctual":{"light":0}}}],
      "cameras":[{"type":"perspective","perspective":{"yfov":0.5,"znear":0.1}}],
      "extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","color":[1,0.5,0],"intensity":10,"range":7,
      "spot":{"innerConeAngle":0.1,"outerConeAngle":0.4}}]}})"));
  ASSERT_EQ(model.cameras.size(), 1u);
  EXPECT_EQ(model.cameras[0].verticalFov, 0.5f);
  ASSERT_EQ(model.lights.size(), 1u);
  EXPECT_EQ(model.lights[0].kind, LightKind::spot);
  EXPECT_EQ(model.lights[0].colour, glm::vec3(10, 5, 0));
  EXPECT_EQ(model.lights[0].rangeM, 7.0f);
  EXPECT_EQ(model.lights[0].outerCone, 0.4f);
}

TEST(Gltf, StripsAndFansBecomeTriangles) {
  for (const int mode : {4, 5, 6}) {
    GlbMaker maker;
    const std::string square = maker.square();
    const int corners = maker.accessor(std::vector<std::uint8_t>{0, 1, 3, 2}, "SCALAR", 1, 5121);
    std::string primitive = square.substr(0, square.rfind(':') + 1) + std::to_string(mode == 4 ? 3 : corners);
    if (mode == 6) {
      const int fan = maker.accessor(std::vector<std::uint32_t>{0, 1, 2, 3}, "SCALAR", 1, 5125);
      primitive = square.substr(0, square.rfind(':') + 1) + std::to_string(fan);
    }
    const ModelData model = parse(maker.make(std::string(kOneNode) + R"(,"meshes":[{"primitives":[{"mode":)" +
                                             std::to_string(mode) + "," + primitive + "}]}]"));
    ASSERT_EQ(model.triangles(), 2u) << mode;
    for (std::size_t i = 0; i < 6; i += 3) {  // counter-clockwise, like the normals
      const auto at = [&](std::size_t k) { return model.vertices[model.indices[i + k]].position; };
      EXPECT_GT(glm::cross(at(1) - at(0), at(2) - at(0)).z, 0.0f) << mode;
    }
  }
}

TEST(Gltf, ReadsNormalisedAndSparseValues) {
  GlbMaker maker;
  const int indices = maker.view(std::string("\2\0", 2));
  const std::array values = {7.0f, 8.0f, 9.0f};
  const int moved = maker.view({reinterpret_cast<const char*>(values.data()), 12});
  const int positions =
      maker.accessor(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3", 3, 5126,
                     R"(,"sparse":{"count":1,"indices":{"componentType":5123,"bufferView":)" + std::to_string(indices) +
                         R"(},"values":{"bufferView":)" + std::to_string(moved) + "}}");
  const int colours = maker.accessor(std::vector<std::uint8_t>{255, 0, 51, 255, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4", 4,
                                     5121, R"(,"normalized":true)");
  const ModelData model =
      parse(maker.make(std::string(kOneNode) + R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":)" +
                       std::to_string(positions) + R"(,"COLOR_0":)" + std::to_string(colours) + "}}]}]"));
  EXPECT_EQ(model.vertices[2].position, glm::vec3(7, 8, 9));
  EXPECT_EQ(model.vertices[0].colour, glm::u16vec4(65535, 0, 13107, 65535));
}

// Values of the interpolations at given times.
TEST(ModelPose, InterpolatesChannels) {
  Channel channel{.node = 0, .path = Path::translation, .timesS = {1, 3}, .values = {{2, 0, 0, 0}, {4, 8, 0, 0}}};
  EXPECT_EQ(valueAt(channel, 0.0f), glm::vec4(2, 0, 0, 0)) << "clamped";
  EXPECT_EQ(valueAt(channel, 2.0f), glm::vec4(3, 4, 0, 0));
  EXPECT_EQ(valueAt(channel, 9.0f), glm::vec4(4, 8, 0, 0));
  channel.interpolation = KeyInterpolation::step;
  EXPECT_EQ(valueAt(channel, 2.9f), glm::vec4(2, 0, 0, 0));
  channel.interpolation = KeyInterpolation::cubic;  // in-tangent, value, out-tangent
  channel.values = {{0, 0, 0, 0}, {2, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {4, 0, 0, 0}, {0, 0, 0, 0}};
  EXPECT_NEAR(valueAt(channel, 2.0f).x, 3.0f, 1e-6f) << "a straight line has the tangent 1";
  channel.values[2].x = 0;
  channel.values[3].x = 0;
  EXPECT_NEAR(valueAt(channel, 1.5f).x, 2 + 2 * (3 * 0.0625f - 2 * 0.015625f), 1e-6f) << "smoothstep";
  const float half = std::numbers::sqrt2_v<float> / 2;
  const Channel turn{.node = 0, .path = Path::rotation, .timesS = {0, 1}, .values = {{0, 0, 0, 1}, {0, half, 0, half}}};
  const glm::vec4 q = valueAt(turn, 0.5f);
  EXPECT_NEAR(2 * std::acos(q.w), std::numbers::pi_v<float> / 4, 1e-5f);
}

TEST(ModelPose, PlaysClipsInACircle) {
  GlbMaker maker;
  const std::string square = maker.square();
  const int times = maker.accessor(std::vector<float>{0, 2}, "SCALAR", 1, 5126);
  const int values = maker.vec3s({0, 0, 0, 4, 0, 0});
  const ModelData model = parse(maker.make(
      std::string(kOneNode) + R"(,"meshes":[{"primitives":[{)" + square +
      R"(}]}],"animations":[{"samplers":[{"input":)" + std::to_string(times) + R"(,"output":)" +
      std::to_string(values) + R"(}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}])"));
  ASSERT_EQ(model.clips.size(), 1u);
  EXPECT_EQ(model.clips[0].durationS, 2.0f);
  EXPECT_EQ(pose(model, 0, 0.5).world[0][3].x, 1.0f);
  EXPECT_EQ(pose(model, 0, 2.5).world[0][3].x, 1.0f) << "repeats";
  EXPECT_EQ(pose(model, -1, 0.5).world[0][3].x, 0.0f) << "at rest";
  EXPECT_EQ(pose(model, 7, 0.5).world[0][3].x, 0.0f) << "no such clip";
}

TEST(Gltf, SkinsHaveNormalisedWeightsAndBoundsOfTheirJoints) {
  GlbMaker maker;
  const std::string square = maker.square();
  const int joints =
      maker.accessor(std::vector<std::uint8_t>{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4", 4, 5121);
  const int weights =
      maker.accessor(std::vector<float>{1, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0}, "VEC4", 4, 5126);
  const std::string attributes = square.substr(0, square.find('}')) + R"(,"JOINTS_0":)" + std::to_string(joints) +
                                 R"(,"WEIGHTS_0":)" + std::to_string(weights) + square.substr(square.find('}'));
  const ModelData model = parse(maker.make(
      R"("scenes":[{"nodes":[0,1,2]}],"nodes":[{"mesh":0,"skin":0},{"translation":[0,5,0]},{"translation":[0,-5,0]}],
      "skins":[{"joints":[1,2]}],"meshes":[{"primitives":[{)" +
      attributes + "}]}]"));
  EXPECT_EQ(model.weights[0].weights, glm::vec4(0.25f, 0.75f, 0, 0));
  EXPECT_EQ(model.weights[2].weights, glm::vec4(1, 0, 0, 0)) << "no weights: the first joint";
  const Bounds all = bounds(model, pose(model, -1, 0));
  EXPECT_EQ(all.low.y, -6.0f);
  EXPECT_EQ(all.high.y, 6.0f);
}

// A triangle of two morph targets; with `normals`, its vertices are shared.
std::string morphing(bool normals, const std::string& nodeWeights, const std::string& animation) {
  GlbMaker maker;
  const int positions = maker.vec3s({0, 0, 0, 1, 0, 0, 0, 1, 0});
  const int up = maker.vec3s({0, 0, 0, 0, 2, 0, 0, 0, 4});
  const int turned = maker.vec3s({0, 0, 1, 0, 0, 1, 0, 0, 1});
  const int times = maker.accessor(std::vector<float>{0, 2}, "SCALAR", 1, 5126);
  const int weights = maker.accessor(std::vector<float>{0, 1, 1, -1}, "SCALAR", 1, 5126);
  const int spline = maker.accessor(std::vector<float>{0, 0, 0, 1, 1, 0, 1, 0, 2, 5, 0, 0}, "SCALAR", 1, 5126);
  const std::string output = std::to_string(animation == "CUBICSPLINE" ? spline : weights);
  std::string attributes = R"({"POSITION":)" + std::to_string(positions);
  if (normals) attributes += R"(,"NORMAL":)" + std::to_string(turned);
  return maker.make(R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0)" + nodeWeights +
                    R"(}],"meshes":[{"weights":[0.5],"primitives":[{"attributes":)" + attributes +
                    R"(},"targets":[{"POSITION":)" + std::to_string(up) + R"(},{"NORMAL":)" + std::to_string(up) +
                    R"(}]}]}],"animations":[{"samplers":[{"input":)" + std::to_string(times) + R"(,"output":)" +
                    output + R"(,"interpolation":")" + animation +
                    R"("}],"channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}]}])");
}

TEST(Gltf, ReadsMorphTargets) {
  for (const bool normals : {true, false}) {
    const ModelData model = parse(morphing(normals, "", "LINEAR"));
    const Primitive& primitive = model.meshes.at(0).primitives.at(0);
    ASSERT_EQ(primitive.targets.size(), 2u);
    ASSERT_EQ(model.displacements.size(), 6u);
    const auto displacement = [&](std::size_t target, std::size_t vertex) {
      return model.displacements[primitive.targets[target].first + vertex];
    };
    expectNear(displacement(0, 1).position, {0, 2, 0});
    expectNear(displacement(0, 1).normal, {0, 0, 0});
    expectNear(displacement(1, 2).normal, {0, 0, 4});
    // The mesh sets the first weight; the second is 0. The box (0, 0, 0)-(1, 1, 0) grows by 1 along y and by 2 along z.
    EXPECT_THAT(model.morphWeights, testing::ElementsAre(0.5f, 0.0f));
    const Bounds all = bounds(model, pose(model, -1, 0));
    expectNear(all.low, {0, 0, 0});
    expectNear(all.high, {1, 2, 2});
  }
  EXPECT_THAT(parse(morphing(true, R"(,"weights":[-1,3])", "LINEAR")).morphWeights, testing::ElementsAre(-1.0f, 3.0f))
      << "the weights of the node";
}

TEST(ModelPose, ClipsMoveMorphWeights) {
  const ModelData linear = parse(morphing(true, "", "LINEAR"));
  EXPECT_EQ(linear.clips.at(0).durationS, 2.0f);
  EXPECT_THAT(morphWeights(linear, 0, 0.0), testing::ElementsAre(0.0f, 1.0f));
  EXPECT_THAT(morphWeights(linear, 0, 0.5), testing::ElementsAre(0.25f, 0.5f));
  EXPECT_THAT(morphWeights(linear, 0, 3.5), testing::ElementsAre(0.75f, -0.5f)) << "repeats";
  EXPECT_THAT(morphWeights(linear, -1, 0.5), testing::ElementsAre(0.5f, 0.0f)) << "at rest";
  EXPECT_THAT(morphWeights(parse(morphing(true, "", "STEP")), 0, 1.9), testing::ElementsAre(0.0f, 1.0f));
  // In-tangents, values and out-tangents of both weights at each time: (0, 1) leaves with the slopes (1, 0) and reaches
  // (2, 5), which it enters with the slopes (1, 0).
  const auto half = morphWeights(parse(morphing(true, "", "CUBICSPLINE")), 0, 1.0);
  EXPECT_NEAR(half.at(0), 1.0f, 1e-6f) << "a straight line";
  EXPECT_NEAR(half.at(1), 3.0f, 1e-6f) << "smoothstep";
}

TEST(Gltf, MorphTargetsAreBounded) {
  EXPECT_THAT(problemOf(morphing(true, R"(,"weights":7)", "LINEAR")), HasSubstr("nodes[0].weights"));
  LoadProgress progress;
  ModelLimits limits;
  limits.displacements = 5;
  const std::string bytes = morphing(true, "", "LINEAR");
  EXPECT_THROW(parseGltf({bytes, {}, limits}, progress), std::runtime_error);
  limits.displacements = 6;
  EXPECT_NO_THROW(parseGltf({bytes, {}, limits}, progress));
  limits.morphWeights = 1;
  EXPECT_THROW(parseGltf({bytes, {}, limits}, progress), std::runtime_error);
}

struct Damage {
  const char* from;
  const char* to;
  const char* message;
};

TEST(Gltf, DamagedFilesAreRefusedWithTheirReason) {
  GlbMaker maker;
  const std::string square = maker.square();
  const std::string good = maker.json(std::string(R"("scene":0,"scenes":[{"nodes":[0]}],
      "nodes":[{"mesh":0,"children":[1]},{"children":[2]},{"name":"last"}],"meshes":[{"primitives":[{)") +
                                      square + "}]}]");
  ASSERT_EQ(problemOf(test::glb(good, maker.binary())), "accepted");
  for (const Damage& damage : std::initializer_list<Damage>{
           {R"("version":"2.0")", R"("version":"1.0")", "asset.version"},
           {R"("count":4)", R"("count":5)", "accessors[0]: ends beyond its buffer view"},
           {R"("count":4)", R"("count":4000000000)", "accessors[0].count"},
           {R"("count":4)", R"("count":-1)", "accessors[0].count"},
           {R"("count":4)", R"("count":"4")", "accessors[0].count"},
           {R"("count":6)", R"("count":1e300)", "accessors[3].count"},
           {R"("type":"VEC3")", R"("type":"MAT4")", "accessors[0].type"},
           {R"("componentType":5126)", R"("componentType":5124)", "accessors[0].componentType"},
           {R"("byteLength":48)", R"("byteLength":480000)", "bufferViews[0].byteLength"},
           {R"("byteOffset":0)", R"("byteOffset":18446744073709551615)", "bufferViews[0].byteOffset"},
           {R"("POSITION":0)", R"("POSITION":99)", "POSITION"},
           {R"("POSITION":0,)", "", "has no POSITION"},
           {R"("mesh":0)", R"("mesh":7)", "nodes[0].mesh"},
           {R"("children":[2])", R"("children":[0])", "two parents or is its own ancestor"},
           {R"({"name":"last"})", R"({"children":[2]})", "two parents or is its own ancestor"},
           {R"("children":[1])", R"("children":[])", "accepted"},
           {R"("children":[1])", R"("children":1)", "nodes[0].children"},
           {R"("nodes":[0])", R"("nodes":[-1])", "scenes[0].nodes"},
           {R"("mesh":0)", R"("mesh":0,"translation":[1,2])", "nodes[0].translation"},
           {R"("mesh":0)", R"("mesh":0,"translation":[1,2,1e99])", "nodes[0].translation"},
           {R"("mesh":0)", R"("mesh":0,"skin":0)", "nodes[0].skin"},
           {R"("buffers":[{)", R"("buffers":[{"uri":"data:,x",)", "base64"},
           {R"("buffers":[{)", R"("buffers":[{"uri":"data:a;base64,####",)", "base64"},
           {R"("buffers":[{)", R"("buffers":[{"uri":"beside.bin",)", "is not read"},
           {R"("scenes":[{)", R"("scenes":[7,{)", "scenes[0]"},
           {R"("asset")", R"("asset)", "damaged JSON"},
       }) {
    std::string bad = good;
    const auto at = bad.find(damage.from);
    ASSERT_NE(at, bad.npos) << damage.from;
    bad.replace(at, std::string(damage.from).size(), damage.to);
    const std::string problem = problemOf(test::glb(bad, maker.binary()));
    EXPECT_THAT(problem, HasSubstr(damage.message)) << damage.to;
    EXPECT_EQ(problem.find('\n'), problem.npos);
  }
}

TEST(Gltf, OtherFilesAreRefusedInPlainWords) {
  for (const char* bytes : {"", " \n", "\x8f\x01\xc3 noise", "glXF", "[1]"})
    EXPECT_THAT(problemOf(bytes), HasSubstr("neither GLB nor JSON of glTF")) << bytes;
}

TEST(Gltf, LimitsAreChecked) {
  GlbMaker maker;
  const std::string square = maker.square();
  const std::string file = maker.make(std::string(kOneNode) + R"(,"meshes":[{"primitives":[{)" + square + "}]}]");
  const auto with = [&](auto change) {
    ModelSource source{file, {}, {}};
    change(source.limits);
    LoadProgress progress;
    return test::reasonOf([&] { parseGltf(source, progress); });
  };
  EXPECT_EQ(with([](ModelLimits& l) { l.vertices = 4, l.triangles = 2, l.nodes = 1; }), "accepted");
  EXPECT_THAT(with([](ModelLimits& l) { l.vertices = 3; }), HasSubstr("accessors[0].count"));
  EXPECT_THAT(with([](ModelLimits& l) { l.triangles = 1; }), HasSubstr("exceeds the limit of 1 triangles"));
  EXPECT_THAT(with([](ModelLimits& l) { l.nodes = 0; }), HasSubstr("nodes"));
}

TEST(Gltf, VerticesWithoutDataAreCountedBeforeTheyTakeMemory) {
  const std::string file = R"({"asset":{"version":"2.0"},)" + std::string(kOneNode) +
                           R"(,"accessors":[{"componentType":5126,"count":100000000000,"type":"VEC3"}],)"
                           R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]})";
  ModelSource source{file, {}, {}};
  source.limits.vertices = std::size_t{1} << 40;
  LoadProgress progress;
  EXPECT_THAT(test::reasonOf([&] { parseGltf(source, progress); }),
              HasSubstr("exceeds the limit of 5000000 triangles"));
  source.limits.triangles = std::size_t{1} << 40;
  EXPECT_THAT(test::reasonOf([&] { parseGltf(source, progress); }), HasSubstr("MiB of memory"));
}

TEST(Gltf, AllNodesTogetherKeepTheLimitsOfTrianglesAndPrimitives) {
  GlbMaker maker;
  const std::string square = maker.square();
  const std::string file =
      maker.make(R"("scene":0,"scenes":[{"nodes":[0,1,2]}],"nodes":[{"mesh":0},{"mesh":0},{"mesh":0}],)"
                 R"("meshes":[{"primitives":[{)" +
                 square + "}]}]");
  ModelSource source{file, {}, {}};
  LoadProgress progress;
  source.limits.drawnTriangles = 6;
  EXPECT_EQ(parseGltf(source, progress).nodes.size(), 3u);
  source.limits.drawnTriangles = 5;
  EXPECT_THAT([&] { parseGltf(source, progress); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("show 6 triangles; at most 5 are drawn")));
  source.limits.drawnTriangles = 6;
  source.limits.drawnPrimitives = 3;
  EXPECT_EQ(parseGltf(source, progress).nodes.size(), 3u);
  source.limits.drawnPrimitives = 2;
  EXPECT_THAT([&] { parseGltf(source, progress); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("show 3 primitives; at most 2 are drawn")));
}

TEST(Gltf, PngTexturesOfEveryKindHaveTheirTexels) {
  const auto decoded = [](const std::string& png) { return decodeImage(png, {}).texels; };
  const std::vector<std::uint8_t> rgb = {1, 2, 3, 4, 5, 6};  // bottom row first
  EXPECT_THAT(decoded(encodePng(rgb.data(), {1, 2}, 8, {})),
              testing::ElementsAre(glm::u8vec4(4, 5, 6, 255), glm::u8vec4(1, 2, 3, 255)));
  const std::vector<std::uint16_t> deep = {0x1234, 0xfedc};
  EXPECT_THAT(decoded(encodePng(deep.data(), {2, 1}, 16, {}, 1)),
              testing::ElementsAre(glm::u8vec4(0x12, 0x12, 0x12, 255), glm::u8vec4(0xfe, 0xfe, 0xfe, 255)));
  ModelLimits small;
  small.imageBytes = 7;
  EXPECT_THROW(decodeImage(encodePng(rgb.data(), {1, 2}, 8, {}), small), std::runtime_error);
  small = {};
  small.imageSide = 1;
  EXPECT_THROW(decodeImage(encodePng(rgb.data(), {1, 2}, 8, {}), small), std::runtime_error);
}

TEST(Gltf, AllTexturesTogetherKeepTheLimit) {
  GlbMaker maker;
  const std::string square = maker.square();
  const std::vector<std::uint8_t> pixels(6);
  const std::string png = encodePng(pixels.data(), {1, 2}, 8, {});
  const int first = maker.view(png), second = maker.view(png);
  const std::string file = maker.make(std::string(kOneNode) + R"(,"meshes":[{"primitives":[{"material":0,)" + square +
                                      R"(}]}],"materials":[{"emissiveTexture":{"index":0},"normalTexture":{"index":1}}],
      "textures":[{"source":0},{"source":1}],"images":[{"bufferView":)" +
                                      std::to_string(first) + R"(},{"bufferView":)" + std::to_string(second) + "}]");
  ModelSource source{file, {}, {}};
  LoadProgress progress;
  source.limits.imageBytes = 2 * 8;
  EXPECT_EQ(parseGltf(source, progress).images.size(), 2u);
  source.limits.imageBytes = 2 * 8 - 1;
  EXPECT_THAT(
      [&] { parseGltf(source, progress); },
      testing::ThrowsMessage<std::runtime_error>(HasSubstr("images[1]: all images together take too much memory")));
}

// A square with a texture: the members of images[0].
std::string textured(GlbMaker& maker, const std::string& image, const std::string& rest = "") {
  const std::string square = maker.square();
  return maker.make(std::string(kOneNode) + R"(,"meshes":[{"primitives":[{"material":0,)" + square +
                    R"(}]}],"materials":[{"emissiveFactor":[1,0,0],"emissiveTexture":{"index":0}}],
                    "textures":[{"source":0}],"images":[{)" +
                    image + "}]" + rest);
}

TEST(Gltf, TexturesThatCannotBeReadAreNotes) {
  const std::vector<std::uint8_t> pixel(3);
  std::string odd = encodePng(pixel.data(), {1, 1}, 8, {});
  odd.insert(33, std::string("\0\0\0\0\1\2\3\4\0\0\0\0", 12));  // a chunk without a name, after IHDR
  const test::TemporaryFolder folder;
  for (const auto& [file, reason] : {std::pair(std::string(), "\"gone.png\" that it names is not there"),
                                     {"no image", "no image, or of an unknown format"},
                                     {odd, "images[0] is left out"},
                                     {odd.substr(0, 40), "images[0] is left out"}}) {
    const test::TemporaryFolder inside;
    if (!file.empty()) inside.write("gone.png", file);
    GlbMaker maker;
    const ModelData model = parse(textured(maker, R"("uri":"gone.png")"), inside.path());
    EXPECT_EQ(model.triangles(), 2u);
    EXPECT_TRUE(model.images.at(0).texels.empty());
    ASSERT_EQ(model.notes.size(), 1u);
    EXPECT_THAT(model.notes[0], HasSubstr(reason));
    for (const char c : model.notes[0]) EXPECT_GE(c, ' ') << model.notes[0];
  }
}

TEST(Gltf, ATextureThatIsNoRegularFileIsNoted) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "gone.png");
  GlbMaker maker;
  const ModelData model = parse(textured(maker, R"("uri":"gone.png")"), folder.path());
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_THAT(model.notes[0], HasSubstr("\"gone.png\" that it names is not there, or no regular file"));
}

// No library of the system reads KTX2.
TEST(Gltf, TexturesOfBasisUniversalHaveTheImageForOtherPrograms) {
  const std::vector<std::uint8_t> pixels(3, 9);
  const std::string ktx = "\xabKTX 20\xbb\r\n\x1a\n" + std::string(60, '\0');
  for (const char* key : {"extensionsUsed", "extensionsRequired"})
    for (const bool other : {true, false}) {
      GlbMaker maker;
      const int first = maker.view(ktx), second = maker.view(encodePng(pixels.data(), {1, 1}, 8, {}));
      std::string json(gltf::splitGlb(textured(maker,
                                               R"("mimeType":"image/ktx2","bufferView":)" + std::to_string(first) +
                                                   R"(},{"bufferView":)" + std::to_string(second),
                                               std::string(",\"") + key + R"(":["KHR_texture_basisu"])"))
                           .json);
      const std::string source = R"({"source":0})";
      json.replace(
          json.find(source), source.size(),
          std::string(other ? R"({"source":1,)" : "{") + R"("extensions":{"KHR_texture_basisu":{"source":0}}})");
      const ModelData model = parse(test::glb(json, maker.binary()));
      EXPECT_EQ(model.triangles(), 2u);
      EXPECT_EQ(model.materials.at(0).emissiveTexture.image, other ? 1 : -1);
      EXPECT_EQ(model.images.at(1).texels.size(), other ? 1u : 0u);
      EXPECT_EQ(model.notes, other ? Notes()
                                   : Notes{"KHR_texture_basisu is not read: textures without another image are "
                                           "left out"});
    }
}

TEST(Gltf, UnknownExtensionsAreNotes) {
  for (const char* key : {"extensionsUsed", "extensionsRequired"}) {
    GlbMaker maker;
    const std::string square = maker.square();
    const ModelData model =
        parse(maker.make(std::string(kOneNode) + R"(,"meshes":[{"primitives":[{)" + square + R"(}]}],")" + key +
                         R"(":["KHR_materials_clearcoat","KHR_materials_unlit",7])"));
    EXPECT_EQ(model.triangles(), 2u);
    EXPECT_THAT(model.notes, testing::ElementsAre("KHR_materials_clearcoat is left out"));
  }
}

TEST(Gltf, ChunksOfGlbNeedNoPadding) {
  GlbMaker maker;
  const std::string square = maker.square();
  for (int blanks = 0; blanks < 4; ++blanks) {
    const std::string json = maker.json(std::string(kOneNode) + R"(,"meshes":[{"primitives":[{)" + square + "}]}]") +
                             std::string(static_cast<std::size_t>(blanks), ' ');
    const std::string& binary = maker.binary();
    for (const std::size_t stated : {20 + json.size() + 8 + binary.size(), std::size_t{1} << 20}) {
      std::string bytes = "glTF";
      test::append(bytes, 2);
      test::append(bytes, static_cast<std::uint32_t>(stated));
      test::append(bytes, static_cast<std::uint32_t>(json.size()));
      bytes += "JSON" + json;
      test::append(bytes, static_cast<std::uint32_t>(binary.size()));
      bytes += std::string("BIN\0", 4) + binary;
      EXPECT_EQ(parse(bytes).triangles(), 2u) << json.size();
    }
  }
}

TEST(Gltf, NodesOutsideTheSceneAreLeftOut) {
  GlbMaker maker;
  const std::string square = maker.square();
  const auto drawn = [&](const std::string& scene, const std::string& nodes) {
    const ModelData model = parse(maker.make(R"("scenes":[{"nodes":[)" + scene + R"(]}],"nodes":[)" + nodes +
                                             R"(],"meshes":[{"primitives":[{)" + square + "}]}]"));
    const Bounds all = bounds(model, pose(model, -1, 0.0));
    return std::pair(all.low.x, all.high.x);
  };
  EXPECT_EQ(drawn("1", R"({"children":[1],"translation":[9,0,0]},{"mesh":0})"), std::pair(-1.0f, 1.0f))
      << "the root has a parent outside the scene";
  EXPECT_EQ(drawn("1,0,1", R"({"children":[1],"translation":[9,0,0],"mesh":0},{"mesh":0})"), std::pair(-1.0f, 10.0f))
      << "the root has a parent in the scene";
  EXPECT_EQ(drawn("0", R"({"mesh":0},{"mesh":0,"translation":[9,0,0]})"), std::pair(-1.0f, 1.0f));
  EXPECT_EQ(drawn("0", R"({},{"mesh":0,"translation":[9,0,0],"children":[0]})"), std::pair(8.0f, 10.0f))
      << "the scene has no mesh";
}

TEST(Gltf, InstancesAreNodes) {
  GlbMaker maker;
  const std::string square = maker.square();
  const int at = maker.vec3s({0, 0, 0, 10, 0, 0}), sizes = maker.vec3s({1, 1, 1, 2, 2, 2});
  const int turns = maker.accessor(std::vector<float>{0, 0, 0, 1, 0, 0.70710678f, 0, 0.70710678f}, "VEC4", 4, 5126);
  const auto file = [&](const std::string& attributes) {
    return maker.make(R"("scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"translation":[0,5,0],"extensions":{
        "EXT_mesh_gpu_instancing":{"attributes":{)" +
                      attributes + R"(}}}}],"meshes":[{"primitives":[{)" + square + "}]}]");
  };
  const std::string all = R"("TRANSLATION":)" + std::to_string(at) + R"(,"ROTATION":)" + std::to_string(turns) +
                          R"(,"SCALE":)" + std::to_string(sizes);
  const ModelData model = parse(file(all));
  ASSERT_EQ(model.nodes.size(), 3u);
  EXPECT_EQ(model.nodes[0].mesh, -1);
  const auto world = worldTransforms(model, -1, 0.0);
  expectNear(glm::vec3(world[1] * glm::vec4(1, 1, 0, 1)), {1, 6, 0});
  expectNear(glm::vec3(world[2] * glm::vec4(1, 1, 0, 1)), {10, 7, -2});
  EXPECT_THAT(problemOf(file(R"("TRANSLATION":)" + std::to_string(at) + R"(,"SCALE":0)")),
              HasSubstr("another number of instances"));
  ModelLimits limits;
  limits.nodes = 2;
  LoadProgress progress;
  const std::string bytes = file(all);
  EXPECT_THROW(parseGltf({bytes, {}, limits}, progress), std::runtime_error);
}

TEST(Gltf, LargeTranslationsKeepTheirDigits) {
  GlbMaker maker;
  const std::string square = maker.square();
  ModelData model = parse(maker.make(
      R"("scenes":[{"nodes":[0]}],"nodes":[{"children":[1,2],"translation":[500000.3,100.2,-5400000.4]},
      {"mesh":0,"scale":[0.1,0.1,0.1]},{"mesh":0,"scale":[0.1,0.1,0.1],"translation":[0.53,-0.17,0.2]}],
      "meshes":[{"primitives":[{)" +
      square + "}]}]"));
  moveOrigin(model);
  const auto world = worldTransforms(model, -1, 0.0);
  expectNear(glm::vec3(world[2][3] - world[1][3]), {0.53f, -0.17f, 0.2f}, 1e-6f);
  EXPECT_LT(glm::length(bounds(model, pose(model, -1, 0.0)).centre()), 1.0f);
}

TEST(Gltf, TransmissionAndVolumesAreBlended) {
  const auto material = [](const std::string& members) {
    GlbMaker maker;
    maker.square();
    return parse(maker.make(R"("materials":[{)" + members + "}]")).materials.at(0);
  };
  const std::string glass = R"("KHR_materials_transmission":{"transmissionFactor":1})";
  const ModelMaterial opaque = material(R"("extensions":{)" + glass + "}");
  EXPECT_EQ(opaque.alphaMode, AlphaMode::blend);
  EXPECT_NEAR(opaque.baseColour.a, 0.1f, 1e-6f);
  EXPECT_EQ(opaque.alphaCutoff, 0.0f);
  const ModelMaterial mask = material(R"("alphaMode":"MASK","extensions":{)" + glass + "}");
  EXPECT_EQ(mask.alphaMode, AlphaMode::blend);
  EXPECT_NEAR(mask.baseColour.a, 0.1f, 1e-6f);
  EXPECT_NEAR(mask.alphaCutoff, 0.05f, 1e-6f);
  const ModelMaterial blue = material(R"("extensions":{)" + glass +
                                      R"(,"KHR_materials_volume":{"thicknessFactor":1,"attenuationDistance":0.5,
                                      "attenuationColor":[0.1,0.2,0.9]}})");
  expectNear(glm::vec3(blue.baseColour), {0.01f, 0.04f, 0.81f});
  EXPECT_NEAR(blue.baseColour.a, 1.0f - 0.9f * (0.86f / 3.0f), 1e-5f);
}

TEST(ModelPose, BoundsOfASkinFollowEachJoint) {
  // A pole of height 8 along y; each end has a joint, bound where its vertices are.
  GlbMaker maker;
  const int positions = maker.vec3s({0, 0, 0, 1, 0, 0, 0, 8, 0, 1, 8, 0});
  const int joints =
      maker.accessor(std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 9, 0, 0}, "VEC4", 4, 5121);
  const int weights =
      maker.accessor(std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4, 5126);
  const int indices = maker.accessor(std::vector<std::uint16_t>{0, 1, 2, 1, 3, 2}, "SCALAR", 1, 5123);
  const ModelData model = parse(maker.make(
      R"("scenes":[{"nodes":[0,1,2]}],"nodes":[{"mesh":0,"skin":0},{"translation":[0,-3,0]},{"translation":[0,5,0]}],
      "skins":[{"joints":[1,2]}],"meshes":[{"primitives":[{"attributes":{"POSITION":)" +
      std::to_string(positions) + R"(,"JOINTS_0":)" + std::to_string(joints) + R"(,"WEIGHTS_0":)" +
      std::to_string(weights) + R"(},"indices":)" + std::to_string(indices) + "}]}]"));
  const Bounds all = bounds(model, pose(model, -1, 0.0));
  expectNear(all.low, {0, -3, 0});
  expectNear(all.high, {1, 13, 0});
}

// A sparse file of 4 TB, more than memory can hold.
TEST(Model, FilesBeyondTheLimitAreRefusedBeforeTheyAreRead) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write("large.glb", "glTF");
  std::error_code unsupported;
  std::filesystem::resize_file(path, std::uintmax_t{1} << 42, unsupported);
  if (unsupported) GTEST_SKIP() << "no sparse files of 4 TB here: " << unsupported.message();
  LoadProgress progress;
  EXPECT_THAT(test::reasonOf([&] { readModel(path, progress); }), HasSubstr("larger than 2147483647 bytes"));
  EXPECT_THROW(readWholeFile(path, std::size_t{1} << 41), std::runtime_error);
}

// No cut and no changed byte may crash; the sanitizers see the rest.
TEST(Gltf, SurvivesEveryCutAndRandomDamage) {
  GlbMaker maker;
  const std::string square = maker.square();
  const std::vector<std::uint8_t> pixel = {1, 2, 3};
  const int view = maker.view(encodePng(pixel.data(), {1, 1}, 8, {}));
  const std::string good = maker.make(std::string(kOneNode) + R"(,"meshes":[{"primitives":[{"material":0,)" + square +
                                      R"(}]}],"materials":[{"emissiveTexture":{"index":0}}],
                                      "textures":[{"source":0}],"images":[{"bufferView":)" +
                                      std::to_string(view) + "}]");
  ASSERT_EQ(problemOf(good), "accepted");
  for (std::size_t length = 0; length + 4 < good.size(); ++length)
    EXPECT_NE(problemOf(good.substr(0, length)), "accepted") << length;
  std::mt19937 random(39);
  for (int i = 0; i < 3000; ++i) {
    problemOf(test::withDamage(good, random));
  }
}

TEST(ModelFiles, StayInTheirFolder) {
  const test::TemporaryFolder folder;
  GlbMaker maker;
  const std::string square = maker.square();
  std::string json = maker.json(std::string(kOneNode) + R"(,"meshes":[{"primitives":[{)" + square + "}]}]");
  const auto withUri = [&](const std::string& uri) {
    std::string text = json;
    return text.replace(text.find("{\"byteLength\""), 1, "{\"uri\":\"" + uri + "\",");
  };
  folder.write("inside/parts/my data.bin", maker.binary());
  folder.write("outside.bin", maker.binary());
  std::filesystem::create_symlink(folder.path() / "outside.bin", folder.path() / "inside/link.bin");
  std::filesystem::create_symlink("loop.bin", folder.path() / "inside/loop.bin");
  LoadProgress progress;
  const std::string good = folder.write("inside/model.gltf", withUri("parts/my%20data.bin"));
  EXPECT_EQ(readModel(good, progress)->triangles(), 2u);
  for (const char* uri : {"../outside.bin", "link.bin", "%2e%2e/outside.bin", "file:///etc/hostname",
                          "http://localhost/x.bin", "parts/../../outside.bin", "missing.bin", "parts", "loop.bin"}) {
    const std::string bad = folder.write("inside/bad.gltf", withUri(uri));
    EXPECT_THAT(test::reasonOf([&] { readModel(bad, progress); }),
                testing::AllOf(HasSubstr("cannot read the model " + bad), testing::Not(HasSubstr("filesystem error"))))
        << uri;
  }
  std::string absolute = withUri((folder.path() / "outside.bin").string());
  EXPECT_THROW(readModel(folder.write("inside/bad.gltf", absolute), progress), std::runtime_error);
}

TEST(ModelFiles, AreRefusedWithTheirName) {
  const test::TemporaryFolder folder;
  LoadProgress progress;
  for (const auto& [name, bytes] :
       {std::pair("model.txt", ""), {"model.glb", ""}, {"model.gltf", "{}"}, {"model.obj", "# empty\n"}}) {
    const std::string path = folder.write(name, bytes);
    EXPECT_THAT(test::reasonOf([&] { readModel(path, progress); }), HasSubstr(path));
  }
  EXPECT_THROW(readModel(folder.path() / "none.glb", progress), std::runtime_error);
}

TEST(ModelFiles, TheDemoIsComplete) {
  LoadProgress progress;
  const auto model = readModel(dataDir() / "assets" / "evening.glb", progress);
  EXPECT_GT(model->triangles(), 3000u);
  EXPECT_EQ(model->clips.size(), 1u);
  EXPECT_EQ(model->skins.size(), 1u);
  EXPECT_EQ(model->cameras.size(), 1u);
  EXPECT_TRUE(model->notes.empty());
}

TEST(ModelFiles, LoadingCanBeCancelled) {
  std::stop_source stop;
  LoadProgress progress(stop.get_token());
  stop.request_stop();
  EXPECT_THROW(parseGltf({GlbMaker().make(R"("nodes":[])"), {}, {}}, progress), LoadCancelled);
}

}  // namespace
}  // namespace satdof
