#include <gmock/gmock.h>

#include "app/io/codec.h"
#include "app/io/formats/png.h"
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
