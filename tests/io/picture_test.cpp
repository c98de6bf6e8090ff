#include "app/io/picture.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <glm/gtc/packing.hpp>
#include <random>

#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/io/formats/exr.h"
#include "app/io/formats/pfm.h"
#include "app/io/formats/png.h"
#include "app/io/image_file.h"
#include "tests/io/photographs.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

using test::bigEndian;
using test::reasonOf;
using test::TemporaryFolder;
using test::writtenByStb;
using testing::AllOf;
using testing::HasSubstr;

const std::vector<glm::ivec2> kSizes{{1, 1}, {31, 1}, {1, 33}, {33, 17}};

float linear(const Picture& picture, std::size_t i) { return glm::unpackHalf1x16(picture.rgba[i]); }

double srgbDecoded(double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); }

std::string reasonAgainst(const std::string& bytes, const FileLimits& limits = {}) {
  return reasonOf([&] { decodePicture(bytes, limits); });
}

template <class T>
std::vector<T> randomSamples(glm::ivec2 size, std::size_t channels) {
  std::mt19937 random(7);
  std::vector<T> samples(static_cast<std::size_t>(size.x * size.y) * channels);
  for (T& sample : samples) sample = static_cast<T>(random());
  return samples;
}

template <class T>
void expectPngReadsBack() {
  constexpr int kBits = 8 * sizeof(T);
  for (const glm::ivec2 size : kSizes) {
    const auto samples = randomSamples<T>(size, 3);
    const Picture read = decodePicture(encodePng(samples.data(), size, kBits, {}));
    ASSERT_EQ(read.size, size);
    EXPECT_TRUE(read.photograph);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double expected = srgbDecoded(samples[i] / (std::pow(2.0, kBits) - 1));
      ASSERT_NEAR(linear(read, i / 3 * 4 + i % 3), expected, expected / 1024 + 1e-7);
    }
    for (std::size_t i = 3; i < read.rgba.size(); i += 4) ASSERT_EQ(linear(read, i), 1.0f);
  }
}

TEST(Picture, PngReadsBack) {
  expectPngReadsBack<std::uint8_t>();
  expectPngReadsBack<std::uint16_t>();
}

TEST(Picture, FloatMapsReadBackInBothByteOrders) {
  for (const glm::ivec2 size : kSizes) {
    std::vector<float> rgb;
    for (int i = 0; i < size.x * size.y * 3; ++i) rgb.push_back(0.25f * static_cast<float>(i % 100));
    const std::string bytes = encodePfm(rgb, size);
    std::string swapped = "PF " + std::to_string(size.x) + " " + std::to_string(size.y) + " 1.0\n";
    const std::size_t header = bytes.size() - rgb.size() * 4;
    for (std::size_t i = header; i < bytes.size(); i += 4)
      for (std::size_t byte = 4; byte-- > 0;) swapped += bytes[i + byte];
    for (const std::string& file : {bytes, swapped}) {
      const Picture read = decodePicture(file);
      ASSERT_EQ(read.size, size);
      EXPECT_FALSE(read.photograph);
      for (std::size_t i = 0; i < rgb.size(); ++i) ASSERT_EQ(linear(read, i / 3 * 4 + i % 3), rgb[i]);
    }
  }
}

TEST(Picture, RadianceReadsBackBottomRowFirst) {
  const glm::ivec2 size{9, 5};
  std::vector<float> rgb;
  for (int i = 0; i < size.x * size.y * 3; ++i) rgb.push_back(static_cast<float>(1 + i));
  const Picture read = decodePicture(encodeHdr(rgb, size));
  ASSERT_EQ(read.size, size);
  EXPECT_FALSE(read.photograph);
  for (std::size_t i = 0; i < rgb.size(); ++i) ASSERT_NEAR(linear(read, i / 3 * 4 + i % 3), rgb[i], 0.02f * rgb[i]);
}

TEST(Picture, OtherFormatsReadTopRowFirstAndBlendOverBlack) {
  const std::vector<std::uint8_t> rgba{255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 0, 255, 255, 255, 255};
  const std::string tga = writtenByStb(stbi_write_tga_to_func, 1, 4, 4, rgba.data());
  const Picture read = decodePicture(tga);
  ASSERT_EQ(read.size, glm::ivec2(1, 4));
  EXPECT_THAT(read.notes, testing::ElementsAre(HasSubstr("transparent")));
  const float expected[4][3] = {{1, 1, 1}, {0, 0, 0}, {0, 128.0f / 255, 0}, {1, 0, 0}};
  for (std::size_t y = 0; y < 4; ++y)
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(linear(read, 4 * y + c), expected[y][c], 1e-3);
}

