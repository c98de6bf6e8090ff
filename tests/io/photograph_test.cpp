#include "app/io/photograph.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <glm/gtc/packing.hpp>
#include <limits>
#include <random>

#if SATDOF_HAS_LCMS
#include <lcms2.h>
#endif

#include "app/io/base64.h"
#include "app/io/codec.h"
#include "app/io/damage.h"
#include "app/io/embedded_depth.h"
#include "app/io/formats/jpeg.h"
#include "app/io/formats/png.h"
#include "app/io/metadata/colour_profile.h"
#include "app/io/metadata/exif.h"
#include "app/io/metadata/ifd.h"
#include "app/io/metadata/orientation.h"
#include "tests/io/photographs.h"
#include "tests/io/profile_files.h"
#include "tests/support/temporary_folder.h"

namespace satdof::test {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

constexpr glm::ivec2 kSize{48, 32};

// A JPEG: red in the quarter at the top left, grey elsewhere.
std::string redCorner() {
  std::vector<std::uint8_t> samples;
  for (int y = 0; y < kSize.y; ++y)
    for (int x = 0; x < kSize.x; ++x)
      for (int c = 0; c < 3; ++c) samples.push_back(x < kSize.x / 2 && y < kSize.y / 2 ? (c == 0 ? 255 : 0) : 100);
  return jpegOf(samples, kSize, 3);
}

// Where the red quarter is: "top left", ...
std::string redQuarter(const Picture& picture) {
  for (const bool top : {false, true})
    for (const bool left : {false, true}) {
      const int x = (left ? 1 : 3) * picture.size.x / 4, y = (top ? 3 : 1) * picture.size.y / 4;
      const auto at = 4 * static_cast<std::size_t>(y * picture.size.x + x);
      if (glm::unpackHalf1x16(picture.rgba[at + 1]) < 0.02f)
        return std::string(top ? "top" : "bottom") + (left ? " left" : " right");
    }
  return "nowhere";
}

// Fills and frees memory first: the decoder must not use old bytes as Huffman tables.
TEST(Jpeg, WithoutHuffmanTablesIsEvenlyGrey) {
  std::string jpeg = jpegOf(std::vector<std::uint8_t>(64, 200), {8, 8}, 1);
  const std::size_t tables = jpeg.find("\xff\xc4"), scan = jpeg.find("\xff\xda");
  jpeg.erase(tables, scan - tables);
  std::vector<std::unique_ptr<std::vector<char>>> used;
  for (std::size_t bytes = 1 << 10; bytes <= 1 << 16; bytes += 1 << 8)
    used.push_back(std::make_unique<std::vector<char>>(bytes, '\x11'));
  used.clear();
  const Picture picture = decodePicture(jpeg);
  for (std::size_t i = 4; i < picture.rgba.size(); ++i) ASSERT_EQ(picture.rgba[i], picture.rgba[i - 4]) << i;
}

TEST(Orientation, TurnsJpegAndPng) {
  const std::array<std::pair<const char*, bool>, 8> expected{{{"top left", false},
                                                              {"top right", false},
                                                              {"bottom right", false},
                                                              {"bottom left", false},
                                                              {"top left", true},
                                                              {"top right", true},
                                                              {"bottom right", true},
                                                              {"bottom left", true}}};
  const TemporaryFolder folder;
  for (int orientation = 1; orientation <= 8; ++orientation)
    for (const bool little : {false, true}) {
      const auto& [where, turned] = expected[static_cast<std::size_t>(orientation - 1)];
      const std::string bytes = withSegments(redCorner(), exifSegment(orientation, little));
      const Picture picture = decodePicture(bytes);
      EXPECT_EQ(redQuarter(picture), where) << orientation;
      EXPECT_EQ(picture.size, turned ? glm::ivec2(kSize.y, kSize.x) : kSize) << orientation;
      EXPECT_EQ(pictureSize(folder.write("turned.jpg", bytes)), picture.size);
      const std::vector<std::uint8_t> grey(pixelCount(kSize));
      std::string png = encodePng(grey.data(), kSize, 8, {}, 1, exifWith(orientation, little));
      EXPECT_EQ(decodePicture(png).size, picture.size);
      EXPECT_EQ(pictureSize(folder.write("turned.png", png)), picture.size);
      constexpr std::size_t kEndBytes = 12;
      const std::size_t chunk = png.find("eXIf") - 4, length = exifWith(orientation, little).size() + 12;
      png.insert(png.size() - kEndBytes, png.substr(chunk, length)).erase(chunk, length);
      EXPECT_EQ(pictureSize(folder.write("late.png", png)), decodePicture(png).size) << "after the pixels";
    }
}

TEST(Orientation, EveryPixelMovesAsExifSays) {
  // A 3 x 2 image, top row first, and what EXIF 2.32 asks to be shown.
  const std::array<std::string, 8> shown{"abc def",  "cba fed",  "fed cba",  "def abc",
                                         "ad be cf", "da eb fc", "fc eb da", "cf be ad"};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    std::vector<char> pixels{'d', 'e', 'f', 'a', 'b', 'c'};  // bottom row first
    glm::ivec2 size{3, 2};
    applyOrientation(pixels, size, 1, orientation);
    std::string text;
    for (int y = size.y; y-- > 0;) {
      text.append(&pixels[static_cast<std::size_t>(y * size.x)], static_cast<std::size_t>(size.x));
      text += y > 0 ? " " : "";
    }
    EXPECT_EQ(text, shown[static_cast<std::size_t>(orientation - 1)]) << orientation;
  }
}

