#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <random>

#include "app/scene/model/gltf/buffers.h"
#include "app/scene/model/gltf/draco.h"
#include "app/scene/model/gltf/extensions.h"
#include "app/scene/model/gltf/meshopt.h"
#include "app/scene/model/reader.h"
#include "tests/io/photographs.h"
#include "tests/scene/model/glb.h"
#include "tests/support/reason.h"
#include "tests/support/with_damage.h"

#if SATDOF_HAS_DRACO
#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#endif
#if SATDOF_HAS_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif

// Models compressed by Draco and by meshoptimizer.
namespace satdof {
namespace {

using test::GlbMaker;
using testing::HasSubstr;

ModelData parse(const std::string& bytes, const ModelLimits& limits = {}) {
  LoadProgress progress;
  return parseGltf({bytes, {}, limits}, progress);
}

constexpr const char* kNode = R"("scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}])";
constexpr int kSide = 9;  // vertices of a side of the grid

// The z of the grid at (x, y); different at every vertex.
float heightAt(float x, float y) { return std::sin(1.7f * x) + 0.1f * y; }

#if SATDOF_HAS_DRACO

// A Draco mesh: a grid of triangles with positions, and 8-bit colours that encode the vertex.
std::string dracoGrid(int method, bool metadata = false) {
  const int quads = (kSide - 1) * (kSide - 1);
  draco::TriangleSoupMeshBuilder builder;
  builder.Start(2 * quads);
  const int positions = builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
  const int colours = builder.AddAttribute(draco::GeometryAttribute::COLOR, 4, draco::DT_UINT8);
  const auto position = [](int x, int y) {
    return std::array{static_cast<float>(x), static_cast<float>(y),
                      heightAt(static_cast<float>(x), static_cast<float>(y))};
  };
  const auto colour = [](int x, int y) {
    return std::array<std::uint8_t, 4>{static_cast<std::uint8_t>(20 * x), static_cast<std::uint8_t>(20 * y), 7, 255};
  };
  draco::FaceIndex face(0);
  for (int y = 0; y + 1 < kSide; ++y)
    for (int x = 0; x + 1 < kSide; ++x)
      for (const auto& corners : {std::array{0, 1, 3}, std::array{0, 3, 2}}) {
        std::array<std::array<float, 3>, 3> p;
        std::array<std::array<std::uint8_t, 4>, 3> c;
        for (std::size_t i = 0; i < 3; ++i) {
          p[i] = position(x + corners[i] % 2, y + corners[i] / 2);
          c[i] = colour(x + corners[i] % 2, y + corners[i] / 2);
        }
        builder.SetAttributeValuesForFace(positions, face, p[0].data(), p[1].data(), p[2].data());
        builder.SetAttributeValuesForFace(colours, face, c[0].data(), c[1].data(), c[2].data());
        ++face;
      }
  const auto mesh = builder.Finalize();
  if (metadata) {
    auto texts = std::make_unique<draco::GeometryMetadata>();
    texts->AddEntryString("name", "grid");
    mesh->AddMetadata(std::move(texts));
  }
  draco::Encoder encoder;
  encoder.SetEncodingMethod(method);
  encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, 14);
  draco::EncoderBuffer buffer;
  if (!encoder.EncodeMeshToBuffer(*mesh, &buffer).ok()) throw std::runtime_error("Draco cannot encode");
  return {buffer.data(), buffer.size()};
}

// A GLB with a mesh compressed by Draco. `vertices`, `triangles`: what its accessors state.
std::string dracoFile(const std::string& stream, int vertices = kSide * kSide,
                      int triangles = 2 * (kSide - 1) * (kSide - 1)) {
  GlbMaker maker;
  const int view = maker.view(stream);
  std::string json = maker.json(std::string(kNode) + R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":1,
      "COLOR_0":2},"indices":3,"extensions":{"KHR_draco_mesh_compression":{"bufferView":)" +
                                std::to_string(view) +
                                R"(,"attributes":{"POSITION":0,"COLOR_0":1}}}}]}],
      "extensionsRequired":["KHR_draco_mesh_compression"])");
  const std::string count = std::to_string(vertices);
  const std::string more = R"(,{"componentType":5126,"type":"VEC3","count":)" + count +
                           R"(},{"componentType":5121,"normalized":true,"type":"VEC4","count":)" + count +
                           R"(},{"componentType":5123,"type":"SCALAR","count":)" + std::to_string(3 * triangles) + "}";
  json.insert(json.find(R"(],"scene")"), more);
  return test::glb(json, maker.binary());
}

