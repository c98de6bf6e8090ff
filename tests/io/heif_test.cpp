#include "app/io/codec.h"

#include <gmock/gmock.h>

#include <cmath>
#include <glm/gtc/packing.hpp>

#include "app/io/metadata/colour_profile.h"
#include "app/io/metadata/exif.h"
#include "app/io/photograph.h"
#include "tests/io/photographs.h"
#include "tests/support/temporary_folder.h"

#if SATDOF_HAS_HEIF
#include "tests/io/heif_files.h"
#endif

namespace satdof::test {
namespace {

using testing::HasSubstr;

TEST(Heif, IsKnownByItsBrand) {
  for (const char* brand : {"heic", "avif", "mif1"})
    EXPECT_EQ(codecByContent(std::string("\0\0\0\x18", 4) + "ftyp" + brand), codecByExtension("a.heic"));
  EXPECT_EQ(codecByContent(std::string("\0\0\0\x18", 4) + "ftypmp42"), nullptr);
  EXPECT_EQ(codecByContent("ftypheic"), nullptr);
}

#if !SATDOF_HAS_HEIF

TEST(Heif, WithoutTheLibraryTheErrorNamesTheRemedy) {
  const std::string bytes = std::string("\0\0\0\x18", 4) + "ftypheic" + std::string(12, '\0');
  EXPECT_THAT(reasonOf([&] { decodePicture(bytes); }),
              HasSubstr("HEIC and AVIF are not read: this program was built without libheif; convert it"));
  EXPECT_TRUE(codecByExtension("a.heic")->library().empty());
}

#else

constexpr glm::ivec2 kSize{64, 48};
constexpr const char* kNoDeepAvif = "libheif 1.15 cannot encode AVIF of 10 bits";

// Grey of `most`, the quarter at the top left red.
std::vector<std::uint16_t> redCorner(unsigned most) {
  std::vector<std::uint16_t> rgb;
  for (int y = 0; y < kSize.y; ++y)
    for (int x = 0; x < kSize.x; ++x)
      for (int c = 0; c < 3; ++c) {
        const bool red = x < kSize.x / 2 && y < kSize.y / 2;
        rgb.push_back(static_cast<std::uint16_t>(red ? (c == 0 ? most : 0u) : most / 2));
      }
  return rgb;
}

// From 0 at the left to `most` at the right.
std::vector<std::uint16_t> ramp(unsigned most) {
  std::vector<std::uint16_t> depth;
  for (int y = 0; y < kSize.y; ++y)
    for (int x = 0; x < kSize.x; ++x)
      depth.push_back(static_cast<std::uint16_t>(static_cast<unsigned>(x) * most / (kSize.x - 1)));
  return depth;
}

glm::vec3 colourAt(const Picture& picture, int x, int y) {
  const std::uint16_t* const at = &picture.rgba[4 * static_cast<std::size_t>(y * picture.size.x + x)];
  return {glm::unpackHalf1x16(at[0]), glm::unpackHalf1x16(at[1]), glm::unpackHalf1x16(at[2])};
}

class HeifFormats : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!canEncode(GetParam())) GTEST_SKIP() << "libheif has no encoder for " << (GetParam() ? "AVIF" : "HEIC");
  }
};
INSTANTIATE_TEST_SUITE_P(Formats, HeifFormats, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "avif" : "heic"; });

TEST_P(HeifFormats, KeepsColoursOf8And10Bits) {
  for (const int bits : {8, 10}) {
    if (bits > 8 && GetParam()) GTEST_SKIP() << kNoDeepAvif;
    const unsigned most = (1u << bits) - 1u;
    const std::string bytes = heifOf({.avif = GetParam(), .size = kSize, .bits = bits, .rgb = redCorner(most)});
    const Picture picture = decodePicture(bytes);
    ASSERT_EQ(picture.size, kSize);
    EXPECT_TRUE(picture.photograph);
    const glm::vec3 red = colourAt(picture, 10, kSize.y - 10), grey = colourAt(picture, kSize.x - 10, 10);
    EXPECT_NEAR(red.r, 1.0f, 0.02f) << bits;
    EXPECT_NEAR(red.g, 0.0f, 0.02f) << bits;
    const double half = static_cast<double>(most / 2) / most, expected = std::pow((half + 0.055) / 1.055, 2.4);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(grey[c], expected, bits == 8 ? 4e-3 : 1e-3) << bits;
  }
}