TEST(Orientation, DamagedExifIsUpright) {
  const std::string exif = exifWith(6, true);
  EXPECT_EQ(exifOrientation(exif), 6);
  for (std::size_t length = 0; length < exif.size() - 10; ++length)
    EXPECT_EQ(exifOrientation(exif.substr(0, length)), 1) << length;
  EXPECT_EQ(exifOrientation(exifWith(0, true)), 1);
  EXPECT_EQ(exifOrientation(exifWith(9, false)), 1);
  std::string far = exif;
  far[4] = far[5] = far[6] = far[7] = '\xff';
  EXPECT_EQ(exifOrientation(far), 1);
}

TEST(Jpeg, WithoutItsEndIsShownWithANote) {
  const std::string bytes = redCorner();
  const Picture whole = decodePicture(bytes);
  EXPECT_EQ(whole.notes, Notes());
  for (const std::size_t missing : {std::size_t{1}, std::size_t{2}}) {
    const Picture picture = decodePicture(bytes.substr(0, bytes.size() - missing));
    EXPECT_EQ(picture.rgba, whole.rgba) << missing;
    EXPECT_THAT(picture.notes, testing::ElementsAre(HasSubstr("it has no end")));
  }
  const std::size_t pixels = bytes.find("\xff\xda");
  const Picture part = decodePicture(bytes.substr(0, pixels + (bytes.size() - pixels) * 2 / 3));
  EXPECT_EQ(part.size, whole.size);
  EXPECT_EQ(redQuarter(part), "top left");
  ASSERT_EQ(part.notes.size(), 2u);
  EXPECT_THAT(part.notes[1], HasSubstr("of its 32 rows the last "));
  EXPECT_EQ(damageOf({"photo.jpg: " + part.notes[1]}), part.notes[1]);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(glm::unpackHalf1x16(part.rgba[i]), 0.18f, 1e-3f);
  EXPECT_EQ(part.rgba.back(), whole.rgba.back());
  for (const std::size_t length : {std::size_t{3}, std::size_t{20}, pixels})
    EXPECT_NE(reasonOf([&] { decodePicture(bytes.substr(0, length)); }), "accepted") << length;
  EXPECT_THAT(reasonOf([&] { decodePicture(bytes.substr(0, pixels)); }), HasSubstr("truncated"));
}

TEST(Jpeg, EndsInAThumbnailAreNotItsOwn) {
  const std::string bytes = withSegments(redCorner(), segment(0xe1, "Exif\0\0\xff\xd9 thumbnail"sv));
  EXPECT_EQ(decodePicture(bytes).notes, Notes());
  EXPECT_EQ(decodePicture(bytes.substr(0, bytes.size() - 2)).notes.size(), 1u);
}

TEST(Jpeg, AppendedBytesAreNotRead) {
  std::string tables("\xff\xc4\0\x13\0"sv);  // a Huffman table of too many codes, as a film may hold by chance
  tables += std::string(16, '\x20');
  for (const std::string& trailer :
       {std::string("SEFT"), tables, redCorner().substr(0, 100), std::string(5000, '\xff')}) {
    const Picture picture = decodePicture(redCorner() + trailer);
    EXPECT_EQ(picture.rgba, decodePicture(redCorner()).rgba);
    EXPECT_EQ(picture.notes, Notes());
  }
}