TEST(Picture, DamagedFilesAreRefusedWithAReason) {
  const std::vector<std::uint8_t> samples(33 * 17 * 3, 77);
  const std::string png = encodePng(samples.data(), {33, 17}, 8, {});
  EXPECT_EQ(reasonAgainst(png), "accepted");
  EXPECT_EQ(reasonAgainst(""), "it is empty");
  EXPECT_THAT(reasonAgainst("hello"), HasSubstr("it is no image"));
  EXPECT_EQ(reasonAgainst(std::string("\0\0\0\x0cJXL \r\n", 10)),
            "JPEG XL is not read: convert it to PNG, TIFF or EXR");
  for (std::size_t length = 8; length < png.size() - 12; ++length) {
    const std::string cut = png.substr(0, length);
    if (reasonAgainst(cut) != "accepted") continue;
    EXPECT_THAT(decodePicture(cut).notes, testing::ElementsAre(HasSubstr("truncated or damaged"))) << length;
  }
  EXPECT_THAT(reasonAgainst(png.substr(0, png.find("IDAT") + 9)), HasSubstr("libpng: "));
  // libpng takes up to 4096 bytes at once.
  constexpr glm::ivec2 kSize{200, 40};
  const auto noise = randomSamples<std::uint8_t>(kSize, 3);
  const std::string grainy = encodePng(noise.data(), kSize, 8, {});
  const Picture whole = decodePicture(grainy);
  for (const std::size_t missing : {12u, 9000u}) {
    const std::string bytes = grainy.substr(0, grainy.size() - missing);
    const Picture cut = decodePicture(bytes);
    EXPECT_EQ(cut.notes, missing == 12 ? Notes() : Notes{"it is truncated or damaged: what is missing is black"});
    const auto row = std::ptrdiff_t{4} * kSize.x;  // the last row is the top one
    EXPECT_TRUE(std::equal(cut.rgba.end() - row, cut.rgba.end(), whole.rgba.end() - row));
    EXPECT_EQ(std::equal(cut.rgba.begin(), cut.rgba.begin() + row, whole.rgba.begin()), missing == 12);
    EXPECT_EQ(linear(cut, 0) == 0.0f, missing != 12);
  }
  EXPECT_THROW(decodePng(grainy.substr(0, grainy.size() - 9000)), std::runtime_error) << "of a depth";
  for (const char* pfm : {"PF", "PF\n", "PF\n2 2\n", "PF\n2 2 0\n", "PF 2 x -1\n", "PF\n2 2\n-1.0\n0123456789"})
    EXPECT_NE(reasonAgainst(pfm), "accepted") << pfm;
  EXPECT_THAT(reasonAgainst("PF\n0 2\n-1.0\n"), HasSubstr("its size is 0x2"));
}

// A header cannot make the reader allocate what the file cannot hold.
TEST(Picture, SizesAreBoundBeforeAllocation) {
  EXPECT_THAT(reasonAgainst("PF\n16384 16384\n-1.0\n" + std::string(100, 'x')), HasSubstr("truncated"));
  EXPECT_THAT(reasonAgainst("PF\n16385 1\n-1.0\n"), AllOf(HasSubstr("16385x1"), HasSubstr("16384 on a side")));
  const std::string bmp = writtenByStb(stbi_write_bmp_to_func, 3, 3, 3, std::vector<std::uint8_t>(27).data());
  std::string wide = bmp;
  wide[19] = 0x3f, wide[23] = 0x3f;  // bits 8 to 15 of width and height
  EXPECT_THAT(reasonAgainst(wide), HasSubstr("truncated"));
  const std::vector<std::uint8_t> samples(33 * 17 * 3);
  const std::string png = encodePng(samples.data(), {33, 17}, 8, {});
  std::string tall = png;
  tall[21] = 0x30;
  EXPECT_THAT(reasonAgainst(tall), HasSubstr("16384 on a side"));
  EXPECT_THAT(reasonAgainst(png, {.side = 32}), HasSubstr("33x17"));
  EXPECT_THAT(reasonAgainst(png, {.pixels = 500}), HasSubstr("500 pixels"));
}

TEST(Picture, SizeComesWithoutThePixels) {
  const glm::ivec2 size(33, 17);
  const std::vector<float> values(std::size_t{33} * 17 * 3, 0.5f);
  const std::vector<float> plane(std::size_t{33} * 17, 0.5f);
  const std::vector<std::uint8_t> samples(std::size_t{33} * 17 * 3, 7);
  const TemporaryFolder folder;
  for (const std::string& bytes :
       {encodePng(samples.data(), size, 8, {}), encodeHdr(values, size), encodePfm(values, size),
        encodeExr(
            {.size = size, .channels = {{"R", true, plane}, {"G", true, plane}, {"B", true, plane}}, .texts = {}})}) {
    EXPECT_EQ(pictureSize(folder.write("image", bytes)), size) << readerOf(bytes).name;
    EXPECT_EQ(decodePicture(bytes).size, size) << readerOf(bytes).name;
  }
}

