#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOutputFile.h>
#include <ImfPreviewImage.h>
#include <ImfStdIO.h>
#include <ImfStringVectorAttribute.h>
#include <ImfTiledOutputFile.h>
#include <gmock/gmock.h>
#include <half.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>

#include "app/io/formats/exr.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

constexpr glm::ivec2 kSizes[] = {{1, 1}, {1, 31}, {33, 1}, {17, 255}, {31, 256}, {33, 257}, {5, 1000}, {4097, 3}};

std::vector<float> randomValues(glm::ivec2 size, bool half) {
  static std::mt19937 generator(5);
  std::lognormal_distribution<float> light(0.0f, 2.0f);
  std::vector<float> values(static_cast<std::size_t>(size.x * size.y));
  for (auto& value : values) {
    value = light(generator) - 0.5f;
    if (half) value = ::half(value);
  }
  return values;
}

ExrImage randomImage(glm::ivec2 size) {
  ExrImage image{.size = size, .channels = {}, .texts = {{"comment", "of the image"}, {"empty", ""}}};
  for (const char* name : {"A", "B", "R", "Z", "coc.Y"})
    image.channels.push_back({name, name[1] == 0 && name[0] != 'Z', {}});
  for (auto& channel : image.channels) channel.values = randomValues(size, channel.half);
  return image;
}

std::string reason(std::string_view bytes, const ExrLimits& limits = {}) {
  return test::reasonOf([&] { decodeExr(bytes, "a.exr", {}, limits); });
}

void putWord(std::string& bytes, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes.at(at + i) = static_cast<char>(value >> 8 * i);
}

// The offset of the value of an attribute.
std::size_t valueOf(const std::string& bytes, const std::string& name, const std::string& type) {
  const std::string key = name + '\0' + type + '\0';
  const std::size_t at = bytes.find(key);
  EXPECT_NE(at, bytes.npos) << name;
  return at + key.size() + 4;
}

// A file that OpenEXR writes itself: one channel "Y" with the value 1000 y + x at the pixel (x, y), counted from
// the bottom left.
template <class Write>
std::string written(Imf::Header header, Write&& write, Imf::PixelType type = Imf::FLOAT) {
  const auto& box = header.dataWindow();
  const int width = box.max.x - box.min.x + 1, height = box.max.y - box.min.y + 1;
  header.channels().insert("Y", Imf::Channel(type));
  std::vector<float> rows;
  std::vector<unsigned> counts;
  for (int y = height; y-- > 0;)
    for (int x = 0; x < width; ++x) {
      rows.push_back(static_cast<float>(1000 * y + x));
      counts.push_back(static_cast<unsigned>(1000 * y + x));
    }
  void* data = type == Imf::FLOAT ? static_cast<void*>(rows.data()) : counts.data();
  Imf::FrameBuffer buffer;
  buffer.insert("Y", Imf::Slice::Make(type, data, box));
  Imf::StdOSStream stream;
  write(stream, header, buffer, height);
  return stream.str();
}

void writeScanlines(Imf::OStream& stream, const Imf::Header& header, const Imf::FrameBuffer& buffer, int height) {
  Imf::OutputFile file(stream, header);
  file.setFrameBuffer(buffer);
  file.writePixels(height);
}

void writeTiles(Imf::OStream& stream, const Imf::Header& header, const Imf::FrameBuffer& buffer, int) {
  Imf::TiledOutputFile file(stream, header);
  file.setFrameBuffer(buffer);
  for (int y = 0; y < file.numYLevels(); ++y)
    for (int x = 0; x < file.numXLevels(); ++x)
      if (file.isValidLevel(x, y)) file.writeTiles(0, file.numXTiles(x) - 1, 0, file.numYTiles(y) - 1, x, y);
}

void expectNumbered(const ExrImage& image, glm::ivec2 size) {
  ASSERT_EQ(image.size, size);
  ASSERT_NE(image.channel("Y"), nullptr);
  const auto& values = image.channel("Y")->values;
  ASSERT_EQ(values.size(), static_cast<std::size_t>(size.x * size.y));
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x)
      ASSERT_EQ(values[static_cast<std::size_t>(y * size.x + x)], static_cast<float>(1000 * y + x));
}