TEST(Draco, MeshesAreReadInBothOfItsWays) {
  for (const int method : {draco::MESH_EDGEBREAKER_ENCODING, draco::MESH_SEQUENTIAL_ENCODING})
    for (const bool metadata : {false, true}) {
      const ModelData model = parse(dracoFile(dracoGrid(method, metadata)));
      EXPECT_EQ(model.notes, Notes());
      ASSERT_EQ(model.triangles(), 2u * (kSide - 1) * (kSide - 1));
      const Primitive& primitive = model.meshes.at(0).primitives.at(0);
      double area = 0.0;
      for (std::uint32_t i = 0; i < primitive.indices; i += 3) {
        std::array<glm::vec3, 3> p;
        for (std::uint32_t k = 0; k < 3; ++k) {
          const ModelVertex& vertex = model.vertices[primitive.firstVertex + model.indices[i + k]];
          p[k] = vertex.position;
          EXPECT_NEAR(vertex.position.z, heightAt(vertex.position.x, vertex.position.y), 3e-3f);
          EXPECT_NEAR(vertex.colour.x, 20.0f * 257.0f * vertex.position.x, 20.0f);
          EXPECT_NEAR(vertex.colour.y, 20.0f * 257.0f * vertex.position.y, 20.0f);
          EXPECT_EQ(vertex.colour.z, 7 * 257);
        }
        area += 0.5 * static_cast<double>(glm::cross(p[1] - p[0], p[2] - p[0]).z);
      }
      EXPECT_NEAR(area, (kSide - 1) * (kSide - 1), 0.02) << "every triangle faces z";
    }
}

TEST(Draco, DataThatDoesNotFitIsRefused) {
  const std::string stream = dracoGrid(draco::MESH_EDGEBREAKER_ENCODING);
  const auto problem = [](const std::string& file, const ModelLimits& limits = {}) {
    return test::reasonOf([&] { parse(file, limits); });
  };
  EXPECT_EQ(problem(dracoFile(stream)), "accepted");
  EXPECT_THAT(problem(dracoFile(stream, kSide * kSide - 1)), HasSubstr("other elements than its compressed mesh"));
  EXPECT_THAT(problem(dracoFile(stream, kSide * kSide, 3)), HasSubstr("other elements than its compressed mesh"));
  EXPECT_THAT(problem(dracoFile("DRACX" + stream.substr(5))), HasSubstr("compressed by Draco is damaged"));
  EXPECT_THAT(problem(dracoFile(stream.substr(0, stream.size() / 2))), HasSubstr("meshes[0].primitives[0]: its"));
  std::string older = stream;
  older[6] = 1;
  EXPECT_THAT(problem(dracoFile(older)), HasSubstr("version of Draco is 2.1, only 2.2 is read"));
  ModelLimits limits;
  limits.triangles = 2 * (kSide - 1) * (kSide - 1) - 1;
  EXPECT_THAT(problem(dracoFile(stream), limits), HasSubstr("exceeds the limit of 127 triangles"));
  const std::array ids{9};
  EXPECT_THAT(test::reasonOf([&] { gltf::decodeDraco(stream, ids, {}); }), HasSubstr("no attribute 9"));
}

// Two hundred million triangles in twenty bytes.
TEST(Draco, CountsAreCheckedBeforeMemoryIsTaken) {
  std::string stream = dracoGrid(draco::MESH_EDGEBREAKER_ENCODING).substr(0, 12);
  stream += "\x80\xa8\xd6\xb9\x07";  // vertices
  stream += "\xff\xff\xff\x7f";      // triangles
  EXPECT_NE(test::reasonOf([&] { gltf::decodeDraco(stream, {}, {}); }), "accepted");
  ModelLimits all;
  all.triangles = all.vertices = std::size_t{1} << 40;
  EXPECT_THAT(test::reasonOf([&] { gltf::decodeDraco(stream, {}, all); }), HasSubstr("damaged"));
}

