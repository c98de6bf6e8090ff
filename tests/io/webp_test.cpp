#include "app/io/formats/webp.h"

#include <gmock/gmock.h>

#include "app/io/codec.h"
#include "app/scene/model/gltf/extensions.h"
#include "app/scene/model/reader.h"
#include "tests/io/photographs.h"
#include "tests/scene/model/glb.h"

#if SATDOF_HAS_WEBP
#include <webp/encode.h>
#endif

namespace satdof::test {
namespace {

using testing::HasSubstr;

#if SATDOF_HAS_WEBP

// Without losses. `rows`: top row first.
std::string webpOf(const std::vector<std::uint8_t>& rows, glm::ivec2 size, int channels) {
  std::uint8_t* encoded = nullptr;
  const auto encode = channels == 4 ? WebPEncodeLosslessRGBA : WebPEncodeLosslessRGB;
  const std::size_t bytes = encode(rows.data(), size.x, size.y, channels * size.x, &encoded);
  std::string file(reinterpret_cast<const char*>(encoded), bytes);
  WebPFree(encoded);
  return file;
}

const std::vector<std::uint8_t> kRows = {255, 0, 0, 0, 255, 0, 10, 20, 30, 40, 50, 60};  // 2 x 2

TEST(Webp, PicturesDepthAndTexturesAreRead) {
  const std::string file = webpOf(kRows, {2, 2}, 3);
  EXPECT_EQ(codecByContent(file), codecByExtension("a.webp"));
  const Picture picture = decodePicture(file);
  EXPECT_EQ(picture.size, glm::ivec2(2, 2));
  EXPECT_TRUE(picture.photograph);
  EXPECT_EQ(picture.rgba[8], 0x3c00) << "the bottom row is first";
  EXPECT_EQ(picture.rgba[9], 0);
  EXPECT_EQ(picture.rgba[12], 0);
  EXPECT_EQ(picture.rgba[13], 0x3c00);
  const DepthImage depth = decodeDepth(webpOf({1, 1, 1, 200, 200, 200}, {1, 2}, 3));
  EXPECT_EQ(depth.values, (std::vector<float>{200, 1}));
  const ModelImage texture = decodeImage(webpOf({1, 2, 3, 4, 5, 6, 7, 200}, {2, 1}, 4), {});
  EXPECT_THAT(texture.texels, testing::ElementsAre(glm::u8vec4(1, 2, 3, 4), glm::u8vec4(5, 6, 7, 200)));
}

TEST(Webp, DamageAndLimitsAreRefused) {
  const std::string file = webpOf(kRows, {2, 2}, 3);
  const auto reason = [](const std::string& bytes, const FileLimits& limits = {}) {
    return reasonOf([&] { decodePicture(bytes, limits); });
  };
  for (std::size_t size = 12; size < file.size() - 2; ++size) EXPECT_NE(reason(file.substr(0, size)), "accepted");
  EXPECT_THAT(reason(file.substr(0, 14)), HasSubstr("truncated before its pixels"));
  EXPECT_THAT(reason(file, {.side = 1}), HasSubstr("its size is 2x2, at most 1 on a side"));
  EXPECT_THAT(reason(webpOf(std::vector<std::uint8_t>(std::size_t{3} << 20, 9), {1024, 1024}, 3)),
              testing::StrEq("accepted"))
      << "one colour takes few bytes";
}

// A texture with two images: the extension names the WebP; `source` names the fallback.
TEST(Webp, IsTheTextureThatTheExtensionNames) {
  GlbMaker maker;
  const std::string square = maker.square();
  const int view = maker.view(webpOf({9, 8, 7}, {1, 1}, 3));
  const ModelData model = [&] {
    LoadProgress progress;
    return parseGltf(
        {maker.make(
             R"("scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"material":0,)" +
             square +
             R"(}]}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
      "textures":[{"source":0,"extensions":{"EXT_texture_webp":{"source":1}}}],
      "images":[{"uri":"gone.png"},{"mimeType":"image/webp","bufferView":)" +
             std::to_string(view) + R"(}],"extensionsUsed":["EXT_texture_webp"])"),
         {},
         {}},
        progress);
  }();
  EXPECT_EQ(model.materials.at(0).baseColourTexture.image, 1);
  EXPECT_THAT(model.images.at(1).texels, testing::ElementsAre(glm::u8vec4(9, 8, 7, 255)));
  EXPECT_EQ(model.notes, Notes());
}

#else

TEST(Webp, IsRefusedInWordsWithoutTheLibrary) {
  const std::string file = "RIFF____WEBPVP8L";
  EXPECT_THAT(reasonOf([&] { decodePicture(file); }), HasSubstr("WebP is not read: this program was built without"));
  EXPECT_TRUE(codecByExtension("a.webp")->library().empty());
  EXPECT_FALSE(gltf::isRead("EXT_texture_webp"));
}

#endif

}  // namespace
}  // namespace satdof::test
