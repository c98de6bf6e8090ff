#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/codec.h"
#include "app/io/picture.h"
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
         gif.before + "," + word(gif.left) + word(gif.top) + word(gif.width) + word(gif.height) + "\0"s +
         gif.codes + ";";
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
  // Ten thousand extensions of no bytes.
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
  std::uint32_t resources = 0;  // bytes that are stated
  std::string pixels = std::string(24, '\1');
};

std::string psdOf(const Psd& psd) {
  return "8BPS" + bigEndian(psd.version, 2) + std::string(6, '\0') + bigEndian(psd.channels, 2) +
         bigEndian(psd.height, 4) + bigEndian(psd.width, 4) + bigEndian(psd.depth, 2) +
         bigEndian(psd.mode, 2) + bigEndian(0, 4) + bigEndian(psd.resources, 4) + bigEndian(0, 4) +
         bigEndian(psd.packed, 2) + psd.pixels;
}

TEST(DesignedFiles, Psd) {
  EXPECT_EQ(outcome(psdOf({})), "read 2x2");
  EXPECT_EQ(outcome(psdOf({.depth = 16})), "read 2x2");
  EXPECT_EQ(outcome(psdOf({.channels = 16})), "read 2x2") << "further channels are masks";
  for (const Psd& strange : {Psd{.version = 2},
                             {.channels = 17},
                             {.channels = 65535},
                             {.depth = 1},
                             {.depth = 32},
                             {.mode = 4},
                             {.packed = 7}})
    EXPECT_THAT(outcome(psdOf(strange)), testing::Not(StartsWith("read"))) << strange.depth << strange.mode;
  EXPECT_THAT(outcome(psdOf({.mode = 1})),
              HasSubstr("a kind of PSD that is not read; read are: 8 and 16 bits, RGB"));
  for (const auto& [width, height] : {std::pair(300'000u, 300'000u),
                                      {0x7fffffffu, 2u},
                                      {0xffffffffu, 0xffffffffu},
                                      {16384u, 16384u},
                                      {2u, 0u}})
    EXPECT_THAT(outcome(psdOf({.height = height, .width = width})), testing::Not(StartsWith("read")))
        << width << "x" << height;
  EXPECT_THAT(outcome(psdOf({.resources = 0xffffffff})), testing::Not(StartsWith("read 0")));
  // Runs beyond their row, and fewer bytes than rows.
  const std::string counts(12, '\0');
  EXPECT_THAT(outcome(psdOf({.packed = 1, .pixels = counts + "\x81\1"s})), HasSubstr("damaged"));
  EXPECT_THAT(outcome(psdOf({.packed = 1, .pixels = counts + "\x7f\1"s})), HasSubstr("damaged"));
}

// A progressive JPEG whose scans have no bytes but the first.
std::string scansOf(int count, std::uint32_t side) {
  const std::string components = "\1\x11\0"s;
  std::string bytes = "\xff\xd8" + segment(0xdb, std::string(1, '\0') + std::string(64, '\1'));
  bytes += segment(0xc2, "\x08" + bigEndian(side, 2) + bigEndian(side, 2) + "\1" + components);
  // One code of one bit, for DC and for AC: the latter ends a band of 32767 blocks.
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

  // What is damaged beside the pixels is left out.
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
    return "BM" + little(62, 4) + little(0, 4) + little(54, 4) + little(40, 4) + little(1, 4) +
           little(height, 4) + little(1, 2) + little(24, 2) + std::string(24, '\0') + pixels.substr(0, 3) +
           "\0"s + pixels.substr(3, 3) + "\0"s;
  };
  for (const std::uint32_t height : {2u, static_cast<std::uint32_t>(-2)}) {
    const Picture picture = decodePicture(bmp(height), {});
    ASSERT_EQ(picture.size, glm::ivec2(1, 2));
    const std::size_t red = height == 2 ? 0 : 4;  // rows of a picture begin at the bottom
    EXPECT_GT(picture.rgba[red], picture.rgba[red + 1]);
    EXPECT_EQ(codecOf(bmp(height))->size(bmp(height), {}), glm::ivec2(1, 2));
    const std::string grey = bmp(height).substr(0, 54) + std::string(8, '\5');
    EXPECT_EQ(codecOf(grey)->depth(grey, {}).size, glm::ivec2(1, 2));
  }
  EXPECT_THAT(outcome(bmp(0x80000000)), testing::Not(StartsWith("read")));
}

}  // namespace
}  // namespace satdof::test