TEST(Jpeg, SegmentsOutsideTheFileAreRefused) {
  std::string bytes = withSegments(redCorner(), segment(0xe1, "x"));
  bytes[4] = '\xff', bytes[5] = '\xff';
  EXPECT_THAT(reasonOf([&] { jpegMetadata(bytes); }), HasSubstr("exceeds the file"));
  bytes[4] = 0, bytes[5] = 1;
  EXPECT_THAT(reasonOf([&] { jpegMetadata(bytes); }), HasSubstr("exceeds the file"));
}

TEST(Jpeg, HuffmanTablesWithTooManyCodesAreRefused) {
  std::string bytes = redCorner();
  const std::size_t tables = bytes.find("\xff\xc4");
  ASSERT_NE(tables, bytes.npos);
  for (std::size_t i = 0; i < 16; ++i) bytes[tables + 5 + i] = 17;
  EXPECT_THAT(reasonOf([&] { decodePicture(bytes); }), HasSubstr("too many codes"));
}

TEST(Base64, ReadsBack) {
  std::mt19937 random(1);
  for (std::size_t length = 0; length < 40; ++length) {
    std::string bytes;
    while (bytes.size() < length) bytes += static_cast<char>(random());
    EXPECT_EQ(decodeBase64(base64(bytes)), bytes);
  }
  EXPECT_EQ(decodeBase64("QU\n JD"), "ABC");
  EXPECT_FALSE(decodeBase64("QU*D"));
  EXPECT_FALSE(decodeBase64("QQ==QQ"));
}

#if SATDOF_HAS_PUGIXML

// A depth of the size of redCorner(): 0, 1, 2, ... along x.
std::string depthPng(int bits) {
  std::vector<std::uint16_t> deep;
  std::vector<std::uint8_t> flat;
  for (int i = 0; i < kSize.x * kSize.y; ++i)
    for (int c = 0; c < 3; ++c) {
      deep.push_back(static_cast<std::uint16_t>(i % kSize.x * 1000));
      flat.push_back(static_cast<std::uint8_t>(i % kSize.x * 5));
    }
  return bits == 16 ? encodePng(deep.data(), kSize, 16, {}) : encodePng(flat.data(), kSize, 8, {});
}

std::string withGDepth(const std::string& attributes, const std::string& png) {
  return withSegments(redCorner(),
                      xmpSegments("GDepth:Mime='image/png' " + attributes, "GDepth:Data='" + base64(png) + "'"));
}

TEST(GDepth, RangesOfBothFormatsAndDepths) {
  for (const int bits : {8, 16})
    for (const bool linear : {false, true}) {
      const auto photograph =
          decodePhotograph(withGDepth(std::string("GDepth:Near='0.5' GDepth:Far='8' GDepth:Format='") +
                                          (linear ? "RangeLinear'" : "RangeInverse'"),
                                      depthPng(bits)),
                           true);
      ASSERT_TRUE(photograph.depth);
      const DepthImage& depth = *photograph.depth;
      EXPECT_EQ(depth.size, kSize);
      EXPECT_EQ(depth.meaning, DepthMeaning::metres);
      EXPECT_THAT(depth.origin, HasSubstr(linear ? "GDepth, RangeLinear from 0.5 to 8 m" : "RangeInverse from 0.5"));
      for (int x = 0; x < kSize.x; ++x) {
        const double n = bits == 16 ? x * 1000 / 65535.0 : x * 5 / 255.0;
        const double expected = linear ? 0.5 + n * 7.5 : 8 * 0.5 / (8 - n * 7.5);
        EXPECT_NEAR(depth.values[static_cast<std::size_t>(x)], expected, 1e-5 * expected) << x;
      }
    }
}

TEST(GDepth, DepthThatIsUprightIsNotTurned) {
  const std::vector<std::uint8_t> samples(static_cast<std::size_t>(kSize.x * kSize.y) * 3, 9);
  const std::string stored = encodePng(samples.data(), kSize, 8, {}),
                    upright = encodePng(samples.data(), {kSize.y, kSize.x}, 8, {});
  for (const std::string& png : {stored, upright}) {
    const auto photograph =
        decodePhotograph(withSegments(withGDepth("GDepth:Near='1' GDepth:Far='2' GDepth:Format='RangeLinear'", png),
                                      exifSegment(6, true)),
                         true);
    EXPECT_EQ(photograph.picture.size, glm::ivec2(kSize.y, kSize.x));
    EXPECT_EQ(photograph.depth->size, photograph.picture.size);
    EXPECT_EQ(photograph.depth->notes.size(), png == upright ? 1u : 0u);
  }
}