TEST_P(HeifFormats, TurnsImageAndDepth) {
  std::vector<std::uint16_t> left(static_cast<std::size_t>(kSize.x * kSize.y), 40);
  for (int y = 0; y < kSize.y; ++y)
    for (int x = 0; x < kSize.x / 2; ++x) left[static_cast<std::size_t>(y * kSize.x + x)] = 200;
  const std::string bytes = heifOf({.avif = GetParam(),
                                    .size = kSize,
                                    .rgb = redCorner(255),
                                    .depth = left,
                                    .orientation = heif_orientation_rotate_90_cw});
  const Photograph photograph = decodePhotograph(bytes, true);
  EXPECT_EQ(photograph.picture.size, glm::ivec2(kSize.y, kSize.x));
  EXPECT_EQ(readerOf(bytes).size(bytes, {}), photograph.picture.size);
  const glm::vec3 topRight = colourAt(photograph.picture, kSize.y - 10, kSize.x - 10);
  EXPECT_GT(topRight.r, 0.9f);
  EXPECT_LT(topRight.g, 0.1f);
  ASSERT_TRUE(photograph.depth);
  ASSERT_EQ(photograph.depth->size, photograph.picture.size);
  EXPECT_NEAR(photograph.depth->values.front(), 40.0f, 1.0f);  // the left half is now at the top
  EXPECT_NEAR(photograph.depth->values.back(), 200.0f, 1.0f);
}

TEST_P(HeifFormats, ExtendsTheLimitedRangeOfGrey) {
  if (!GetParam()) GTEST_SKIP() << "libheif 1.15 writes grey HEIC as RGB";
  std::vector<std::uint16_t> grey;
  for (int i = 0; i < kSize.x * kSize.y; ++i) grey.push_back(i % kSize.x < kSize.x / 2 ? 16 : 235);
  for (const bool full : {false, true}) {
    const Picture picture =
        decodePicture(heifOf({.avif = GetParam(), .size = kSize, .rgb = grey, .grey = true, .fullRange = full}));
    const auto linear = [](float v) { return std::pow((v / 255.0f + 0.055f) / 1.055f, 2.4f); };
    EXPECT_NEAR(colourAt(picture, 8, 8).g, full ? linear(16) : 0.0f, 2e-3f);
    EXPECT_NEAR(colourAt(picture, kSize.x - 8, 8).g, full ? linear(235) : 1.0f, 2e-2f);
  }
}

TEST_P(HeifFormats, KnowsItsProfile) {
  const auto pictureOf = [&](const std::string& icc, heif_color_primaries primaries) {
    return decodePicture(
        heifOf({.avif = GetParam(), .size = kSize, .rgb = redCorner(255), .icc = icc, .primaries = primaries}));
  };
  const Picture named = pictureOf({}, heif_color_primaries_SMPTE_EG_432_1);
  const Picture plain = pictureOf({}, heif_color_primaries_ITU_R_BT_709_5);
  EXPECT_EQ(plain.notes, Notes());
#if SATDOF_HAS_LCMS
  const Picture profiled = pictureOf(namedProfile(NamedColours::displayP3), heif_color_primaries_ITU_R_BT_709_5);
  for (const Picture* picture : {&named, &profiled}) {
    EXPECT_THAT(picture->notes, testing::Contains(HasSubstr("Display P3")));
    // Red of Display P3 has more than all of the red of sRGB: 1.2249, -0.0420, -0.0196.
    EXPECT_NEAR(colourAt(*picture, 10, kSize.y - 10).r, 1.2249f, 0.03f);
  }
#else
  EXPECT_THAT(named.notes, testing::Contains(HasSubstr("ignored")));
#endif
}

TEST_P(HeifFormats, KeepsTheFactsOfThePhotograph) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write(GetParam() ? "facts.avif" : "facts.heic",
                   heifOf({.avif = GetParam(), .size = kSize, .rgb = redCorner(255), .exif = exifWith(6, true)}));
  const PhotographFacts facts = readPhotographFacts(path);
  ASSERT_FALSE(facts.texts.empty());
  EXPECT_EQ(facts.texts[0].text, "cam");
  EXPECT_EQ(pictureSize(path), kSize);  // the orientation of the EXIF data is not applied again
}

