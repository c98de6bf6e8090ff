#include "app/scene/model/gltf/glossiness.h"

#include <gmock/gmock.h>

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/io/formats/png.h"
#include "app/scene/model/reader.h"
#include "tests/io/photographs.h"
#include "tests/scene/model/glb.h"

namespace satdof {
namespace {

using test::GlbMaker;
using testing::HasSubstr;

// Diffuse and specular colour of a metal-roughness material (glTF 2.0, appendix B).
std::pair<glm::vec3, glm::vec3> specularOf(const glm::vec3& baseColour, float metallic) {
  return {baseColour * (1.0f - 0.04f) * (1.0f - metallic) /
              (1.0f - std::max({glm::mix(0.04f, baseColour.r, metallic), glm::mix(0.04f, baseColour.g, metallic),
                                glm::mix(0.04f, baseColour.b, metallic)})),
          glm::mix(glm::vec3(0.04f), baseColour, metallic)};
}

TEST(Glossiness, MetalsAndOthersKeepTheirColour) {
  for (const glm::vec3& colour : {glm::vec3(0.8f, 0.4f, 0.1f), glm::vec3(0.5f), glm::vec3(0.9f, 0.9f, 0.2f)})
    for (const float metallic : {0.0f, 1.0f}) {
      const auto [diffuse, specular] = specularOf(colour, metallic);
      const gltf::Metal metal = gltf::metalOf(diffuse, specular);
      EXPECT_NEAR(metal.metallic, metallic, 0.02f);
      EXPECT_LT(glm::distance(metal.baseColour, colour), 0.03f) << colour.r << " " << metallic;
    }
  EXPECT_EQ(gltf::metalOf(glm::vec3(0.0f), glm::vec3(0.0f)).metallic, 0.0f);
  EXPECT_NEAR(gltf::metalOf(glm::vec3(1.0f), glm::vec3(1.0f)).metallic, 1.0f, 1e-6f) << "the defaults mirror all";
}

// A model with one textured square. `members`: JSON of the specular-glossiness extension; `pngs`: its textures; `more`:
// JSON of further extensions.
ModelData read(const std::string& members, const std::vector<std::string>& pngs, const ModelLimits& limits = {},
               const std::string& more = "") {
  GlbMaker maker;
  const std::string square = maker.square();
  std::string images, textures;
  for (std::size_t i = 0; i < pngs.size(); ++i) {
    images += (i > 0 ? "," : "") + (R"({"bufferView":)" + std::to_string(maker.view(pngs[i]))) + "}";
    textures += (i > 0 ? "," : "") + (R"({"source":)" + std::to_string(i)) + "}";
  }
  const std::string file = maker.make(
      R"("scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"material":0,)" + square +
      R"(}]}],"images":[)" + images + R"(],"textures":[)" + textures +
      R"(],"materials":[{"extensions":{"KHR_materials_pbrSpecularGlossiness":{)" + members + "}" + more + "}}]");
  LoadProgress progress;
  return parseGltf({file, {}, limits}, progress);
}

TEST(Glossiness, FactorsBecomeFactors) {
  const ModelData model =
      read(R"("diffuseFactor":[0.5,0.25,0,0.75],"specularFactor":[0.04,0.04,0.04],"glossinessFactor":0.875)", {});
  const ModelMaterial& material = model.materials.at(0);
  EXPECT_LT(glm::distance(material.baseColour, glm::vec4(0.5f, 0.25f, 0.0f, 0.75f)), 1e-5f);
  EXPECT_EQ(material.metallic, 0.0f);
  EXPECT_EQ(material.roughness, 0.125f);
  EXPECT_THAT(model.notes,
              testing::ElementsAre("KHR_materials_pbrSpecularGlossiness is converted to metal and roughness"));
}

// Left half: red plastic of roughness 0; right half: gold of roughness 0.4.
TEST(Glossiness, TexturesBecomeTextures) {
  const std::vector<std::uint8_t> diffuse = {255, 0, 0, 0, 0, 0};
  const std::string colours = encodePng(diffuse.data(), {2, 1}, 8, {});
  // The specular texture is twice as wide as the diffuse one.
  std::vector<std::uint8_t> specular;
  for (int x = 0; x < 4; ++x)
    for (const int value : x < 2 ? std::array{56, 56, 56, 255} : std::array{255, 220, 140, 153})
      specular.push_back(static_cast<std::uint8_t>(value));
  const std::string mirrors = test::writtenByStb(stbi_write_png_to_func, 4, 1, 4, specular.data(), 16);
  const ModelData model =
      read(R"("diffuseTexture":{"index":0},"specularGlossinessTexture":{"index":1})", {colours, mirrors});
  const ModelMaterial& material = model.materials.at(0);
  EXPECT_EQ(material.baseColour, glm::vec4(1.0f));
  EXPECT_EQ(material.metallic, 1.0f);
  EXPECT_EQ(material.roughness, 1.0f);
  const ModelImage& base = model.images.at(static_cast<std::size_t>(material.baseColourTexture.image));
  const ModelImage& metal = model.images.at(static_cast<std::size_t>(material.metallicRoughnessTexture.image));
  ASSERT_EQ(base.size, glm::ivec2(4, 1));
  ASSERT_EQ(metal.size, glm::ivec2(4, 1));
  EXPECT_NEAR(base.texels[0].r, 255, 2);
  EXPECT_NEAR(base.texels[0].g, 0, 2);
  EXPECT_EQ(metal.texels[0].b, 0);
  EXPECT_EQ(metal.texels[0].g, 0);
  EXPECT_NEAR(base.texels[3].r, 255, 2);
  EXPECT_NEAR(base.texels[3].g, 220, 2);
  EXPECT_NEAR(base.texels[3].b, 140, 2);
  EXPECT_EQ(metal.texels[3].b, 255);
  EXPECT_EQ(metal.texels[3].g, 102);
  EXPECT_TRUE(model.images[0].texels.empty()) << "what is converted is not kept";
  ModelLimits limits;
  limits.imageBytes = (2 + 4 + 2 * 4) * 4;
  EXPECT_EQ(read(R"("diffuseTexture":{"index":0},"specularGlossinessTexture":{"index":1})", {colours, mirrors}, limits)
                .notes.size(),
            1u);
  limits.imageBytes -= 1;
  EXPECT_THAT(
      [&] {
        read(R"("diffuseTexture":{"index":0},"specularGlossinessTexture":{"index":1})", {colours, mirrors}, limits);
      },
      testing::ThrowsMessage<std::runtime_error>(HasSubstr("too much memory, once they are converted")));
}

// Four tiles of colour under one of metal.
TEST(Glossiness, TexturesThatLieDifferentlyAreConvertedApart) {
  const std::vector<std::uint8_t> halves = {255, 0, 0, 0, 0, 255}, mirrors = {56, 56, 56, 255, 255, 255};
  const std::vector<std::string> pngs{encodePng(halves.data(), {2, 1}, 8, {}),
                                      encodePng(mirrors.data(), {2, 1}, 8, {})};
  const auto with = [&](const char* transform) {
    return read(std::string(R"("glossinessFactor":0.5,"specularGlossinessTexture":{"index":1},"diffuseTexture":{)") +
                    transform + R"("index":0})",
                pngs);
  };
  const ModelData apart = with(R"("extensions":{"KHR_texture_transform":{"scale":[4,4]}},)");
  const ModelMaterial& material = apart.materials.at(0);
  EXPECT_EQ(material.baseColourTexture.rows[0].x, 4.0f);
  EXPECT_EQ(material.metallicRoughnessTexture.rows[0].x, 1.0f);
  const ModelImage& base = apart.images.at(static_cast<std::size_t>(material.baseColourTexture.image));
  const ModelImage& metal = apart.images.at(static_cast<std::size_t>(material.metallicRoughnessTexture.image));
  EXPECT_GT(base.texels.at(0).r, base.texels[0].b + 50) << "red stays red";
  EXPECT_GT(base.texels.at(1).b, base.texels[1].r + 50);
  EXPECT_LT(metal.texels.at(0).b, 20);
  EXPECT_GT(metal.texels.at(1).b, 200);
  EXPECT_THAT(apart.notes, testing::Contains(HasSubstr("converted separately")));
  const ModelData together = with("");
  EXPECT_EQ(together.notes.size(), 1u);
  EXPECT_EQ(together.materials.at(0).metallicRoughnessTexture.rows[0].x, 1.0f);
}

TEST(Glossiness, KeepsTransmissionAndTint) {
  const std::string glass =
      R"(,"KHR_materials_transmission":{"transmissionFactor":1},"KHR_materials_volume":{"thicknessFactor":1,
      "attenuationDistance":1,"attenuationColor":[1,0.5,0.5]})";
  const std::vector<std::uint8_t> white = {255, 255, 255};
  for (const bool texture : {false, true}) {
    const ModelData model =
        read(texture ? R"("diffuseFactor":[1,1,1,0.3],"specularFactor":[0.2,0.2,0.2],"diffuseTexture":{"index":0})"
                     : R"("diffuseFactor":[1,1,1,0.3],"specularFactor":[0,0,0])",
             {encodePng(white.data(), {1, 1}, 8, {})}, {}, glass);
    const ModelMaterial& material = model.materials.at(0);
    EXPECT_EQ(material.alphaMode, AlphaMode::blend);
    EXPECT_NEAR(material.baseColour.a, 1.0f - 0.9f * 2.0f / 3.0f, 1e-4f) << "the alpha of an opaque surface is 1";
    EXPECT_NEAR(material.baseColour.g / material.baseColour.r, 0.5f, 1e-4f);
  }
}

TEST(Glossiness, ATextureOfPlasticStays) {
  const std::vector<std::uint8_t> red = {255, 0, 0};
  const ModelData model =
      read(R"("diffuseTexture":{"index":0},"specularFactor":[0.03,0.03,0.03],"glossinessFactor":0.5)",
           {encodePng(red.data(), {1, 1}, 8, {})});
  EXPECT_EQ(model.materials.at(0).baseColourTexture.image, 0);
  EXPECT_FALSE(model.materials[0].metallicRoughnessTexture);
  EXPECT_EQ(model.materials[0].roughness, 0.5f);
  EXPECT_EQ(model.images.size(), 1u);
}

}  // namespace
}  // namespace satdof