TEST(GDepth, MissingPartsAreAssumedAndSaid) {
  const auto depthOf = [](const std::string& attributes) {
    return *decodePhotograph(withGDepth(attributes, depthPng(8)), true).depth;
  };
  EXPECT_THAT(depthOf("GDepth:Near='1' GDepth:Far='2'").origin, HasSubstr("RangeInverse assumed from 1 to 2 m"));
  EXPECT_THAT(depthOf("GDepth:Near='1' GDepth:Far='2'").notes, testing::ElementsAre(HasSubstr("RangeInverse assumed")));
  EXPECT_THAT(depthOf("GDepth:Near='1' GDepth:Far='2' GDepth:Format='RangeLinear' GDepth:MeasureType='OpticRay'").notes,
              testing::ElementsAre("its GDepth has lengths of rays (OpticRay): lengths along the axis assumed"));
  EXPECT_THAT(depthOf("GDepth:Near='1000' GDepth:Far='2000' GDepth:Units='mm'").origin, HasSubstr("from 1 to 2 m"));
  for (const char* range :
       {"", "GDepth:Near='1'", "GDepth:Near='2' GDepth:Far='1'", "GDepth:Near='x' GDepth:Far='nan'"}) {
    const DepthImage depth = depthOf(range);
    EXPECT_EQ(depth.meaning, DepthMeaning::relative) << range;
    EXPECT_THAT(depth.origin, HasSubstr("gives no range"));
    EXPECT_THAT(depth.notes, testing::ElementsAre(HasSubstr("GDepth has no range: relative depth assumed")));
    EXPECT_EQ(depth.values[0], 255.0f);  // near
    EXPECT_EQ(depth.values[1], 250.0f);
  }
  EXPECT_THAT(reasonOf([&] { depthOf("GDepth:Format='Other'"); }), HasSubstr("format of its depth is unknown: Other"));
}

TEST(GDepth, TurnsWithTheImage) {
  const std::string bytes =
      withSegments(withGDepth("GDepth:Near='1' GDepth:Far='2'", depthPng(8)), exifSegment(6, true));
  const auto photograph = decodePhotograph(bytes, true);
  EXPECT_EQ(photograph.picture.size, glm::ivec2(kSize.y, kSize.x));
  ASSERT_EQ(photograph.depth->size, photograph.picture.size);
  EXPECT_NEAR(photograph.depth->values.back(), 1.0f, 1e-6f);  // near: left as stored, top as shown
  EXPECT_GT(photograph.depth->values.front(), 1.2f);
}

TEST(GDepth, TakesTheSharpImage) {
  const std::string grey = jpegOf(std::vector<std::uint8_t>(64 * 40, 100), {64, 40}, 1);
  const std::string bytes = withSegments(
      grey, xmpSegments("GDepth:Near='1' GDepth:Far='2' GImage:Mime='image/jpeg'",
                        "GDepth:Data='" + base64(depthPng(8)) + "' GImage:Data='" + base64(redCorner()) + "'"));
  const auto photograph = decodePhotograph(bytes, true);
  EXPECT_EQ(redQuarter(photograph.picture), "top left");
  EXPECT_THAT(photograph.picture.notes, testing::Contains(HasSubstr("the sharp image in the file is used")));
  EXPECT_EQ(redQuarter(decodePhotograph(bytes, false).picture), "nowhere");
}

// The main image, and images that the multi-picture format lists behind it. `little`: the byte order of the list.
std::string multiPicture(const std::vector<std::string>& images, bool little, std::uint32_t shift = 0) {
  const auto number = [&](std::uint32_t value, int bytes) {
    const std::string text = bigEndian(value, bytes);
    return little ? std::string(text.rbegin(), text.rend()) : text;
  };
  const auto build = [&](std::size_t mainBytes) {
    std::string list = little ? "II" : "MM";
    const auto count = static_cast<std::uint32_t>(images.size() + 1);
    list.append(number(42, 2)).append(number(8, 4)).append(number(1, 2));
    list.append(number(0xb002, 2))
        .append(number(7, 2))
        .append(number(16 * count, 4))
        .append(number(26, 4))
        .append(number(0, 4));
    const std::size_t from = 2 + 4 + 4;  // of the list in the file
    list.append(number(0x030000, 4)).append(number(static_cast<std::uint32_t>(mainBytes), 4)).append(number(0, 8));
    std::size_t at = mainBytes - from;
    for (const std::string& image : images) {
      list.append(number(0, 4)).append(number(static_cast<std::uint32_t>(image.size()), 4));
      list.append(number(static_cast<std::uint32_t>(at) + shift, 4)).append(number(0, 4));
      at += image.size();
    }
    return withSegments(redCorner(), segment(0xe2, "MPF\0"s + list));
  };
  std::string bytes = build(build(1000).size());
  for (const std::string& image : images) bytes += image;
  return bytes;
}