TEST(Exr, ChannelsAndTextsReadBackExactly) {
  for (const auto size : kSizes) {
    const ExrImage image = randomImage(size);
    const std::string bytes = encodeExr(image);
    EXPECT_TRUE(isExr(bytes));
    const ExrImage read = decodeExr(bytes, "a.exr");
    ASSERT_EQ(read.size, size);
    ASSERT_EQ(read.channels.size(), image.channels.size());
    for (const auto& channel : image.channels) {
      const ExrChannel* found = read.channel(channel.name);
      ASSERT_NE(found, nullptr) << channel.name;
      EXPECT_EQ(found->half, channel.half);
      EXPECT_EQ(found->values, channel.values) << channel.name;
    }
    for (const auto& text : image.texts) EXPECT_EQ(exrText(bytes, text.keyword), text.text);
    EXPECT_EQ(read.texts.size(), image.texts.size());
    EXPECT_EQ(read.channel("G"), nullptr);
  }
}

TEST(Exr, OnlyTheNamedChannelsAreRead) {
  const ExrImage image = randomImage({7, 5});
  const ExrImage read = decodeExr(encodeExr(image), "a.exr", {"Z", "missing", "R"});
  ASSERT_EQ(read.channels.size(), 2u);
  EXPECT_EQ(read.channel("Z")->values, image.channel("Z")->values);
  EXPECT_TRUE(decodeExr(encodeExr(image), "a.exr", {"missing"}).channels.empty());
}

TEST(Exr, SpecialValuesSurviveAndLargeOnesStayFiniteInHalf) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> values{inf, -inf, 1e30f, -1e30f, std::nanf(""), 0.0f};
  const ExrImage read = decodeExr(
      encodeExr({.size = {3, 2}, .channels = {{"R", true, values}, {"Z", false, values}}, .texts = {}}), "a.exr");
  const auto& half = read.channel("R")->values;
  const auto& full = read.channel("Z")->values;
  EXPECT_THAT(std::vector(half.begin(), half.begin() + 4), testing::ElementsAre(inf, -inf, 65504.0f, -65504.0f));
  EXPECT_THAT(std::vector(full.begin(), full.begin() + 4), testing::ElementsAre(inf, -inf, 1e30f, -1e30f));
  EXPECT_TRUE(std::isnan(half[4]) && std::isnan(full[4]));
}

TEST(Exr, TextsStandInTheFirstPartOfTheFile) {
  const std::string bytes = encodeExr(randomImage({33, 100}));
  EXPECT_EQ(exrText(bytes.substr(0, 1000), "comment"), "of the image");
  EXPECT_EQ(exrText(bytes, "other"), std::nullopt);
  EXPECT_EQ(exrText(bytes, "channels"), std::nullopt);  // is no string
  for (std::size_t length = 0; length < 200; ++length) EXPECT_EQ(exrText(bytes.substr(0, length), "x"), std::nullopt);
  EXPECT_EQ(exrText("{}", "comment"), std::nullopt);
}

TEST(Exr, TilesOfAnySizeLevelsAndCompressionsAreRead) {
  for (const auto size : {glm::ivec2(1, 1), glm::ivec2(33, 257), glm::ivec2(100, 31)})
    for (const unsigned tile : {1u, 7u, 32u, 300u})
      for (const auto mode : {Imf::ONE_LEVEL, Imf::MIPMAP_LEVELS, Imf::RIPMAP_LEVELS}) {
        Imf::Header header(size.x, size.y);
        header.setTileDescription({tile, tile + 1, mode});
        expectNumbered(decodeExr(written(header, writeTiles), "a.exr"), size);
      }
  for (int compression = 0; compression < Imf::NUM_COMPRESSION_METHODS; ++compression) {
    if (compression == Imf::B44_COMPRESSION || compression == Imf::DWAA_COMPRESSION ||
        compression == Imf::B44A_COMPRESSION || compression == Imf::DWAB_COMPRESSION ||
        compression == Imf::PXR24_COMPRESSION)
      continue;  // with losses, or of half floats only
    if (compression > Imf::DWAB_COMPRESSION) break;
    Imf::Header header(65, 300);
    header.compression() = static_cast<Imf::Compression>(compression);
    expectNumbered(decodeExr(written(header, writeScanlines), "a.exr"), {65, 300});
  }
}

TEST(Exr, TheDataWindowMayLieAnywhere) {
  for (const glm::ivec2 from : {glm::ivec2(-40, 17), glm::ivec2(1000, -3000), glm::ivec2(2, 3)}) {
    const Imath::Box2i window({from.x, from.y}, {from.x + 20, from.y + 299});
    Imf::Header header(Imath::Box2i({0, 0}, {99, 99}), window);
    expectNumbered(decodeExr(written(header, writeScanlines), "a.exr"), {21, 300});
    header.lineOrder() = Imf::DECREASING_Y;
    expectNumbered(decodeExr(written(header, writeScanlines), "a.exr"), {21, 300});
  }
}