TEST(Draco, BytesOfAVertexAreCheckedBeforeMemoryIsTaken) {
  for (const int method : {draco::MESH_EDGEBREAKER_ENCODING, draco::MESH_SEQUENTIAL_ENCODING}) {
    std::string stream = dracoGrid(method);
    // Attribute kind, component type, component count: a position of three floats.
    const std::size_t at = stream.find(std::string("\0\x09\x03\0", 4));
    ASSERT_NE(at, stream.npos);
    stream[at + 2] = '\xff';
    EXPECT_THAT(test::reasonOf([&] { gltf::decodeDraco(stream, {}, {}); }),
                HasSubstr("has 1036 bytes a vertex, at most 512 are read"));
  }
}

TEST(Draco, SurvivesEveryCutAndRandomDamage) {
  for (const int method : {draco::MESH_EDGEBREAKER_ENCODING, draco::MESH_SEQUENTIAL_ENCODING}) {
    const std::string stream = dracoGrid(method);
    const std::array ids{0, 1};
    for (std::size_t size = 0; size < stream.size(); size += 3)
      EXPECT_NE(test::reasonOf([&] { gltf::decodeDraco(stream.substr(0, size), ids, {}); }), "accepted") << size;
    std::mt19937 random(4);
    for (int i = 0; i < 300; ++i) {
      const std::string damaged = test::withDamage(stream, random, 3);
      test::reasonOf([&] {
        const gltf::DracoMesh mesh = gltf::decodeDraco(damaged, ids, {});
        for (const std::uint32_t index : mesh.indices) EXPECT_LT(index, mesh.vertices);
      });
    }
  }
}

#else

TEST(Draco, IsRefusedInWordsWithoutTheLibrary) {
  EXPECT_THAT(test::reasonOf([] { gltf::decodeDraco("DRACO", {}, {}); }),
              HasSubstr("compressed by Draco, without which"));
  EXPECT_FALSE(gltf::isRead("KHR_draco_mesh_compression"));
}

#endif

#if SATDOF_HAS_MESHOPTIMIZER

std::vector<std::uint32_t> gridIndices() {
  std::vector<std::uint32_t> indices;
  for (std::uint32_t y = 0; y + 1 < kSide; ++y)
    for (std::uint32_t x = 0; x + 1 < kSide; ++x) {
      const std::uint32_t at = y * kSide + x;
      for (const std::uint32_t corner : {0u, 1u, kSide + 1u, 0u, kSide + 1u, kSide + 0u})
        indices.push_back(at + corner);
    }
  return indices;
}

std::vector<glm::vec3> gridPositions() {
  std::vector<glm::vec3> positions;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x)
      positions.emplace_back(x, y, heightAt(static_cast<float>(x), static_cast<float>(y)));
  return positions;
}

using Buffer = std::vector<unsigned char>;
std::string text(const Buffer& buffer, std::size_t size) {
  return {reinterpret_cast<const char*>(buffer.data()), size};
}
std::string encodedTriangles(const std::vector<std::uint32_t>& indices) {
  Buffer buffer(meshopt_encodeIndexBufferBound(indices.size(), kSide * kSide));
  return text(buffer, meshopt_encodeIndexBuffer(buffer.data(), buffer.size(), indices.data(), indices.size()));
}
std::string encodedIndices(const std::vector<std::uint32_t>& indices) {
  Buffer buffer(meshopt_encodeIndexSequenceBound(indices.size(), kSide * kSide));
  return text(buffer, meshopt_encodeIndexSequence(buffer.data(), buffer.size(), indices.data(), indices.size()));
}
std::string encodedVertices(const void* values, std::size_t count, std::size_t stride) {
  Buffer buffer(meshopt_encodeVertexBufferBound(count, stride));
  return text(buffer, meshopt_encodeVertexBuffer(buffer.data(), buffer.size(), values, count, stride));
}

