#include <gmock/gmock.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <random>

#include "app/io/formats/png.h"
#include "app/scene/model/reader.h"
#include "tests/scene/model/glb.h"
#include "tests/support/reason.h"
#include "tests/support/with_damage.h"

namespace satdof {
namespace {

ModelData parse(const std::string& text, const std::filesystem::path& folder = {}) {
  LoadProgress progress;
  return parseObj({text, folder, {}}, progress);
}

constexpr const char* kSquare =
    "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 0.25\nusemtl red\nf 1/1 2/2 3/3 "
    "-1/1\n";

TEST(Obj, ReadsPolygonsAndMaterials) {
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

TEST(Obj, AMissingMaterialFileIsANote) {
  const ModelData model = parse(kSquare);
  EXPECT_EQ(model.triangles(), 2u);
  ASSERT_FALSE(model.notes.empty());
  EXPECT_THAT(model.notes[0], testing::HasSubstr("m.mtl"));
}

constexpr const char* kCube =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

// The bounds of what the model draws.
Bounds boundsOf(const ModelData& model) { return bounds(model, pose(model, -1, 0.0)); }

void expectCube(const std::string& text) {
  const ModelData model = parse(text);
  EXPECT_EQ(model.triangles(), 12u) << text;
  const Bounds all = boundsOf(model);
  EXPECT_EQ(all.low, glm::vec3(0.0f)) << text;
  EXPECT_EQ(all.high, glm::vec3(1.0f)) << text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}

TEST(Obj, ReadsTheTextsOfManyPrograms) {
  expectCube(kCube);
  expectCube("\xef\xbb\xbf" + std::string(kCube));
  expectCube(replaced(kCube, "\n", "\r\n"));
  expectCube(replaced(kCube, "\n", "\r"));
  expectCube(replaced(kCube, "f 1 4 3 2", "f 1 4 \\\n 3 2"));
  expectCube(replaced(replaced(kCube, "f 1 4 3 2", "f 1 4 \\ \n 3 \\\n2"), "\n", "\r\n"));
  expectCube(replaced(kCube, "f 1 4 3 2", "# C:\\models\\\nf\t1// 4// 3// 2//  # back"));
  expectCube(replaced(kCube, "f 1 4 3 2", "f 1/ 4/ 3/ 2/\nvw 1 0 1.0"));
  expectCube(replaced(kCube, "f 1 4 3 2", "f -8/0/0 -5/9/9 -6/-1/-1 -7"));
  expectCube(replaced(kCube, "v 1 0 0", "v +1,0 0,0 0"));
  expectCube(replaced(kCube, "v 1 0 0", "v 1.0e+00 0 0 1.0"));
  expectCube(kCube + std::string(20000, '#') + "\n");
}

TEST(Obj, SaysThatATextIsUtf16) {
  for (const bool mark : {true, false})
    for (const bool big : {true, false}) {
      std::string wide = !mark ? "" : big ? "\xfe\xff" : "\xff\xfe";
      for (const char* c = kCube; *c != '\0'; ++c) wide += big ? std::string{'\0', *c} : std::string{*c, '\0'};
      EXPECT_THAT([&] { parse(wide); }, testing::ThrowsMessage<std::runtime_error>(testing::HasSubstr("UTF-16")));
    }
}

TEST(Obj, ColoursOfVerticesAreLinear) {
  for (const char* const text : {"v 0 0 0 1 0.5 0\nv 1 0 0 0 0 0\nv 0 1 0\nf 1 2 3\n",
                                 "v 0 0 0 255 127.5 0\nv 1 0 0 0 0 0\nv 0 1 0\nf 1 2 3\n"}) {
    const ModelData model = parse(text);
    ASSERT_EQ(model.vertices.size(), 3u);
    EXPECT_EQ(model.vertices[0].colour.r, 65535);
    EXPECT_NEAR(model.vertices[0].colour.g / 65535.0, std::pow(0.5, 2.2), 1e-4);
    EXPECT_EQ(model.vertices[1].colour, glm::u16vec4(0, 0, 0, 65535));
    EXPECT_EQ(model.vertices[2].colour, glm::u16vec4(65535)) << "without a colour";
    EXPECT_EQ(model.materials.at(0).baseColour, glm::vec4(1.0f));
    EXPECT_EQ(model.materials.at(0).metallic, 0.0f);
  }
}

TEST(Obj, SharpEdgesStaySharpWithoutNormals) {
  const ModelData cube = parse(kCube);
  EXPECT_EQ(cube.vertices.size(), 24u);
  for (const ModelVertex& v : cube.vertices)
    EXPECT_NEAR(std::max({std::abs(v.normal.x), std::abs(v.normal.y), std::abs(v.normal.z)}), 1.0f, 1e-6f);
  // Two triangles that meet at 20 degrees in the edge from vertex 1 to vertex 2.
  const std::string text = "v 0 0 0\nv 0 0 1\nv -1 0 0\nv 0.9397 0.342 0\n";
  const auto normalAtEdge = [&](const std::string& faces) {
    const ModelData model = parse(text + faces);
    EXPECT_EQ(model.triangles(), 2u);
    for (const auto& vertex : model.vertices)
      if (vertex.position == glm::vec3(0.0f)) return vertex.normal;
    return glm::vec3(0.0f);
  };
  const glm::vec3 flat(0, 1, 0), both = glm::normalize(glm::vec3(-0.342f, 1.9397f, 0));
  EXPECT_NEAR(glm::distance(normalAtEdge("f 3 2 1\nf 1 2 4\n"), both), 0.0f, 1e-3f);
  EXPECT_NEAR(glm::distance(normalAtEdge("s off\nf 3 2 1\nf 1 2 4\n"), flat), 0.0f, 1e-6f);
  EXPECT_NEAR(glm::distance(normalAtEdge("s 1\nf 3 2 1\ns 2\nf 1 2 4\n"), flat), 0.0f, 1e-6f);
}

TEST(Obj, ManyFacesMeetInAVertex) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (int i = 0; i < 200000; ++i) text += "f 1 2 3\n";
  const ModelData model = parse(text);
  ASSERT_EQ(model.vertices.size(), 3u);
  for (const auto& vertex : model.vertices) EXPECT_EQ(vertex.normal, glm::vec3(0, 0, 1));
}

TEST(Obj, SmoothingGroupsAreSmooth) {
  // Two triangles that meet at a right angle in the edge from vertex 1 to vertex 2.
  const ModelData model = parse("s 1\nv 0 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 4 2\n");
  ASSERT_EQ(model.triangles(), 2u);
  EXPECT_EQ(model.vertices.size(), 4u) << "shared";
  for (const auto& vertex : model.vertices)
    if (vertex.position.x + vertex.position.y == 0) {
      EXPECT_NEAR(glm::distance(vertex.normal, glm::normalize(glm::vec3(1, 1, 0))), 0.0f, 1e-6f);
    }
}

TEST(Obj, ConcavePolygonsAreFilledOnce) {
  // An arrow head, and a comb with teeth of height 3 on a bar.
  std::string comb;
  int count = 0;
  const auto point = [&](int x, int y) {
    comb += "v " + std::to_string(x) + " " + std::to_string(y) + " 0\n", ++count;
  };
  point(0, 0);
  for (int tooth = 10; tooth-- > 0;)
    point(2 * tooth + 1, tooth == 9 ? 0 : 1), point(2 * tooth + 1, 4), point(2 * tooth, 4), point(2 * tooth, 1);
  comb += "f";
  for (int i = 1; i <= count; ++i) comb += " " + std::to_string(i);
  for (const auto& [text, area] :
       {std::pair<std::string, float>{"v 0 0 0\nv 2 -2 0\nv 0 3 0\nv -2 -2 0\nf 4 1 2 3\n", 6.0f},
        {comb + "\n", 49.0f}}) {
    const ModelData model = parse(text);
    float sum = 0.0f;
    for (std::size_t i = 0; i < model.indices.size(); i += 3) {
      const auto at = [&](std::size_t k) { return model.vertices[model.indices[i + k]].position; };
      const float signedArea = 0.5f * glm::cross(at(1) - at(0), at(2) - at(0)).z;
      EXPECT_GE(signedArea, 0.0f);
      sum += signedArea;
    }
    EXPECT_NEAR(sum, area, 1e-4f) << text;
  }
}

TEST(Obj, CoordinatesOfMapsKeepTheirDigits) {
  std::string text;
  for (const char* corner :
       {"500000.25 100.5 -5400000.125", "500000.75 100.5 -5400000.125", "500000.25 101 -5400000.125"})
    text += "v " + std::string(corner) + "\n";
  ModelData model = parse(text + "f 1 2 3\n");
  moveOrigin(model);
  const Bounds all = boundsOf(model);
  EXPECT_EQ(all.high - all.low, glm::vec3(0.5f, 0.5f, 0.0f));
  EXPECT_LT(glm::length(all.centre()), 1.0f);
}

// One material `a`, after its library.
ModelMaterial materialOf(const test::TemporaryFolder& folder, const std::string& statements, ModelData* all = nullptr) {
  folder.write("m.mtl", "newmtl a\n" + statements + "\n");
  ModelData model = parse("mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n", folder.path());
  ModelMaterial material = model.materials.at(0);
  if (all != nullptr) *all = std::move(model);
  return material;
}

TEST(Obj, OpacityIsReadAsProgramsWriteIt) {
  const test::TemporaryFolder folder;
  for (const auto& [statements, opacity] : {std::pair("Tr 1.000000\nillum 2", 1.0f),
                                            {"Tr 0.25", 0.75f},
                                            {"d 0.25", 0.25f},
                                            {"d 1\nTr 1", 1.0f},
                                            {"Tr 1\nd 0.5", 0.5f},
                                            {"d -halo 0.5", 0.5f},
                                            {"d 0", 1.0f},
                                            {"Tr 1\nnewmtl b\nTr 0", 0.0f},
                                            {"Tr 1\nnewmtl b\nTr 0.75", 1.0f}}) {
    const ModelMaterial material = materialOf(folder, statements);
    EXPECT_EQ(material.baseColour.a, opacity) << statements;
    EXPECT_EQ(material.alphaMode, opacity < 1.0f ? AlphaMode::blend : AlphaMode::opaque) << statements;
  }
}

std::string pngOf(const std::vector<std::uint8_t>& rgb, glm::ivec2 size) { return encodePng(rgb.data(), size, 8, {}); }

TEST(Obj, TexturesAreScaledAndMoved) {
  const test::TemporaryFolder folder;
  folder.write("my tex 2.png", pngOf({1, 2, 3}, {1, 1}));
  const TextureUse use =
      materialOf(folder, "map_Kd -blendu on -s 4 2 1 -o 0.5 0.25 0 -clamp on my tex 2.png").baseColourTexture;
  ASSERT_TRUE(use);
  EXPECT_EQ(use.wrapU, Wrap::clamp);
  // (u, v) of the file, v upwards, is read at (4 u + 0.5, 2 v + 0.25).
  const glm::vec3 at(0.25f, 1.0f - 0.5f, 1.0f);
  EXPECT_FLOAT_EQ(glm::dot(use.rows[0], at), 1.5f);
  EXPECT_FLOAT_EQ(glm::dot(use.rows[1], at), 1.0f - 1.25f);
}

TEST(Obj, OpacityMapsBecomeAlpha) {
  const test::TemporaryFolder folder;
  folder.write("colour.png", pngOf({10, 20, 30}, {1, 1}));
  folder.write("cut.png", pngOf({0, 0, 0, 255, 255, 255}, {2, 1}));
  folder.write("soft.png", pngOf({100, 100, 100, 150, 150, 150}, {2, 1}));
  ModelData model;
  const ModelMaterial cut = materialOf(folder, "map_Kd colour.png\nmap_d cut.png", &model);
  EXPECT_EQ(cut.alphaMode, AlphaMode::mask);
  EXPECT_EQ(cut.alphaCutoff, 0.5f);
  EXPECT_THAT(model.images.at(static_cast<std::size_t>(cut.baseColourTexture.image)).texels,
              testing::ElementsAre(glm::u8vec4(10, 20, 30, 0), glm::u8vec4(10, 20, 30, 255)));
  const ModelMaterial soft = materialOf(folder, "map_d soft.png", &model);
  EXPECT_EQ(soft.alphaMode, AlphaMode::blend);
  EXPECT_THAT(model.images.at(static_cast<std::size_t>(soft.baseColourTexture.image)).texels,
              testing::ElementsAre(glm::u8vec4(255, 255, 255, 100), glm::u8vec4(255, 255, 255, 150)));
}

TEST(Obj, BumpMapsAreNormalsOrANote) {
  const test::TemporaryFolder folder;
  folder.write("blue.png", pngOf({128, 128, 255}, {1, 1}));
  folder.write("grey.png", pngOf({128, 128, 128}, {1, 1}));
  ModelData model;
  const ModelMaterial blue = materialOf(folder, "map_Bump -bm 0.5 blue.png", &model);
  EXPECT_TRUE(blue.normalTexture);
  EXPECT_EQ(blue.normalScale, 0.5f);
  EXPECT_TRUE(model.notes.empty());
  EXPECT_FALSE(materialOf(folder, "map_Bump grey.png\nmap_Ns x.png", &model).normalTexture);
  EXPECT_THAT(model.notes, testing::Contains(testing::HasSubstr("height maps")));
  EXPECT_THAT(model.notes, testing::Contains(testing::HasSubstr("map_ns")));
}

TEST(Obj, FilesAreFoundAsPeopleNameThem) {
  for (const char* const name :
       {"maps\\win.png", "maps/WIN.PNG", "Maps\\\\win.png", "\"maps/win.png\"", "C:\\Users\\me\\maps2\\win.png",
        "/home/me/win.png", "..\\textures\\win.png", "win.png"}) {
    const test::TemporaryFolder folder;
    folder.write("my maps/maps/win.png", pngOf({1, 2, 3}, {1, 1}));
    folder.write("my maps/win.png", pngOf({1, 2, 3}, {1, 1}));
    folder.write("my maps/my material.mtl", "newmtl my a \nmap_Kd " + std::string(name) + "\n");
    const ModelData model =
        parse("mtllib My Maps\\my material.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl my a\nf 1 2 3\n", folder.path());
    EXPECT_TRUE(model.notes.empty()) << name << ": " << model.notes.front();
    EXPECT_TRUE(model.materials.at(0).baseColourTexture) << name;
  }
  const test::TemporaryFolder folder;
  folder.write("a.mtl", "newmtl a\n");
  folder.write("b.mtl", "newmtl b\n");
  EXPECT_EQ(parse("mtllib a.mtl b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl b\nf 1 2 3\n", folder.path()).materials.size(),
            2u);
}

TEST(Obj, FilesOutsideTheFolderAreNotRead) {
  const test::TemporaryFolder folder;
  folder.write("secret.png", pngOf({1, 2, 3}, {1, 1}));
  std::filesystem::create_directory(folder.path() / "inside");
  std::filesystem::create_symlink(folder.path() / "secret.png", folder.path() / "inside/link.png");
  for (const std::string name : {"../secret.png", "link.png", "..\\secret.png"}) {
    folder.write("inside/m.mtl", "newmtl a\nmap_Kd " + name + "\n");
    const ModelData model =
        parse("mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n", folder.path() / "inside");
    EXPECT_TRUE(model.images.empty()) << name;
    EXPECT_THAT(model.notes, testing::ElementsAre(testing::HasSubstr("is left out"))) << name;
  }
}

TEST(Obj, NotesUnsupportedStatements) {
  const ModelData model =
      parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl gone\nf 1 2 3\nf 1 2\nf 1 2 9\nl 1 2\ncurv 0 1 1 2\n");
  EXPECT_EQ(model.triangles(), 1u);
  EXPECT_THAT(model.notes, testing::UnorderedElementsAre(testing::HasSubstr("\"gone\""), testing::HasSubstr("2 faces"),
                                                         testing::HasSubstr("lines"), testing::HasSubstr("curves")));
}

TEST(Obj, LimitsAreChecked) {
  const auto with = [](const char* text, auto change) {
    ModelSource source{text, {}, {}};
    change(source.limits);
    LoadProgress progress;
    return test::reasonOf([&] { parseObj(source, progress); });
  };
  EXPECT_EQ(with(kCube, [](ModelLimits& l) { l.vertices = 24, l.triangles = 12; }), "accepted");
  EXPECT_THAT(with(kCube, [](ModelLimits& l) { l.triangles = 11; }), testing::HasSubstr("more than 11 triangles"));
  EXPECT_THAT(with(kCube, [](ModelLimits& l) { l.triangles = 7; }), testing::HasSubstr("more than 7 triangles"));
  EXPECT_THAT(with(kCube, [](ModelLimits& l) { l.vertices = 7; }), testing::HasSubstr("more than 7 vertices"));
  EXPECT_THAT(with(kCube, [](ModelLimits& l) { l.vertices = 23; }), testing::HasSubstr("more than 23 vertices"));
  EXPECT_THAT(with("g a\ng b\ng c\n", [](ModelLimits& l) { l.items = 3; }), testing::HasSubstr("too many groups"));
}

TEST(Obj, SurvivesDamage) {
  EXPECT_EQ(parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99\nf 1 2 3\n").triangles(), 1u);
  EXPECT_EQ(parse("v 0 0 0\nf " + std::string(10000, '1') + "\n").triangles(), 0u);
  EXPECT_EQ(parse("v 1e999 nan 0\rv inf -1e999 \rv\rf 1 2 3\\").triangles(), 1u);
  std::string polygon = "f";
  for (int i = 0; i < 30000; ++i) polygon += " " + std::to_string(1 + i * 7 % 4);
  EXPECT_EQ(parse("v 0 0 0\nv 1 0 0\nv 0.2 0.2 0\nv 0 1 0\n" + polygon).triangles(), 29998u) << "crosses itself";
  std::mt19937 random(7);
  const std::string good = kSquare;
  for (int i = 0; i < 3000; ++i) {
    const std::string bad = test::withDamage(good, random);
    try {
      const ModelData model = parse(bad);
      for (const auto index : model.indices) ASSERT_LT(index, model.vertices.size());
    } catch (const std::runtime_error&) {
    }
  }
}

TEST(ReadNamed, ListsAFolderOnce) {
  const test::TemporaryFolder folder;
  folder.write("A.png", "1");
  const ModelSource source{"", folder.path()};
  EXPECT_EQ(readUri(source, "a.PNG", 10), "1");
  folder.write("B.png", "2");
  EXPECT_THROW(readUri(source, "b.PNG", 10), std::runtime_error);
  EXPECT_EQ(readUri(source, "B.png", 10), "2");
}

}  // namespace
}  // namespace satdof