TEST(Exr, IntegersBecomeFloats) {
  expectNumbered(decodeExr(written(Imf::Header(9, 4), writeScanlines, Imf::UINT), "a.exr"), {9, 4});
}

TEST(Exr, ErrorsAreOneLine) {
  const std::string good = encodeExr(randomImage({33, 57}));
  EXPECT_EQ(reason(good), "accepted");
  EXPECT_EQ(reason(""), "cannot read a.exr: not an OpenEXR file");
  EXPECT_EQ(reason("P6\n2 2\n255\nxxxxxxxxxxxx"), "cannot read a.exr: not an OpenEXR file");
  const auto changed = [&](std::size_t at, std::uint32_t value) {
    std::string bytes = good;
    putWord(bytes, at, value);
    return reason(bytes);
  };
  EXPECT_THAT(changed(4, 3), testing::HasSubstr("version 3 of the format"));
  EXPECT_THAT(changed(4, 2 | 0x1000), testing::StartsWith("cannot read a.exr: "));  // no types of parts
  EXPECT_THAT(changed(4, 2 | 0x800), testing::HasSubstr("deep pixels"));
  const std::size_t window = valueOf(good, "dataWindow", "box2i");
  EXPECT_THAT(changed(window + 8, 0x7fffffff), testing::HasSubstr("at most 16384 on a side"));
  EXPECT_THAT(changed(window, 0x80000000), testing::HasSubstr("at most 16384 on a side"));
  EXPECT_THAT(changed(window + 8, static_cast<std::uint32_t>(-5)), testing::StartsWith("cannot read a.exr: "));
  EXPECT_THAT(changed(window + 12, 16383), testing::HasSubstr("cut short"));
  EXPECT_THAT(changed(window - 4, 0x7ffffff0), testing::HasSubstr("header is damaged"));
  EXPECT_THAT(reason(good, {.sidePx = 56}), testing::HasSubstr("at most 56 on a side"));
  EXPECT_THAT(reason(good, {.bytes = 1 << 12}), testing::HasSubstr("memory"));
}

TEST(Exr, NamesOfTheFileAreReadableInMessages) {
  std::string bytes = encodeExr({.size = {1, 1}, .channels = {{"\x04\x04", true, {1.0f}}}, .texts = {}});
  const auto at = bytes.find(std::string("\x04\x04\0\1", 4));
  ASSERT_NE(at, bytes.npos);
  bytes[at + 3] = 0x37;  // no type of pixels
  const std::string reason = test::reasonOf([&] { decodeExr(bytes, "it"); });
  EXPECT_NE(reason, "accepted");
  for (const char c : reason) EXPECT_GE(c, ' ') << reason;
}

// Small files that ask for much memory.
TEST(Exr, NothingIsAllocatedForSizesThatTheFileDoesNotHave) {
  // An address space of 16384 x 16384 pixels in 16 million tiles of a pixel would take gigabytes.
  Imf::Header tiled(8, 8);
  tiled.setTileDescription({1, 1, Imf::ONE_LEVEL});
  std::string bytes = written(tiled, writeTiles);
  const std::size_t window = valueOf(bytes, "dataWindow", "box2i"), tiles = valueOf(bytes, "tiles", "tiledesc");
  putWord(bytes, window + 8, 16383);
  putWord(bytes, window + 12, 16383);
  EXPECT_THAT(reason(bytes), testing::HasSubstr("cut short"));
  for (const std::uint32_t side : {0u, 16385u, 0x7fffffffu, 0xffffffffu}) {
    putWord(bytes, tiles, side);
    EXPECT_THAT(reason(bytes), testing::StartsWith("cannot read a.exr: ")) << side;
  }
  putWord(bytes, tiles, 16384);
  putWord(bytes, tiles + 4, 16384);
  EXPECT_THAT(reason(bytes), testing::HasSubstr("memory"));

  // A preview of 30000 x 30000 pixels.
  Imf::Header header(8, 8);
  header.setPreviewImage(Imf::PreviewImage(4, 4));
  bytes = written(header, writeScanlines);
  EXPECT_EQ(reason(bytes), "accepted");
  const std::size_t preview = valueOf(bytes, "preview", "preview");
  for (const std::size_t at : {preview, preview + 4}) putWord(bytes, at, 30000);
  EXPECT_THAT(reason(bytes), testing::HasSubstr("header is damaged"));

  // Attribute values of wrong length: the library would read the next bytes as a length.
  bytes = written(Imf::Header(8, 8), writeScanlines);
  const std::size_t ratio = valueOf(bytes, "pixelAspectRatio", "float");
  putWord(bytes, ratio - 4, 5);
  bytes.insert(ratio, 1, '\0');
  EXPECT_THAT(reason(bytes), testing::HasSubstr("header is damaged"));
  header = Imf::Header(8, 8);
  header.insert("views", Imf::StringVectorAttribute({"left", "right"}));
  bytes = written(header, writeScanlines);
  EXPECT_EQ(reason(bytes), "accepted");
  putWord(bytes, valueOf(bytes, "views", "stringvector"), 0x7fffffff);
  EXPECT_THAT(reason(bytes), testing::HasSubstr("header is damaged"));
  bytes = written(Imf::Header(8, 8), writeScanlines);
  bytes[valueOf(bytes, "channels", "chlist") - 4] += 1;
  EXPECT_THAT(reason(bytes), testing::HasSubstr("header is damaged"));

  // 200 channels of 16384 pixels: more memory than the limit of 8 MiB.
  ExrImage wide{.size = {16384, 1}, .channels = {}, .texts = {}};
  const std::vector<float> row(16384);
  for (int i = 0; i < 200; ++i) wide.channels.push_back({std::to_string(i), true, row});
  EXPECT_THAT(reason(encodeExr(wide), {.bytes = std::size_t{8} << 20}), testing::HasSubstr("memory"));
}