// JSON of a compressed buffer view: its bytes are in buffer 0; it stands for a view of buffer 1, which has no bytes.
std::string viewOf(std::size_t offset, std::size_t length, const gltf::MeshoptView& view) {
  const auto number = [](std::size_t value) { return std::to_string(value); };
  return R"({"buffer":1,"byteLength":)" + number(view.count * view.stride) +
         R"(,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteOffset":)" + number(offset) +
         R"(,"byteLength":)" + number(length) + R"(,"byteStride":)" + number(view.stride) + R"(,"count":)" +
         number(view.count) + R"(,"mode":")" + view.mode + R"(","filter":")" + view.filter + R"("}}})";
}

std::string meshoptFile(const std::string& positions, const std::string& indices, std::size_t stride = 12) {
  const std::size_t count = gridIndices().size();
  const std::string json =
      R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":)" + std::to_string(positions.size() + indices.size()) +
      R"(},{"byteLength":5000,"extensions":{"EXT_meshopt_compression":{"fallback":true}}}],"bufferViews":[)" +
      viewOf(0, positions.size(), {kSide * kSide * stride / 12, 12, "ATTRIBUTES"}) + "," +
      viewOf(positions.size(), indices.size(), {count, 2, "TRIANGLES"}) +
      R"(],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":81},
      {"bufferView":1,"componentType":5123,"type":"SCALAR","count":)" +
      std::to_string(count) + "}]," + kNode +
      R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
      "extensionsRequired":["EXT_meshopt_compression"]})";
  return test::glb(json, positions + indices);
}

TEST(Meshopt, AViewNeedsAStride) {
  std::string json = meshoptFile("", "");
  json.replace(json.find("\"byteStride\""), 12, "\"bytestride\"");
  EXPECT_THAT(test::reasonOf([&] { parse(json); }), HasSubstr("byteStride"));
}

TEST(Meshopt, ViewsAreRead) {
  const auto positions = gridPositions();
  const std::string vertices = encodedVertices(positions.data(), positions.size(), sizeof(glm::vec3));
  const std::string triangles = encodedTriangles(gridIndices());
  const ModelData model = parse(meshoptFile(vertices, triangles));
  EXPECT_EQ(model.notes, Notes());
  ASSERT_EQ(model.triangles(), 2u * (kSide - 1) * (kSide - 1));
  double area = 0.0;
  const Primitive& primitive = model.meshes.at(0).primitives.at(0);
  for (std::uint32_t i = 0; i < primitive.indices; i += 3) {
    std::array<glm::vec3, 3> p;
    for (std::uint32_t k = 0; k < 3; ++k) p[k] = model.vertices[primitive.firstVertex + i + k].position;
    for (const glm::vec3& at : p) EXPECT_EQ(at.z, heightAt(at.x, at.y));
    area += 0.5 * static_cast<double>(glm::cross(p[1] - p[0], p[2] - p[0]).z);
  }
  EXPECT_NEAR(area, (kSide - 1) * (kSide - 1), 1e-3);
  EXPECT_THAT(test::reasonOf([&] { parse(meshoptFile(vertices.substr(0, vertices.size() - 9), triangles)); }),
              HasSubstr("EXT_meshopt_compression: its bytes compressed by meshoptimizer are damaged"));
  ModelLimits limits;
  limits.fileBytes = meshoptFile(vertices, triangles).size() + 81 * 12 - 1;
  EXPECT_THAT(test::reasonOf([&] { parse(meshoptFile(vertices, triangles), limits); }),
              HasSubstr("more bytes than the files of a model may have"));
}

std::string replaceAll(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}

// A buffer without bytes may lack the mark "fallback".
TEST(Meshopt, TheRatifiedExtensionIsRead) {
  const auto positions = gridPositions();
  const std::string vertices = encodedVertices(positions.data(), positions.size(), sizeof(glm::vec3));
  const std::string file = meshoptFile(vertices, encodedTriangles(gridIndices()));
  const gltf::Chunks chunks = gltf::splitGlb(file);
  const std::string json = replaceAll(std::string(chunks.json), "EXT_", "KHR_");
  const std::string mark = R"(,"extensions":{"KHR_meshopt_compression":{"fallback":true}})";
  ASSERT_NE(json.find(mark), json.npos);
  for (const std::string& stated : {json, replaceAll(json, mark, "")}) {
    const ModelData model = parse(test::glb(stated, std::string(chunks.binary)));
    EXPECT_EQ(model.notes, Notes());
    ASSERT_EQ(model.triangles(), 2u * (kSide - 1) * (kSide - 1));
    for (const ModelVertex& vertex : model.vertices)
      EXPECT_EQ(vertex.position.z, heightAt(vertex.position.x, vertex.position.y));
  }
}