std::string appleImage(const std::string& attributes) {
  const std::string packet =
      "http://ns.adobe.com/xap/1.0/\0"s +
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
      "<rdf:Description xmlns:p='http://ns.apple.com/pixeldatainfo/1.0/' " +
      attributes + "/></rdf:RDF></x:xmpmeta>";
  std::vector<std::uint8_t> samples(16 * 8, 0);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = i % 16 < 8 ? 255 : 0;
  return withSegments(jpegOf(samples, {16, 8}, 1), segment(0xe1, packet));
}

TEST(MultiPicture, DepthOfAnIphoneIsRead) {
  const std::string gain = appleImage("p:AuxiliaryImageType='hdrgainmap'"),
                    range = "p:FloatMinValue='0.5' p:FloatMaxValue='2.5'";
  for (const bool little : {false, true}) {
    const auto photograph =
        decodePhotograph(multiPicture({gain, appleImage("p:AuxiliaryImageType='disparity' " + range)}, little), true);
    EXPECT_EQ(redQuarter(photograph.picture), "top left");
    ASSERT_TRUE(photograph.depth);
    EXPECT_EQ(photograph.depth->size, glm::ivec2(16, 8));
    EXPECT_EQ(photograph.depth->meaning, DepthMeaning::inverseMetres);
    EXPECT_EQ(photograph.depth->scale, 1.0);
    EXPECT_NEAR(photograph.depth->values[0], 2.5f, 0.05f);
    EXPECT_NEAR(photograph.depth->values[15], 0.5f, 0.05f);
    EXPECT_THAT(photograph.depth->origin, HasSubstr("disparity from 0.5 to 2.5 1/m"));
  }
  const auto metres =
      decodePhotograph(multiPicture({appleImage("p:AuxiliaryImageType='depth' " + range)}, false), true);
  EXPECT_EQ(metres.depth->meaning, DepthMeaning::metres);
  EXPECT_NEAR(metres.depth->values[15], 0.5f, 0.05f);
  const auto relative = decodePhotograph(multiPicture({appleImage("p:AuxiliaryImageType='disparity'")}, false), true);
  EXPECT_EQ(relative.depth->meaning, DepthMeaning::relative);
  EXPECT_GT(relative.depth->values[0], relative.depth->values[15]);
}

TEST(MultiPicture, OtherImagesAndDamageAreNoDepth) {
  const std::string depth = appleImage("p:AuxiliaryImageType='disparity'");
  EXPECT_FALSE(
      decodePhotograph(multiPicture({appleImage("p:AuxiliaryImageType='hdrgainmap'"), redCorner()}, false), true)
          .depth);
  EXPECT_FALSE(decodePhotograph(multiPicture({depth}, false, 0x7fffffff), true).depth) << "outside the file";
  const std::string good = multiPicture({depth}, true);
  EXPECT_TRUE(decodePhotograph(good, true).depth);
  const std::size_t list = good.find("MPF");
  std::mt19937 random(4);
  for (int i = 0; i < 500; ++i) {
    std::string bytes = good;
    for (int k = 0; k < 3; ++k) bytes[list + 4 + random() % 60] = static_cast<char>(random());
    reasonOf([&] { decodePhotograph(bytes, true); });
  }
}

