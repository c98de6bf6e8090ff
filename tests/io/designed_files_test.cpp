#include <gmock/gmock.h>

#include <cstdint>
#include <glm/gtc/packing.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/io/picture.h"
#include "app/scene/model/reader.h"
#include "tests/io/photographs.h"

// Files designed against decoders: counts that overflow, images outside their screen, codes before their table, and few
// bytes that ask for much memory or time.
namespace satdof::test {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string outcome(const std::string& bytes) {
  try {
    const Picture picture = decodePicture(bytes, {});
    return "read " + std::to_string(picture.size.x) + "x" + std::to_string(picture.size.y);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

std::string little(std::uint32_t value, int bytes) {
  const std::string big = bigEndian(value, bytes);
  return {big.rbegin(), big.rend()};
}

struct Gif {
  int screenWidth = 2, screenHeight = 2;
  int left = 0, top = 0, width = 2, height = 2;
  std::string codes = "\2\3\x44\x18\x14\0"s;  // the size of a code, and a block
  std::string before{};                       // the image
};

std::string gifOf(const Gif& gif) {
  const auto word = [](int value) { return little(static_cast<std::uint32_t>(value), 2); };
  return "GIF89a" + word(gif.screenWidth) + word(gif.screenHeight) + "\x81\0\0"s + std::string(12, '\x40') +
         gif.before + "," + word(gif.left) + word(gif.top) + word(gif.width) + word(gif.height) + "\0"s + gif.codes +
         ";";
}

TEST(DesignedFiles, Gif) {
  EXPECT_EQ(outcome(gifOf({})), "read 2x2");
  EXPECT_EQ(outcome(gifOf({.left = 1, .top = 1, .width = 1, .height = 1})), "read 2x2");
  for (const Gif& outside : {Gif{.left = 1}, {.top = 65535}, {.left = 65535, .width = 65535}, {.height = 3}})
    EXPECT_THAT(outcome(gifOf(outside)), HasSubstr("damaged")) << outside.left << " " << outside.top;
  EXPECT_THAT(outcome(gifOf({.screenWidth = 65535, .screenHeight = 65535})), HasSubstr("its size is"));
  EXPECT_THAT(outcome(gifOf({.screenWidth = 0})), HasSubstr("its size is"));
  for (const char size : {'\x0d', '\x40', '\xff'})
    EXPECT_THAT(outcome(gifOf({.codes = size + "\1\0\0"s})), HasSubstr("damaged")) << int{size};
  EXPECT_THAT(outcome(gifOf({.codes = "\2\1\xff\0"s})), HasSubstr("damaged")) << "a code beyond the table";
  // Ten thousand empty extension blocks.
  std::string extensions;
  for (int i = 0; i < 10'000; ++i) extensions += "!\xfe\0"s;
  EXPECT_EQ(outcome(gifOf({.before = extensions})), "read 2x2");
  const std::string whole = gifOf({});
  EXPECT_EQ(decodePicture(whole, {}).notes, Notes());
  constexpr std::size_t kHeader = 25, kEnd = 2;
  int noted = 0;
  for (std::size_t size = 6; size < whole.size() - kEnd; ++size) {
    const std::string cut = whole.substr(0, size);
    if (!outcome(cut).starts_with("read")) continue;
    EXPECT_GT(size, kHeader);
    EXPECT_THAT(decodePicture(cut, {}).notes, testing::Contains(HasSubstr("it is cut off"))) << size;
    ++noted;
  }
  EXPECT_GT(noted, 3);
}

struct Psd {
  std::uint32_t version = 1, channels = 3, height = 2, width = 2, depth = 8, mode = 3, packed = 0;
  std::string pixels = std::string(24, '\1');
  std::string palette{}, resources{}, layers{};
  std::uint32_t statedResources = 0;  // in place of their number of bytes
};

std::string psdOf(const Psd& psd) {
  const auto section = [](const std::string& bytes, int lengthBytes) {
    return bigEndian(static_cast<std::uint32_t>(bytes.size()), lengthBytes) + bytes;
  };
  const std::string resources =
      psd.statedResources > 0 ? bigEndian(psd.statedResources, 4) + psd.resources : section(psd.resources, 4);
  const std::string large = psd.version == 2 ? std::string(4, '\0') : std::string();
  return "8BPS" + bigEndian(psd.version, 2) + std::string(6, '\0') + bigEndian(psd.channels, 2) +
         bigEndian(psd.height, 4) + bigEndian(psd.width, 4) + bigEndian(psd.depth, 2) + bigEndian(psd.mode, 2) +
         section(psd.palette, 4) + resources + large + section(psd.layers, 4) + bigEndian(psd.packed, 2) + psd.pixels;
}

std::string psdResource(std::uint32_t id, const std::string& data) {
  return "8BIM" + bigEndian(id, 2) + "\3abc" + bigEndian(static_cast<std::uint32_t>(data.size()), 4) + data +
         std::string(data.size() % 2, '\0');
}

TEST(DesignedFiles, Psd) {
  EXPECT_EQ(outcome(psdOf({})), "read 2x2");
  EXPECT_EQ(outcome(psdOf({.depth = 16})), "read 2x2");
  EXPECT_EQ(outcome(psdOf({.version = 2})), "read 2x2");
  EXPECT_EQ(outcome(psdOf({.channels = 16})), "read 2x2") << "further channels are masks";
  for (const Psd& strange : {Psd{.version = 3},
                             {.channels = 2},
                             {.channels = 65535, .packed = 1},
                             {.depth = 1},
                             {.depth = 32},
                             {.channels = 1, .mode = 0},
                             {.channels = 1, .mode = 2},
                             {.mode = 4},
                             {.packed = 7}})
    EXPECT_THAT(outcome(psdOf(strange)), testing::Not(StartsWith("read"))) << strange.depth << strange.mode;
  EXPECT_THAT(outcome(psdOf({.mode = 9})), HasSubstr("Lab or plates: convert it to RGB"));
  EXPECT_THAT(outcome(psdOf({.packed = 2})), HasSubstr("packed by ZIP"));
  EXPECT_THAT(outcome(psdOf({.resources = psdResource(1057, "\0\0\0\1\0"s)})),
              HasSubstr("save it once more, with \"Maximize compatibility\""));
  for (const auto& [width, height] :
       {std::pair(300'000u, 300'000u), {0x7fffffffu, 2u}, {0xffffffffu, 0xffffffffu}, {16384u, 16384u}, {2u, 0u}})
    EXPECT_THAT(outcome(psdOf({.height = height, .width = width})), testing::Not(StartsWith("read")))
        << width << "x" << height;
  EXPECT_THAT(outcome(psdOf({.statedResources = 0xffffffff})), HasSubstr("damaged"));
  // Runs beyond their row, and fewer bytes than rows.
  const std::string counts = "\0\2\0\2\0\2\0\2\0\2\0\2"s;
  EXPECT_THAT(outcome(psdOf({.packed = 1, .pixels = counts + "\x81\1"s})), HasSubstr("damaged"));
  EXPECT_THAT(outcome(psdOf({.packed = 1, .pixels = counts + "\x7f\1"s})), HasSubstr("damaged"));
  const std::string whole = psdOf({.resources = psdResource(1039, "abc"), .layers = std::string(12, '\0')});
  for (std::size_t size = 4; size < whole.size() - 12; ++size)
    EXPECT_THAT(outcome(whole.substr(0, size)), HasSubstr("truncated")) << size;
}

std::vector<float> coloursOf(const std::string& bytes) {
  std::vector<float> colours;
  const Picture picture = decodePicture(bytes, {});
  for (std::size_t i = 0; i < picture.rgba.size(); ++i)
    if (i % 4 != 3) colours.push_back(glm::unpackHalf1x16(picture.rgba[i]));
  return colours;
}

// One pixel each: the same white or red in every colour mode.
TEST(DesignedFiles, PsdOfEveryKindOfColours) {
  const Psd one{.height = 1, .width = 1};
  const auto with = [&](std::uint32_t channels, std::uint32_t depth, std::uint32_t mode, std::string pixels) {
    Psd psd = one;
    psd.channels = channels;
    psd.depth = depth;
    psd.mode = mode;
    psd.pixels = std::move(pixels);
    return psd;
  };
  const auto white = ElementsAre(1.0f, 1.0f, 1.0f), red = ElementsAre(1.0f, 0.0f, 0.0f);
  for (const Psd& psd : {with(1, 1, 0, "\0"s), with(1, 8, 1, "\xff"), with(1, 16, 1, "\xff\xff"),
                         with(1, 32, 1, "\x3f\x80\0\0"s), with(1, 8, 8, "\xff")})
    EXPECT_THAT(coloursOf(psdOf(psd)), white) << psd.mode << " " << psd.depth;
  Psd palette = with(1, 8, 2, "\1");
  palette.palette = std::string(768, '\0');
  palette.palette[1] = '\xff';
  EXPECT_THAT(coloursOf(psdOf(palette)), red);
  palette.resources = psdResource(1047, "\0\1"s);
  EXPECT_THAT(coloursOf(psdOf(palette)), ElementsAre(0.0f, 0.0f, 0.0f)) << "its index is transparent";
  // CMYK is stored inverted: 255 is no ink.
  for (const Psd& psd :
       {with(3, 8, 3, "\xff\0\0"s), with(3, 16, 3, "\xff\xff\0\0\0\0"s), with(4, 8, 4, "\xff\0\0\xff"s),
        with(4, 16, 4, "\xff\xff\0\0\0\0\xff\xff"s), with(3, 32, 3, "\x3f\x80\0\0\0\0\0\0\0\0\0\0"s)})
    EXPECT_THAT(coloursOf(psdOf(psd)), red) << psd.mode << " " << psd.depth;
  Psd runs = with(3, 16, 3, "\0\2\0\3\0\2\xff\xff\1\0\0\xff\0"s);
  runs.packed = 1;
  EXPECT_THAT(coloursOf(psdOf(runs)), red);
  runs.version = 2;
  runs.pixels = "\0\0\0\2\0\0\0\3\0\0\0\2\xff\xff\1\0\0\xff\0"s;
  EXPECT_THAT(coloursOf(psdOf(runs)), red) << "PSB";
  // Red of alpha 1/2. A negative number of layers says that the fourth channel is alpha.
  Psd covered = with(4, 8, 3, "\xff\x7f\x7f\x80");
  EXPECT_THAT(decodePicture(psdOf(covered), {}).notes, ElementsAre("its further channels are left out"));
  covered.layers = "\0\0\0\2\xff\xff"s;
  const std::vector<float> half = coloursOf(psdOf(covered));
  EXPECT_NEAR(half[0], 0.5f, 0.01f);
  EXPECT_EQ(half[1], 0.0f);
  EXPECT_EQ(decodeDepth(psdOf(with(1, 16, 1, "\1\2"))).values, std::vector<float>{258.0f});
  EXPECT_EQ(decodeDepth(psdOf(with(1, 32, 1, "\x40\x40\0\0"s))).values, std::vector<float>{3.0f});
}

TEST(DesignedFiles, PsdIsATextureOfModels) {
  const std::string file = psdOf({.height = 1, .width = 2, .pixels = "\1\x20\xff\x80\0\x40"s});
  EXPECT_THAT(decodeImage(file, {}).texels, ElementsAre(glm::u8vec4(1, 255, 0, 255), glm::u8vec4(32, 128, 64, 255)));
  ModelLimits small;
  small.imageSide = 1;
  EXPECT_THROW(decodeImage(file, small), std::runtime_error);
}

// A progressive JPEG. Only its first scan has data.
std::string scansOf(int count, std::uint32_t side) {
  const std::string components = "\1\x11\0"s;
  std::string bytes = "\xff\xd8" + segment(0xdb, std::string(1, '\0') + std::string(64, '\1'));
  bytes += segment(0xc2, "\x08" + bigEndian(side, 2) + bigEndian(side, 2) + "\1" + components);
  // Huffman tables with one code of one bit; the AC code ends a run of 32767 blocks.
  bytes += segment(0xc4, "\0\1"s + std::string(15, '\0') + "\0"s);
  bytes += segment(0xc4, "\x10\1"s + std::string(15, '\0') + "\xe0"s);
  bytes += segment(0xda, "\1\1\0\0\0\0"s) + std::string(std::size_t{side} * side / 512 + 1, '\0');
  for (int i = 1; i < count; ++i) bytes += segment(0xda, "\1\1\0\1\1\0"s) + std::string(4, '\0');
  return bytes + "\xff\xd9";
}

TEST(DesignedFiles, Jpeg) {
  EXPECT_EQ(outcome(scansOf(20, 64)), "read 64x64");
  EXPECT_THAT(outcome(scansOf(101, 64)), HasSubstr("more than 100 scans"));
  EXPECT_THAT(outcome(scansOf(200'000, 4096)), HasSubstr("more than 100 scans"));

  const std::string plain = jpegOf(std::vector<std::uint8_t>(192, 90), {8, 8}, 3);
  const std::size_t frame = plain.find("\xff\xc0");
  ASSERT_NE(frame, plain.npos);
  const auto with = [&](std::size_t at, std::string_view value) {
    std::string bytes = plain;
    bytes.replace(frame + at, value.size(), value);
    return outcome(bytes);
  };
  EXPECT_EQ(with(5, "\0\x08"s), "read 8x8");
  EXPECT_THAT(with(5, "\0\0"s), testing::Not(StartsWith("read"))) << "a height that stands behind the pixels";
  EXPECT_THAT(with(5, "\xff\xff\xff\xff"s), HasSubstr("its size is"));
  EXPECT_THAT(with(5, "\x40\0\x40\0"s), testing::Not(StartsWith("read"))) << "few bytes for many pixels";
  EXPECT_THAT(with(9, "\xff"s), testing::Not(StartsWith("read"))) << "255 components";
  for (const char factors : {'\0', '\x0f', '\x51', '\xff'})
    EXPECT_THAT(with(11, std::string(1, factors)), testing::Not(StartsWith("read"))) << int{factors};
  EXPECT_THAT(with(12, "\xff"s), testing::Not(StartsWith("read"))) << "no such table";
  EXPECT_THAT(outcome(withSegments(plain, segment(0xc0, plain.substr(frame + 4, 15)))),
              testing::Not(StartsWith("read")))
      << "two frames";
  EXPECT_EQ(outcome(withSegments(plain, segment(0xdd, "\0\1"s))), "read 8x8") << "restarts that never come";
  std::string comments;
  for (int i = 0; i < 20'000; ++i) comments += segment(0xfe, "");
  EXPECT_EQ(outcome(withSegments(plain, comments)), "read 8x8");

  // Damaged metadata is left out; the pixels are read.
  const auto notesWith = [&](const std::string& before) {
    return decodePicture(withSegments(plain, before), {}).notes;
  };
  EXPECT_THAT(notesWith(segment(0xe1, "a") + std::string(9, '\0')), ElementsAre(HasSubstr("is damaged")));
  for (const std::string& parts : {"\2\2"s, "\1\2"s, "\0\0"s})
    EXPECT_THAT(notesWith(segment(0xe2, "ICC_PROFILE\0"s + parts + "profile")),
                ElementsAre(HasSubstr("parts of its ICC profile are missing")));
}

// A BMP with 24 bits whose first row is the top one: its height is negative.
TEST(DesignedFiles, BmpFromTheTop) {
  const auto bmp = [](std::uint32_t height) {
    const std::string pixels = "\0\0\xff\0\xff\0\0\0"s;  // red above green, each padded to four bytes
    return "BM" + little(62, 4) + little(0, 4) + little(54, 4) + little(40, 4) + little(1, 4) + little(height, 4) +
           little(1, 2) + little(24, 2) + std::string(24, '\0') + pixels.substr(0, 3) + "\0"s + pixels.substr(3, 3) +
           "\0"s;
  };
  for (const std::uint32_t height : {2u, static_cast<std::uint32_t>(-2)}) {
    const Picture picture = decodePicture(bmp(height), {});
    ASSERT_EQ(picture.size, glm::ivec2(1, 2));
    const std::size_t red = height == 2 ? 0 : 4;  // rows of a picture begin at the bottom
    EXPECT_GT(picture.rgba[red], picture.rgba[red + 1]);
    EXPECT_EQ(codecByContent(bmp(height))->size(bmp(height), {}), glm::ivec2(1, 2));
    const std::string grey = bmp(height).substr(0, 54) + std::string(8, '\5');
    EXPECT_EQ(codecByContent(grey)->depth(grey, {}).size, glm::ivec2(1, 2));
  }
  EXPECT_THAT(outcome(bmp(0x80000000)), testing::Not(StartsWith("read")));
}

// A header of 4 x 2 pixels, a palette of black, red, green and blue, and rows from the bottom.
std::string bmpRuns(int bits, const std::string& runs) {
  const std::uint32_t colours = 1u << bits;
  return "BM" + little(0, 4) + little(0, 4) + little(54 + 4 * colours, 4) + little(40, 4) + little(4, 4) +
         little(2, 4) + little(1, 2) + little(static_cast<std::uint32_t>(bits), 2) + little(bits == 8 ? 1 : 2, 4) +
         little(0, 4) + little(0, 4) + little(0, 4) + little(colours, 4) + little(0, 4) +
         "\0\0\0\0\0\0\xff\0\0\xff\0\0\xff\0\0\0"s + std::string(4 * (colours - 4), '\0') + runs;
}

TEST(DesignedFiles, BmpOfRunLengths) {
  const auto letters = [](const std::string& bytes) {
    const std::vector<float> colours = coloursOf(bytes);
    std::string text;
    for (std::size_t i = 0; i < colours.size(); i += 3)
      text += colours[i] > 0.5f ? 'r' : colours[i + 1] > 0.5f ? 'g' : colours[i + 2] > 0.5f ? 'b' : '.';
    return text;
  };
  // Run, literal pixels, end of row; then offset, run, end of bitmap.
  EXPECT_EQ(letters(bmpRuns(8, "\1\1\0\3\2\3\1\0\0\0\0\2\1\0\3\2\0\1"s)), "rgbr.ggg");
  EXPECT_EQ(letters(bmpRuns(4, "\3\x12\0\3\x31\x20\0\0\2\x33\0\1"s)), "rgrbbb..") << "a row has four pixels";
  for (const int bits : {8, 4}) {
    const std::string runs = bmpRuns(bits, "\0\1"s);
    EXPECT_EQ(codecByContent(runs)->size(runs, {}), glm::ivec2(4, 2)) << bits;
  }
  const std::string open = bmpRuns(8, "\4\1\0\0\2\2"s);
  EXPECT_EQ(letters(open), "rrrrgg..");
  EXPECT_THAT(decodePicture(open, {}).notes, ElementsAre(HasSubstr("cut off")));
  EXPECT_EQ(decodePicture(bmpRuns(8, "\0\1"s), {}).notes, Notes());
  EXPECT_THAT(outcome(bmpRuns(8, "\0\2\xff\xff\x4\1\0\x9"s)), "read 4x2") << "outside";
  std::string wide = bmpRuns(8, "\0\1"s);
  wide.replace(18, 8, little(16384, 4) + little(16384, 4));
  EXPECT_THAT(outcome(wide), HasSubstr("truncated"));
  std::string plain = bmpRuns(8, "\1\1\1\1\2\2\2\2");
  plain[30] = '\0';
  EXPECT_EQ(letters(plain), "rrrrgggg");
  EXPECT_EQ(decodePicture(plain, {}).notes, Notes());
  EXPECT_THAT(decodePicture(plain.substr(0, plain.size() - 1), {}).notes, ElementsAre(HasSubstr("cut off")));
}

TEST(DesignedFiles, TgaFromTheRight) {
  const auto tga = [](char flags) { return "\0\0\2\0\0\0\0\0\0\0\0\0\2\0\1\0\x18"s + flags + "\0\0\xff\xff\0\0"s; };
  EXPECT_THAT(coloursOf(tga('\0')), ElementsAre(1, 0, 0, 0, 0, 1));
  EXPECT_THAT(coloursOf(tga('\x10')), ElementsAre(0, 0, 1, 1, 0, 0));
  EXPECT_EQ(decodePicture(tga('\0'), {}).notes, Notes());
  EXPECT_THAT(decodePicture(tga('\0').substr(0, 23), {}).notes, ElementsAre(HasSubstr("cut off")));
}

}  // namespace
}  // namespace satdof::test