// Streams of a newer version: the fallback buffer is read instead, or the file is refused with a message.
TEST(Meshopt, NewerStreamsAreReadUncompressedOrRefused) {
  std::vector<glm::vec3> positions = {{0, 0, 7}, {1, 0, 7}, {0, 1, 7}};
  const std::string stream = "\xa1" + std::string(60, '\0');
  const auto file = [&](const std::string& view, const std::string& buffer) {
    return R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":61,"uri":"data:;base64,)" + test::base64(stream) +
           R"("},{"byteLength":36)" + buffer +
           R"(}],"bufferViews":[{"buffer":1,"byteLength":36,"extensions":{"KHR_meshopt_compression":
           {"buffer":0,"byteLength":61,"byteStride":12,"count":3,"mode":"ATTRIBUTES")" +
           view + R"(}}}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],)" + kNode +
           R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]})";
  };
  for (const char* view : {"", R"(,"filter":"COLOR")"}) {
    EXPECT_THAT(test::reasonOf([&] { parse(file(view, "")); }), HasSubstr("compressed for meshoptimizer 1.0: save"));
    const std::string plain(reinterpret_cast<const char*>(positions.data()), 36);
    const ModelData model = parse(file(view, R"(,"uri":"data:;base64,)" + test::base64(plain) +
                                                 R"(","extensions":{"KHR_meshopt_compression":{"fallback":true}})"));
    ASSERT_EQ(model.triangles(), 1u);
    for (const ModelVertex& vertex : model.vertices) EXPECT_EQ(vertex.position.z, 7.0f);
  }
}

// Each vertex spans two compressed elements.
TEST(Meshopt, ElementsOfTheViewMayBeLarger) {
  std::vector<glm::vec3> positions;
  for (const glm::vec3& at : gridPositions()) positions.insert(positions.end(), {at, glm::vec3(99)});
  const std::string file =
      meshoptFile(encodedVertices(positions.data(), positions.size(), 12), encodedTriangles(gridIndices()), 24);
  const gltf::Chunks chunks = gltf::splitGlb(file);
  std::string json(chunks.json);
  json.insert(json.find(R"(,"extensions")", json.find("bufferViews")), R"(,"byteStride":24)");
  const ModelData model = parse(test::glb(json, std::string(chunks.binary)));
  ASSERT_EQ(model.triangles(), 2u * (kSide - 1) * (kSide - 1));
  for (const ModelVertex& vertex : model.vertices)
    EXPECT_EQ(vertex.position.z, heightAt(vertex.position.x, vertex.position.y));
}

TEST(Meshopt, FiltersAndSequencesAreRead) {
  const auto indices = gridIndices();
  const std::string sequence = gltf::decodeMeshopt(encodedIndices(indices), {indices.size(), 4, "INDICES"});
  EXPECT_EQ(std::memcmp(sequence.data(), indices.data(), sequence.size()), 0);
  EXPECT_EQ(sequence.size(), 4 * indices.size());

  std::vector<glm::vec4> normals;
  for (int i = 0; i < 40; ++i)
    normals.emplace_back(glm::normalize(glm::vec3(std::sin(i), std::cos(2 * i), std::sin(3 * i))), 0.0f);
  std::vector<std::int16_t> packed(4 * normals.size());
  meshopt_encodeFilterOct(packed.data(), normals.size(), 8, 15, &normals[0].x);
  const std::string octahedral = gltf::decodeMeshopt(encodedVertices(packed.data(), normals.size(), 8),
                                                     {normals.size(), 8, "ATTRIBUTES", "OCTAHEDRAL"});
  for (std::size_t i = 0; i < normals.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      std::int16_t value = 0;
      std::memcpy(&value, &octahedral[8 * i + 2 * c], sizeof value);
      EXPECT_NEAR(value / 32767.0f, normals[i][static_cast<int>(c)], 1e-3f);
    }

  const std::vector<float> numbers = {0.0f, 1.0f, -3.25f, 1e-6f, 7e8f, 2.5f, -0.125f, 42.0f};
  std::vector<std::uint32_t> exponential(numbers.size());
  meshopt_encodeFilterExp(exponential.data(), numbers.size(), 4, 20, numbers.data());
  const std::string decoded = gltf::decodeMeshopt(encodedVertices(exponential.data(), numbers.size(), 4),
                                                  {numbers.size(), 4, "ATTRIBUTES", "EXPONENTIAL"});
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    float value = 0.0f;
    std::memcpy(&value, &decoded[4 * i], sizeof value);
    EXPECT_NEAR(value, numbers[i], 1e-5f * std::abs(numbers[i]));
  }
}