TEST(GDepth, DamageIsRefused) {
  const std::string good = withGDepth("GDepth:Near='1' GDepth:Far='2'", depthPng(8));
  EXPECT_TRUE(decodePhotograph(good, true).depth);
  EXPECT_FALSE(decodePhotograph(redCorner(), true).depth);
  const auto damaged = [&](const std::string& attributes, const std::string& extended) {
    return reasonOf([&] { decodePhotograph(withSegments(redCorner(), xmpSegments(attributes, extended)), true); });
  };
  EXPECT_THAT(damaged("", "GDepth:Data='***'"), HasSubstr("no base64"));
  EXPECT_THAT(damaged("", "GDepth:Data='QUJD'"), HasSubstr("it is no image"));
  EXPECT_THAT(damaged("<<", "GDepth:Data='QUJD'"), HasSubstr("no XML"));
  // A part of the extended XMP is missing.
  const std::string segments = xmpSegments("", "GDepth:Data='" + base64(depthPng(8)) + "'", 200);
  const std::size_t second = segments.find("http://ns.adobe.com/xmp/extension/");
  const std::size_t third = segments.find("http://ns.adobe.com/xmp/extension/", second + 10);
  const std::string less = segments.substr(0, second - 4) + segments.substr(third - 4);
  EXPECT_THAT(reasonOf([&] { decodePhotograph(withSegments(redCorner(), less), true); }), HasSubstr("extended XMP"));
  std::string outside = segments;
  for (std::size_t i = 0; i < 4; ++i) outside[second + 35 + 32 + 4 + i] = '\x7f';
  EXPECT_THAT(reasonOf([&] { decodePhotograph(withSegments(redCorner(), outside), true); }),
              HasSubstr("outside the whole"));
}

TEST(DynamicDepth, ReadsTheAppendedFile) {
  const std::string depth = depthPng(16), other = "not an image";
  const std::string xmp =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
      "<rdf:Description xmlns:C='http://ns.google.com/photos/dd/1.0/container/'"
      " xmlns:I='http://ns.google.com/photos/dd/1.0/item/' "
      "xmlns:D='http://ns.google.com/photos/dd/1.0/depthmap/'>"
      "<C:Directory><rdf:Seq><rdf:li><C:Item I:Mime='image/jpeg' I:Length='0' "
      "I:DataURI='primary_image'/></rdf:li>"
      "<rdf:li><C:Item I:Mime='text/plain' I:Length='" +
      std::to_string(other.size()) +
      "' I:DataURI='a/other'/></rdf:li>"
      "<rdf:li><C:Item I:Mime='image/png' I:Length='" +
      std::to_string(depth.size()) +
      "' I:DataURI='a/depth'/></rdf:li>"
      "</rdf:Seq></C:Directory><D:Near>1</D:Near><D:Far>5</D:Far><D:Format>RangeLinear</D:Format>"
      "<D:DepthURI>a/depth</D:DepthURI></rdf:Description></rdf:RDF></x:xmpmeta>";
  const std::string packet = std::string("http://ns.adobe.com/xap/1.0/\0"sv) + xmp;
  const std::string jpeg = withSegments(redCorner(), segment(0xe1, packet));
  const auto photograph = decodePhotograph(jpeg + other + depth, true);
  ASSERT_TRUE(photograph.depth);
  EXPECT_THAT(photograph.depth->origin, HasSubstr("Dynamic Depth, RangeLinear from 1 to 5 m"));
  EXPECT_NEAR(photograph.depth->values[10], 1 + 4 * 10000 / 65535.0, 1e-5);
  EXPECT_NE(reasonOf([&] { decodePhotograph(jpeg, true); }), "accepted");
}

#endif

TEST(Calibration, MakesADisparity) {
  const TemporaryFolder folder;
  const std::string calibration =
      "cam0=[994.978 0 311.193; 0 994.978 254.877; 0 0 1]\ncam1=[1 0 0; 0 1 0; 0 0 1]\ndoffs=31.086\n"
      "baseline=193.001\nwidth=4\nheight=1\n";
  folder.write("calib.txt", calibration);
  const std::string pfm = "Pf\n2 1\n-1\n" + std::string(8, '\1');
  const std::vector<std::uint8_t> grey(6, 7);
  for (const auto& path :
       {folder.write("x.pfm", pfm), folder.write("disp0.png", encodePng(grey.data(), {2, 1}, 8, {}))}) {
    const DepthImage depth = readDepth(path);
    EXPECT_EQ(depth.meaning, DepthMeaning::disparity);
    EXPECT_FLOAT_EQ(depth.focalLengthPx, 994.978f / 2);
    EXPECT_FLOAT_EQ(depth.offsetPx, 31.086f / 2);
    EXPECT_FLOAT_EQ(depth.baselineMm, 193.001f);
    EXPECT_EQ(depth.origin, "calib.txt");
  }
  for (const char* const name : {"x.png", "display.png"})
    EXPECT_EQ(readDepth(folder.write(name, encodePng(grey.data(), {2, 1}, 8, {}))).meaning, DepthMeaning::automatic);
  folder.write("calib.txt", "doffs=3\n");
  EXPECT_THAT(reasonOf([&] { readDepth(folder.path() / "x.pfm"); }),
              HasSubstr("x.pfm\": calib.txt beside it has no cam0"));
}