TEST(Picture, FilesAreNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.write("no-image.png", "text");
  for (const auto& read :
       {std::function<void()>([&] { readPicture(path); }), {[&] { pictureSize(path); }}, {[&] { readDepth(path); }}})
    EXPECT_THAT(reasonOf(read), AllOf(HasSubstr("cannot read "), HasSubstr("no-image.png\": ")));
  std::filesystem::remove(path);
  EXPECT_THROW(readPicture(path), std::runtime_error);
}

TEST(DepthImage, KeepsTheNumbersOfTheFile) {
  const std::vector<std::uint16_t> samples{1, 1, 1, 65535, 65535, 65535, 300, 300, 300};
  const DepthImage deep = decodeDepth(encodePng(samples.data(), {3, 1}, 16, {}));
  EXPECT_EQ(deep.values, (std::vector<float>{1, 65535, 300}));
  EXPECT_EQ(deep.largest, 65535.0f);
  const std::vector<std::uint8_t> bytes{9, 9, 9, 200, 200, 200};
  const DepthImage flat = decodeDepth(encodePng(bytes.data(), {1, 2}, 8, {}));
  EXPECT_EQ(flat.values, (std::vector<float>{9, 200}));
  EXPECT_EQ(flat.largest, 255.0f);
  const float values[] = {1.5f, -2.0f};
  const DepthImage floats =
      decodeDepth("Pf\n2 1\n-1\n" + std::string(reinterpret_cast<const char*>(values), sizeof values));
  EXPECT_EQ(floats.values, (std::vector<float>{1.5f, -2.0f}));
  EXPECT_EQ(floats.largest, 0.0f);
}

TEST(DepthImage, TakesEqualChannelsOfFloats) {
  const DepthImage depth = decodeDepth(encodePfm({2, 2, 2, 7, 7, 7}, {2, 1}));
  EXPECT_EQ(depth.values, (std::vector<float>{2, 7}));
}

TEST(DepthImage, RefusesColours) {
  const std::vector<std::uint8_t> samples{10, 80, 30};
  for (const std::string& file : {encodePng(samples.data(), {1, 1}, 8, {}), encodePfm({1, 2, 3}, {1, 1})})
    EXPECT_THAT(reasonOf([&] { decodeDepth(file); }), HasSubstr("colour image"));
}

// stb_image would look for the missing runs for ever.
TEST(Picture, RadianceCutWithinARunIsRefused) {
  const std::string header = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 8\n";
  const std::string run = "\x88\x80", dump = std::string("\x08", 1) + std::string(8, '\x80');
  const std::string whole = header + std::string("\2\2\0\x08", 4) + run + dump + run + run;
  EXPECT_EQ(decodePicture(whole).size, glm::ivec2(8, 1));
  for (std::size_t length = header.size(); length < whole.size(); ++length)
    EXPECT_THROW(decodePicture(whole.substr(0, length)), std::runtime_error) << length;
}

// Limits the address space to what this process has and a little more.
class LittleMemory {
 public:
  LittleMemory() {
    constexpr rlim_t kMore = rlim_t{256} << 20;
    getrlimit(RLIMIT_AS, &before_);
    std::ifstream pages("/proc/self/statm");
    rlim_t used = 0;
    pages >> used;
    const rlimit limited{used * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + kMore, before_.rlim_max};
    setrlimit(RLIMIT_AS, &limited);
  }
  ~LittleMemory() { setrlimit(RLIMIT_AS, &before_); }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;

 private:
  rlimit before_{};
};

std::uint32_t crc(std::string_view bytes) {
  std::uint32_t value = 0xffffffff;
  for (const char c : bytes) {
    value ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value;
}

// Headers of images of 14000 x 14000 pixels, which small files may hold.
TEST(Memory, ImagesWithoutRoomAreRefusedBeforeTheyAreDecoded) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer takes terabytes of address space";
#endif
  constexpr std::uint32_t kSide = 14000;
  const auto noise = randomSamples<std::uint8_t>({160, 160}, 3);
  std::string png = encodePng(noise.data(), {160, 160}, 8, {});
  png.replace(16, 8, bigEndian(kSide, 4) + bigEndian(kSide, 4));
  png.replace(29, 4, bigEndian(crc(std::string_view(png).substr(12, 17)), 4));
  std::string bmp = writtenByStb(stbi_write_bmp_to_func, 160, 160, 3, noise.data());
  const std::string side{static_cast<char>(kSide & 255), static_cast<char>(kSide >> 8), 0, 0};
  bmp.replace(18, 8, side + side);
  EXPECT_THAT(reasonAgainst(png), testing::Not(HasSubstr("of memory")));
  const LittleMemory limited;
  for (const std::string& bytes : {png, bmp})
    EXPECT_THAT(reasonAgainst(bytes), testing::ContainsRegex("it needs [0-9]+ MiB of memory, and [0-9]+ MiB are free"));
  EXPECT_EQ(reasonAgainst(encodePng(noise.data(), {160, 160}, 8, {})), "accepted");
}

}  // namespace
}  // namespace satdof