TEST(Meshopt, DataThatDoesNotFitIsRefused) {
  const std::string bytes = encodedTriangles(gridIndices());
  const auto problem = [&](const gltf::MeshoptView& view) {
    return test::reasonOf([&] { gltf::decodeMeshopt(bytes, view); });
  };
  const std::size_t count = gridIndices().size();
  EXPECT_EQ(problem({count, 2, "TRIANGLES"}), "accepted");
  for (const gltf::MeshoptView& view : {gltf::MeshoptView{count, 1, "TRIANGLES"},
                                        {count - 1, 2, "TRIANGLES"},
                                        {count, 8, "INDICES"},
                                        {16, 6, "ATTRIBUTES"},
                                        {16, 260, "ATTRIBUTES"},
                                        {16, 12, "ATTRIBUTES", "OCTAHEDRAL"},
                                        {16, 4, "ATTRIBUTES", "QUATERNION"},
                                        {count, 4, "TRIANGLES", "EXPONENTIAL"}})
    EXPECT_THAT(problem(view), HasSubstr("do not fit")) << view.mode << view.stride;
  EXPECT_THAT(problem({16, 4, "POINTS"}), HasSubstr("unknown"));
  EXPECT_THAT(problem({16, 4, "ATTRIBUTES", "X"}), HasSubstr("unknown"));
  for (const char* mode : {"ATTRIBUTES", "TRIANGLES", "INDICES"})
    EXPECT_THAT(problem({std::size_t{300'000'000}, 4, mode}), HasSubstr("fewer compressed bytes")) << mode;
}

// Equal elements compress to the fewest bytes.
TEST(Meshopt, TheBoundHoldsForEqualElements) {
  for (const std::size_t stride : {4u, 12u, 64u, 256u})
    for (const std::size_t count : {1u, 15u, 16u, 17u, 255u, 256u, 257u, 5000u}) {
      const std::string values(count * stride, '\0');
      EXPECT_EQ(gltf::decodeMeshopt(encodedVertices(values.data(), count, stride), {count, stride, "ATTRIBUTES"}),
                values)
          << count << " of " << stride;
    }
}

TEST(Meshopt, SurvivesRandomDamage) {
  const auto positions = gridPositions();
  std::mt19937 random(5);
  const auto damage = [&](const std::string& bytes, const gltf::MeshoptView& view) {
    for (int i = 0; i < 500; ++i) {
      const std::string damaged = test::withDamage(bytes.substr(0, bytes.size() - random() % 8), random, 3);
      test::reasonOf([&] { EXPECT_EQ(gltf::decodeMeshopt(damaged, view).size(), view.count * view.stride); });
    }
  };
  damage(encodedVertices(positions.data(), positions.size(), 12), {positions.size(), 12, "ATTRIBUTES"});
  damage(encodedTriangles(gridIndices()), {gridIndices().size(), 4, "TRIANGLES"});
  damage(encodedIndices(gridIndices()), {gridIndices().size(), 2, "INDICES"});
}

#else

TEST(Meshopt, IsRefusedInWordsWithoutTheLibrary) {
  EXPECT_THAT(test::reasonOf([] {
                gltf::decodeMeshopt("x", {1, 4, "ATTRIBUTES"});
              }),
              HasSubstr("compressed by meshoptimizer, without which"));
  EXPECT_FALSE(gltf::isRead("EXT_meshopt_compression"));
  EXPECT_FALSE(gltf::isRead("KHR_meshopt_compression"));
}

#endif

}  // namespace
}  // namespace satdof
