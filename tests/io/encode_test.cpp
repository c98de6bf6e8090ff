#include <gmock/gmock.h>
#include <stb_image.h>

#include <algorithm>
#include <limits>
#include <random>

#include "app/core/usage_error.h"
#include "app/io/codec.h"
#include "app/io/formats/exr.h"
#include "app/io/formats/png.h"
#include "app/io/image_file.h"
#include "app/io/layer_file.h"
#include "app/io/metadata/image_text.h"
#include "tests/support/decoded.h"

namespace satdof {
namespace {

constexpr glm::ivec2 kEncodedSizes[] = {{1, 1}, {1, 17}, {33, 1}, {3, 5}, {17, 65}, {129, 31}};

template <class T>
std::vector<T> randomRows(glm::ivec2 size) {
  static std::mt19937 generator(7);
  std::vector<T> rows(static_cast<std::size_t>(size.x * size.y * 3));
  for (auto& value : rows) value = static_cast<T>(generator());
  return rows;
}

TEST(Png, EightAndSixteenBitsDecodeExactlyTopRowFirst) {
  for (const auto size : kEncodedSizes) {
    const auto bytes = randomRows<stbi_uc>(size);
    EXPECT_EQ(test::decoded<stbi_uc>(stbi_load_from_memory, encodePng(bytes.data(), size, 8, {{"k", "t"}}), size),
              bytes);
    const auto words = randomRows<stbi_us>(size);
    EXPECT_EQ(test::decoded<stbi_us>(stbi_load_16_from_memory, encodePng(words.data(), size, 16, {{"k", "t"}}), size),
              words);
  }
}

TEST(Png, TextReadsBackAndDamageIsNoText) {
  const auto pixels = randomRows<stbi_uc>({5, 3});
  const std::string text = "{\n  \"a\": 1.25\n}\n" + std::string(3000, 'x');
  const std::string png = encodePng(pixels.data(), {5, 3}, 8, {{"other-text", "x"}, {kSettingsKeyword, text}});
  EXPECT_TRUE(isPng(png));
  EXPECT_EQ(pngText(png, kSettingsKeyword), text);
  EXPECT_EQ(pngText(png, "other"), std::nullopt);
  EXPECT_FALSE(isPng("{}"));
  EXPECT_FALSE(isPng(""));
  for (std::size_t bytes = 8; bytes < 3000; bytes += 97)
    EXPECT_EQ(pngText(png.substr(0, bytes), kSettingsKeyword), std::nullopt);
}

TEST(Png, IsWholeWithAllItsBytesAlone) {
  const auto pixels = randomRows<stbi_uc>({5, 3});
  const std::string png = encodePng(pixels.data(), {5, 3}, 8, {{"text", "x"}});
  EXPECT_TRUE(isWholePng(png));
  for (std::size_t i = 0; i < png.size(); ++i) {
    std::string damaged = png;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(isWholePng(damaged)) << i;
    EXPECT_FALSE(isWholePng(png.substr(0, i))) << i;
  }
}

TEST(LinearImage, FloatMapIsExactBottomRowFirst) {
  for (const auto size : kEncodedSizes) {
    auto rows = randomRows<float>(size);
    rows[0] = -1e30f;
    EXPECT_EQ(test::pfmRows(encodePfm(rows, size), size), rows);
  }
}

// A shared exponent with 8 bits of mantissa: the error is below 1/128 of a pixel's largest channel.
TEST(LinearImage, RadianceKeepsItsPrecision) {
  std::mt19937 generator(11);
  std::lognormal_distribution<float> light(0.0f, 4.0f);
  for (const auto size : kEncodedSizes) {
    std::vector<float> rows(static_cast<std::size_t>(size.x * size.y * 3));
    for (auto& value : rows) value = light(generator);
    const auto read = test::decoded<float>(stbi_loadf_from_memory, encodeHdr(rows, size), size);
    ASSERT_EQ(read.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const float* pixel = &rows[i / 3 * 3];
      ASSERT_NEAR(read[i], rows[i], std::max({pixel[0], pixel[1], pixel[2]}) / 128.0f);
    }
  }
}

// Values that a format cannot hold.
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

TEST(LinearImage, RadianceClampsToRepresentableValues) {
  const glm::ivec2 size{9, 1};
  const float values[] = {-0.59f, -kInfinity, kNan, kInfinity, 3e38f, 65505.0f, -1e-30f, 0.0f, 0.5f};
  std::vector<float> rows;
  for (const float value : values) rows.insert(rows.end(), {value, value, value});
  const auto read = test::decoded<float>(stbi_loadf_from_memory, encodeHdr(rows, size), size);
  const float expected[] = {0, 0, 0, 0x1p127f, 0x1p127f, 65505.0f, 0, 0, 0.5f};
  ASSERT_EQ(read.size(), rows.size());
  for (std::size_t i = 0; i < read.size(); ++i)
    EXPECT_NEAR(read[i], expected[i / 3], expected[i / 3] / 128.0f) << values[i / 3];
  // A negative channel leaves the others alone.
  const auto mixed = test::decoded<float>(stbi_loadf_from_memory, encodeHdr({-0.59f, 0.25f, kNan}, {1, 1}), {1, 1});
  EXPECT_EQ(mixed[0], 0.0f);
  EXPECT_NEAR(mixed[1], 0.25f, 0.25f / 128.0f);
  EXPECT_EQ(mixed[2], 0.0f);
}

TEST(LinearImage, HalfFloatsStayFinite) {
  const std::vector<float> values = {65504.0f, 65505.0f, 65520.0f, 1e30f, -1e30f, kInfinity, -0.59f, 0.5f};
  const ExrImage image{.size = {8, 1}, .channels = {{"R", true, values}, {"Z", false, values}}, .texts = {}};
  const ExrImage read = decodeExr(encodeExr(image), "a.exr");
  EXPECT_THAT(read.channel("R")->values,
              testing::Pointwise(testing::FloatNear(1e-3f),
                                 {65504.0f, 65504.0f, 65504.0f, 65504.0f, -65504.0f, kInfinity, -0.59f, 0.5f}));
  EXPECT_EQ(read.channel("Z")->values, values);
}

TEST(LinearImage, WordsOfLayersAreRoundedToNearest) {
  const auto words = [](Layer layer, const LayerImage& image) {
    const std::string png = writerOf("a.png").layer(layer, image, {});
    int width = 0, height = 0, channels = 0;
    stbi_us* const read = stbi_load_16_from_memory(reinterpret_cast<const stbi_uc*>(png.data()),
                                                   static_cast<int>(png.size()), &width, &height, &channels, 0);
    std::vector<int> found(read, read + width * height * channels);
    stbi_image_free(read);
    return found;
  };
  const std::vector<float> values = {kNan, kInfinity, -kInfinity, 2.0f, -2.0f};
  EXPECT_THAT(words(Layer::coc, {.size = {5, 1}, .nearM = 0.1f, .planes = {values}}),
              testing::ElementsAre(0, 65535, 0, 65535, 1));
  EXPECT_THAT(words(Layer::depth, {.size = {5, 1}, .nearM = 0.1f, .planes = {values}}),
              testing::ElementsAre(0, 65535, 0, 65535, 0));
  const std::vector<float> light = {kNan, kInfinity, -0.59f, 1.0f, 70000.0f};
  for (const int word : words(Layer::colour, {.size = {5, 1}, .nearM = 0.1f, .planes = {light, light, light}}))
    EXPECT_TRUE(word == 0 || word == 65535) << word;
}

TEST(Jpeg, HoldsPixelsTextsAndExif) {
  const glm::ivec2 size{16, 8};
  std::vector<std::uint8_t> rows;
  for (int i = 0; i < 16 * 8; ++i)
    for (const int value : {i < 16 * 4 ? 220 : 20, 40, 60}) rows.push_back(static_cast<std::uint8_t>(value));
  const std::string exif("II*\0\x08\0\0\0\0\0\0\0\0\0", 14), longText(70000, 'x');
  const std::string bytes =
      encodeJpeg(rows, size, 95, {{"long", longText}, {"satdof settings", "{\n}"}, {"Software", "satdof"}}, exif);
  EXPECT_EQ(imageText(bytes, "satdof settings"), "{\n}");
  EXPECT_EQ(imageText(bytes, "Software"), "satdof");
  EXPECT_FALSE(imageText(bytes, "long"));
  EXPECT_FALSE(imageText(bytes.substr(0, 30), "Software"));
  EXPECT_NE(bytes.find(std::string("Exif\0\0", 6) + exif), std::string::npos);
  EXPECT_STREQ(readerOf(bytes).name, "JPEG");
  int width = 0, height = 0, channels = 0;
  stbi_uc* const read = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                                              static_cast<int>(bytes.size()), &width, &height, &channels, 3);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(glm::ivec2(width, height), size);
  EXPECT_NEAR(read[0], 20, 8) << "top row first";
  EXPECT_NEAR(read[3 * 16 * 7], 220, 8);
  stbi_image_free(read);
}

TEST(LinearImage, FormatFollowsTheExtension) {
  for (const auto& [path, name] : {std::pair("a.b/c.png", "PNG"),
                                   {"c.hdr", "Radiance HDR"},
                                   {"c.pfm", "PFM"},
                                   {"c.exr", "EXR"},
                                   {"c.EXR", "EXR"},
                                   {"c.jpg", "JPEG"},
                                   {"c.jpeg", "JPEG"}})
    EXPECT_STREQ(writerOf(path).name, name);
  for (const char* path : {"c", "c.PNGX", "exr", "png", ".png", "", "c.heic", "c.tga"})
    EXPECT_THROW(writerOf(path), UsageError) << path;
}

}  // namespace
}  // namespace satdof
