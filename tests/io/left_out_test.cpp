#include <gmock/gmock.h>
#include <zlib.h>

#include <cmath>

#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/io/formats/exr.h"
#include "app/io/formats/png.h"
#include "app/io/image_file.h"
#include "app/io/metadata/colour_profile.h"
#include "app/io/picture.h"
#include "tests/io/photographs.h"

// Parts of a file that the decoded image leaves out are listed in its notes.
namespace satdof::test {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;

TEST(LeftOut, LaterImagesOfAGif) {
  // A palette of two colours, an image of one pixel of colour 0, the end.
  const std::string head = "GIF89a\1\0\1\0\x80\0\0\xff\xff\xff\0\0\0"s, image = ",\0\0\0\0\1\0\1\0\0\2\2D\1\0;"s;
  const std::string one = image.substr(0, image.size() - 1), film = "!\xff\x0bNETSCAPE2.0\3\1\0\0\0"s,
                    comment = "!\xfe\3,;,\0"s;
  for (const std::string& before : {""s, film, comment}) {
    EXPECT_EQ(decodePicture(head + before + image).notes, Notes());
    EXPECT_THAT(decodePicture(head + before + one + comment + image).notes,
                ElementsAre("its later images are left out"));
  }
}

TEST(LeftOut, FramesOfAnApng) {
  const std::vector<std::uint8_t> pixel(3);
  const std::string png = encodePng(pixel.data(), {1, 1}, 8, {});
  constexpr std::size_t kHeaderEnd = 33;
  const std::string control =
      "\0\0\0\x08"
      "acTL"
      "\0\0\0\2\0\0\0\0"
      "\xf3\x8d\x93\x70"s;
  EXPECT_EQ(decodePicture(png).notes, Notes());
  EXPECT_THAT(decodePicture(png.substr(0, kHeaderEnd) + control + png.substr(kHeaderEnd)).notes,
              ElementsAre("its frames are left out: the image for plain viewers is shown"));
}

TEST(LeftOut, ColourChunksOfAPng) {
  const std::vector<std::uint8_t> pixel(3);
  // encodePng() tags three channels as sRGB.
  const std::string tagged = encodePng(pixel.data(), {1, 1}, 8, {}), png = encodePng(pixel.data(), {1, 1}, 8, {}, 1);
  const auto with = [](const std::string& file, const std::string& name, const std::string& content) {
    constexpr std::size_t kHeaderEnd = 33;
    const std::string body = name + content;
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
    return file.substr(0, kHeaderEnd) + bigEndian(content.size(), 4) + body + bigEndian(sum, 4) +
           file.substr(kHeaderEnd);
  };
  const auto primaries = [](std::uint64_t redX) {
    std::string content;
    for (const std::uint64_t xy : {31270u, 32900u, 0u, 33000u, 30000u, 60000u, 15000u, 6000u})
      content += bigEndian(xy == 0 ? redX : xy, 4);
    return content;
  };
  EXPECT_EQ(decodePicture(with(png, "cHRM", primaries(64000))).notes, Notes());
  EXPECT_EQ(decodePicture(with(tagged, "cHRM", primaries(66000))).notes, Notes());
  EXPECT_THAT(decodePicture(with(png, "cHRM", primaries(66000))).notes,
              ElementsAre("its primaries (cHRM) are ignored: sRGB assumed"));
  EXPECT_EQ(decodePicture(with(png, "cICP", "\1\x0d\0\1"s)).notes, Notes());
  EXPECT_THAT(decodePicture(with(tagged, "cICP", "\x9\x10\0\1"s)).notes,
              ElementsAre("its colours (cICP: primaries 9, tone curve 16) are ignored"));
#if SATDOF_HAS_LCMS
  const std::string profile = srgbProfile();
  uLongf length = compressBound(static_cast<uLong>(profile.size()));
  std::string packed(length, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(profile.data()),
           static_cast<uLong>(profile.size()));
  packed.resize(length);
  EXPECT_EQ(decodePicture(with(tagged, "iCCP", "name\0\0"s + packed)).notes, Notes());
  EXPECT_THAT(decodePicture(with(png, "iCCP", "name\0\0"s + packed)).notes,
              ElementsAre("its ICC profile \"sRGB\" is for other channels: sRGB assumed"));
  for (const std::size_t kept : {std::size_t{0}, length / 2, length - 1})
    EXPECT_THAT(decodePicture(with(png, "iCCP", "name\0\0"s + packed.substr(0, kept))).notes,
                ElementsAre("its ICC profile is damaged: sRGB assumed"));
#endif
}

TEST(LeftOut, TransparencyOfADepth) {
  const std::vector<std::uint8_t> opaque{9, 9, 9, 255}, clear{9, 9, 9, 0};
  EXPECT_EQ(decodeDepth(encodePng(opaque.data(), {1, 1}, 8, {}, 4)).notes, Notes());
  const DepthImage depth = decodeDepth(encodePng(clear.data(), {1, 1}, 8, {}, 4));
  EXPECT_EQ(depth.values, std::vector<float>{9});
  EXPECT_THAT(depth.notes, ElementsAre("its transparency is ignored: transparent pixels have their depth"));
}

TEST(LeftOut, ScaleOfAPfm) {
  const std::string pixel("\0\0\x80\x3f", 4);
  for (const char* const scale : {"-1", "-1.0", "1"})
    EXPECT_EQ(decodeDepth("Pf\n1 1\n" + std::string(scale) + "\n" + pixel).notes, Notes()) << scale;
  const std::string scaled = "Pf\n1 1\n-1000\n" + pixel;
  EXPECT_EQ(decodeDepth(scaled).values, std::vector<float>{1});
  EXPECT_THAT(decodeDepth(scaled).notes, ElementsAre("the scale 1000 in its header is ignored"));
  EXPECT_THAT(decodePicture(scaled).notes, ElementsAre("the scale 1000 in its header is ignored"));
}

TEST(LeftOut, ColoursThatAreNoNumbers) {
  const std::vector<float> one{1}, none{std::nanf("")};
  const auto exr = [](const std::vector<float>& r, const std::vector<float>& g, const std::vector<float>& b) {
    return encodeExr({.size = {1, 1}, .channels = {{"R", false, r}, {"G", false, g}, {"B", false, b}}, .texts = {}});
  };
  EXPECT_EQ(decodePicture(exr(one, one, one)).notes, Notes());
  EXPECT_THAT(decodePicture(exr(one, none, none)).notes, ElementsAre("its colours have 2 NaNs: 0 is taken"));
  EXPECT_THAT(decodePicture(encodePfm({1, none[0], 1}, {1, 1})).notes,
              ElementsAre("its colours have 1 NaN: 0 is taken"));
}

TEST(LeftOut, ExposureAndPrimariesOfAnHdr) {
  const auto hdr = [](const std::string& line) {
    return "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n" + line + "\n-Y 1 +X 1\n\x80\x80\x80\x80";
  };
  EXPECT_EQ(decodePicture(hdr("# EXPOSURE=2\n")).notes, Notes());
  EXPECT_EQ(decodePicture(hdr("EXPOSURE=     1.000\n")).notes, Notes());
  EXPECT_THAT(decodePicture(hdr("EXPOSURE=2\n")).notes, ElementsAre("EXPOSURE in its header is left out"));
  EXPECT_THAT(decodePicture(hdr("PRIMARIES=1 0 0 1 0 0 0.3 0.3\n")).notes,
              ElementsAre("PRIMARIES in its header is left out"));
}

TEST(LeftOut, GainMapOfAJpeg) {
  const std::string jpeg = jpegOf(std::vector<std::uint8_t>(192, 90), {8, 8}, 3);
  const std::string xmp = "http://ns.adobe.com/xap/1.0/\0<x xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/'/>"s;
  EXPECT_EQ(decodePicture(jpeg).notes, Notes());
  EXPECT_THAT(decodePicture(withSegments(jpeg, segment(0xe1, xmp))).notes,
              ElementsAre("its gain map is left out: the image for plain displays is shown"));
}

TEST(Formats, ListReadableFormats) {
  for (const Codec& codec : codecs()) {
    EXPECT_NE(std::string_view(codec.about.read), "") << codec.name;
    EXPECT_EQ(std::string_view(codec.about.needs).empty(), codec.library == nullptr) << codec.name;
  }
}

}  // namespace
}  // namespace satdof::test