// The number of the leftmost and the rightmost column, and what they mean.
TEST_P(HeifFormats, ReadsEveryRepresentationOfDepth) {
  struct Case {
    unsigned type;
    std::initializer_list<double> numbers;
    DepthMeaning meaning;
    float left, right;
    const char* origin;
  };
  for (const Case& of :
       {Case{0, {0.5, 8, -1, -1}, DepthMeaning::inverseMetres, 0.125f, 2.0f, "uniform inverse Z from 0.5 to 8 m"},
        Case{1, {-1, -1, 0.25, 3}, DepthMeaning::inverseMetres, 0.25f, 3.0f, "uniform disparity from 0.25 to 3 1/m"},
        Case{2, {0.5, 8, -1, -1}, DepthMeaning::metres, 0.5f, 8.0f, "uniform Z from 0.5 to 8 m"},
        Case{0, {0.5, -1, -1, -1}, DepthMeaning::relative, 0.0f, 255.0f, "no range"},
        Case{0, {8, 0.5, -1, -1}, DepthMeaning::relative, 0.0f, 255.0f, "no range"},
        Case{2, {-1, -1, -1, -1}, DepthMeaning::relative, 255.0f, 0.0f, "uniform Z without its range"},
        Case{29, {0.5, 8, -1, -1}, DepthMeaning::relative, 0.0f, 255.0f, "no range"},
        Case{3, {-1, -1, 0.25, 3}, DepthMeaning::relative, 0.0f, 255.0f, "nonuniform disparity"}}) {
    const auto depth = decodePhotograph(heifOf({.avif = GetParam(),
                                                .size = kSize,
                                                .rgb = redCorner(255),
                                                .depth = ramp(255),
                                                .subtypes = depthMessage(of.type, of.numbers)}),
                                        true)
                           .depth;
    ASSERT_TRUE(depth) << of.type;
    EXPECT_EQ(depth->size, kSize);
    EXPECT_EQ(depth->meaning, of.meaning) << of.type;
    EXPECT_NEAR(depth->values.front(), of.left, 1e-3f * of.right) << of.type;
    EXPECT_NEAR(depth->values.back(), of.right, 1e-3f * of.right) << of.type;
    EXPECT_THAT(depth->origin, HasSubstr(of.origin));
    EXPECT_EQ(depth->notes.empty(), of.meaning != DepthMeaning::relative);
  }
}

TEST_P(HeifFormats, ReadsDepthOf10Bits) {
  if (GetParam()) GTEST_SKIP() << kNoDeepAvif;
  const std::string bytes =
      heifOf({.avif = GetParam(), .size = kSize, .bits = 10, .rgb = redCorner(1023), .depth = ramp(1023)});
  const DepthImage depth = decodeDepth(bytes);
  EXPECT_EQ(depth.meaning, DepthMeaning::relative);
  EXPECT_EQ(depth.largest, 65535.0f);
  for (const int x : {0, 20, 63})
    EXPECT_NEAR(depth.values[static_cast<std::size_t>(x)] / 65535.0f, static_cast<float>(x) / 63.0f, 2e-3f) << x;
}

TEST_P(HeifFormats, HasNoDepthWithoutAuxiliaryImage) {
  const std::string bytes = heifOf({.avif = GetParam(), .size = kSize, .rgb = redCorner(255)});
  EXPECT_FALSE(decodePhotograph(bytes, true).depth);
  EXPECT_THAT(reasonOf([&] { decodeDepth(bytes); }), HasSubstr("no depth beside it"));
}

TEST_P(HeifFormats, NotesFurtherImages) {
  HeifFile file{.avif = GetParam(), .size = kSize, .rgb = redCorner(255)};
  const auto notes = [&] { return decodePicture(heifOf(file)).notes; };
  const Notes alone = notes();
  file.images = 2;
  const Notes both = notes();
  EXPECT_THAT(both, testing::SizeIs(alone.size() + 1));
  EXPECT_THAT(both, testing::Contains("its further images are left out"));
}

TEST_P(HeifFormats, RefusesLargeAndDamagedFilesInOneLine) {
  const std::string bytes = heifOf({.avif = GetParam(), .size = kSize, .rgb = redCorner(255), .depth = ramp(255)});
  EXPECT_THAT(reasonOf([&] { decodePhotograph(bytes, true, {.side = 63}); }),
              testing::AnyOf(HasSubstr("63"), HasSubstr("limit")));
  EXPECT_THAT(reasonOf([&] { decodePhotograph(bytes, true, {.pixels = 64 * 48 - 1}); }), HasSubstr("3071 pixels"));
  for (std::size_t length = 12; length < bytes.size(); length += 7) {
    const std::string reason = reasonOf([&] { decodePhotograph(std::string_view(bytes).substr(0, length), true); });
    EXPECT_EQ(reason.find('\n'), reason.npos);
    EXPECT_LT(reason.size(), 200u);
  }
  const TemporaryFolder folder;
  const std::string path = folder.write("damaged.heic", bytes.substr(0, 200));
  EXPECT_THAT(reasonOf([&] { readPhotograph(path, true); }), HasSubstr("damaged.heic"));
}

#endif

}  // namespace
}  // namespace satdof::test