TEST(Calibration, LeavesAMeaningThatTheFileStates) {
  const TemporaryFolder folder;
  const LayerImage layer{{2, 1}, 0.5f, {{1.0f, 0.25f}}};
  for (const char* const calibration : {"cam0=[900 0 1; 0 900 1; 0 0 1]\nbaseline=100\n", "doffs=3\n"}) {
    folder.write("calib.txt", calibration);
    for (const char* const name : {"a.png.corrected-depth.exr", "shot-depth.exr", "disp0.png"}) {
      const DepthImage depth =
          readDepth(folder.write(name, codecByExtension(name)->layer(Layer::depth, layer, {{kCorrectedKeyword, "x"}})));
      EXPECT_EQ(depth.meaning, DepthMeaning::inverseMetres) << name;
      EXPECT_EQ(depth.baselineMm, 0.0f) << name;
    }
  }
}

TEST(DisparityNames, HaveAWordOfTheirOwn) {
  for (const char* const name : {"disp0.png", "left_disp.pfm", "dispL.png", "Disparity.png", "x-DISPARITIES.png"})
    EXPECT_TRUE(namesDisparity(name)) << name;
  for (const char* const name : {"display.jpg", "dispatch-disposal.jpg", "dawn.jpg", ""})
    EXPECT_FALSE(namesDisparity(name)) << name;
}

TEST(GreyJpeg, IsDepthButColourIsNot) {
  const DepthImage depth = decodeDepth(jpegOf(std::vector<std::uint8_t>(64, 50), {8, 8}, 1));
  EXPECT_EQ(depth.largest, 255.0f);
  for (const float v : depth.values) EXPECT_NEAR(v, 50.0f, 1.0f);
  EXPECT_THAT(reasonOf([] { decodeDepth(redCorner()); }), HasSubstr("colour image"));
}

#if SATDOF_HAS_LCMS

std::string profileBytes(cmsToneCurve* curve, const cmsCIExyYTRIPLE& primaries, const char* name) {
  const cmsCIExyY white{0.3127, 0.3290, 1.0};
  const std::array<cmsToneCurve*, 3> curves{curve, curve, curve};
  const cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, curves.data());
  cmsFreeToneCurve(curve);
  return savedProfile(profile, name);
}
std::string profileBytes(double gamma, const cmsCIExyYTRIPLE& primaries, const char* name) {
  return profileBytes(cmsBuildGamma(nullptr, gamma), primaries, name);
}

constexpr cmsCIExyYTRIPLE kSrgb{{0.64, 0.33, 1.0}, {0.30, 0.60, 1.0}, {0.15, 0.06, 1.0}};
constexpr cmsCIExyYTRIPLE kDisplayP3{{0.680, 0.320, 1.0}, {0.265, 0.690, 1.0}, {0.150, 0.060, 1.0}};

Picture withProfile(const std::string& profile, const std::vector<std::uint8_t>& rgb) {
  const std::string body = std::string("ICC_PROFILE\0\1\2"sv) + profile.substr(0, 100);
  const std::string rest = std::string("ICC_PROFILE\0\2\2"sv) + profile.substr(100);
  std::vector<std::uint8_t> samples;
  for (int i = 0; i < 64; ++i) samples.insert(samples.end(), rgb.begin(), rgb.end());
  return decodePicture(withSegments(jpegOf(samples, {8, 8}, 3), segment(0xe2, rest) + segment(0xe2, body)));
}

TEST(Profile, GammaAndPrimariesAreConverted) {
  const Picture gamma = withProfile(profileBytes(1.8, kSrgb, "my gamma"), {128, 128, 128});
  EXPECT_THAT(gamma.notes, testing::Contains(HasSubstr("my gamma")));
  EXPECT_NEAR(glm::unpackHalf1x16(gamma.rgba[0]), std::pow(128 / 255.0, 1.8), 3e-3);
  // Red of Display P3 lies outside sRGB: red is above 1, negative green is clamped to 0.
  const Picture wide = withProfile(profileBytes(2.2, kDisplayP3, "wide"), {254, 0, 0});
  EXPECT_NEAR(glm::unpackHalf1x16(wide.rgba[0]), 1.2249, 0.02);
  EXPECT_EQ(glm::unpackHalf1x16(wide.rgba[1]), 0.0f);
}