// A channel stored for one of 2 x 2 or of 3 x 3 pixels, with the column of the pixel as its value.
std::string sampled(int sampling, const Imath::V2i& from) {
  const Imath::Box2i window(from, {from.x + 11, from.y + 599});
  Imf::Header header(window, window);
  header.channels().insert("C", Imf::Channel(Imf::FLOAT, sampling, sampling));
  const int columns = 12 / sampling, rows = 600 / sampling;
  std::vector<float> values;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) values.push_back(static_cast<float>(x * sampling + 1000 * y * sampling));
  Imf::FrameBuffer buffer;
  buffer.insert("C", Imf::Slice::Make(Imf::FLOAT, values.data(), window, sizeof(float),
                                      static_cast<std::size_t>(columns) * sizeof(float), sampling, sampling));
  Imf::StdOSStream stream;
  writeScanlines(stream, header, buffer, 600);
  return stream.str();
}

TEST(Exr, ChannelsStoredForSomePixelsAreInterpolated) {
  for (const Imath::V2i& from : {Imath::V2i(0, 0), Imath::V2i(-6, -128), Imath::V2i(4, 1022)}) {
    const ExrImage image = decodeExr(sampled(2, from), "a.exr");
    const auto& values = image.channels.at(0).values;
    ASSERT_EQ(values.size(), 7200u);
    for (int y = 0; y < 600; ++y)
      for (int x = 0; x < 12; ++x)
        ASSERT_EQ(values[static_cast<std::size_t>((599 - y) * 12 + x)],
                  static_cast<float>(std::min(x, 10) + 1000 * std::min(y, 598)))
            << x << " " << y;
  }
  EXPECT_THAT(reason(sampled(3, {0, 0})), testing::HasSubstr("\"C\" is stored for one of 3x3 pixels"));
}

// Nothing but std::runtime_error leaves the reader, whatever is cut off or changed.
TEST(Exr, DamagedFilesAreRefusedOrRead) {
  std::mt19937 generator(3);
  Imf::Header tiled(40, 37);
  tiled.setTileDescription({16, 8, Imf::ONE_LEVEL});
  for (const std::string& good : {encodeExr(randomImage({33, 57})), written(tiled, writeTiles)}) {
    for (std::size_t length = 0; length < good.size(); length += 1 + good.size() / 499)
      EXPECT_THAT(reason(good.substr(0, length)), testing::StartsWith("cannot read a.exr: ")) << length;
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
      std::string bytes = good;
      const std::size_t most = i % 2 == 0 ? 700 : bytes.size();  // half of the damage in the header
      for (int k = 0; k < 1 + i % 4; ++k)
        bytes[generator() % std::min(most, bytes.size())] = static_cast<char>(generator());
      const std::string text = reason(bytes, {.sidePx = 1000, .bytes = std::size_t{64} << 20});
      refused += text != "accepted";
      EXPECT_EQ(text.find('\n'), text.npos);
    }
    EXPECT_GT(refused, 500);
  }
}

}  // namespace
}  // namespace satdof