TEST(Profile, OfCapturesIsSrgb) {
  const ColourProfile plain(srgbProfile(), 3, 1);
  EXPECT_EQ(plain.ignored(), "");
  EXPECT_FALSE(plain.converts()) << plain.name();
}

TEST(Profile, OfOtherChannelsIsNoted) {
  cmsHPROFILE inks = cmsCreateProfilePlaceholder(nullptr);
  cmsSetDeviceClass(inks, cmsSigOutputClass);
  cmsSetColorSpace(inks, cmsSigCmykData);
  cmsSetPCS(inks, cmsSigLabData);
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(inks, nullptr, &size);
  std::string bytes(size, '\0');
  cmsSaveProfileToMem(inks, bytes.data(), &size);
  cmsCloseProfile(inks);
  EXPECT_THAT(withProfile(bytes, {9, 9, 9}).notes,
              testing::ElementsAre(HasSubstr("is for other channels: sRGB assumed")));
}

// The colours tell, not the name: linear profiles are called "sRGB" too.
TEST(Profile, SrgbIsReadWithoutAConversionUnderAnyName) {
  constexpr std::array<cmsFloat64Number, 5> kCurve = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  for (const char* const name : {"sRGB built-in", "c2"}) {
    cmsToneCurve* const curve = cmsBuildParametricToneCurve(nullptr, 4, kCurve.data());
    EXPECT_EQ(withProfile(profileBytes(curve, kSrgb, name), {9, 9, 9}).notes, Notes());
  }
  const Picture linear = withProfile(profileBytes(1.0, kSrgb, "sRGB-elle-V2-g10"), {128, 128, 128});
  EXPECT_THAT(linear.notes, testing::Contains(HasSubstr("sRGB-elle-V2-g10")));
  EXPECT_NEAR(glm::unpackHalf1x16(linear.rgba[0]), 128 / 255.0, 1e-3);
}

// EXIF data with a ColorSpace and an interoperability index.
std::string exifOfColours(std::uint32_t space, const char* index) {
  constexpr std::uint32_t kMainAt = 8, kExifAt = kMainAt + 18, kIndexAt = kExifAt + 30;
  const auto number = [](std::uint32_t value, std::size_t bytes) {
    std::string text;
    ifd::append(text, value, bytes);
    return text;
  };
  return ifd::header(kMainAt) + ifd::encoded({{0x8769, ifd::longs(number(kExifAt, 4))}}, kMainAt) +
         ifd::encoded({{0xa001, ifd::shorts(number(space, 2))}, {0xa005, ifd::longs(number(kIndexAt, 4))}}, kExifAt) +
         ifd::encoded({{1, ifd::text(index)}}, kIndexAt);
}

TEST(Profile, OfAdobeRgbFromACameraIsInExif) {
  const auto with = [](const std::string& exif, const std::string& segments = {}) {
    std::vector<std::uint8_t> samples;
    for (int i = 0; i < 64; ++i) samples.insert(samples.end(), {120, 160, 120});
    return decodePicture(withSegments(jpegOf(samples, {8, 8}, 3), segment(0xe1, "Exif\0\0"s + exif) + segments));
  };
  const std::string exif = exifOfColours(65535, "R03");
  const Picture picture = with(exif);
  EXPECT_THAT(picture.notes, testing::ElementsAre("colours converted from the profile Adobe RGB (1998)"));
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(glm::unpackHalf1x16(picture.rgba[c]), (std::array{0.1236f, 0.3588f, 0.1834f}[c]), 0.005f) << c;
  EXPECT_EQ(photographFacts(exif, KeepMetadata::all).exif, "") << "captures are sRGB";
  for (const auto& [space, index] : {std::pair{65535, "R98"}, std::pair{1, "R03"}})
    EXPECT_EQ(with(exifOfColours(static_cast<std::uint32_t>(space), index)).notes, Notes()) << space << index;
  EXPECT_EQ(with(exif, segment(0xe2, "ICC_PROFILE\0\1\1"s + srgbProfile())).notes, Notes());
}

TEST(Profile, DamageIsNoted) {
  EXPECT_THAT(withProfile(std::string(200, 'x'), {9, 9, 9}).notes,
              testing::ElementsAre(HasSubstr("ICC profile is damaged: sRGB assumed")));
}

#endif

}  // namespace
}  // namespace satdof::test
