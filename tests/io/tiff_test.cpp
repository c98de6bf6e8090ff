#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <glm/gtc/packing.hpp>
#include <random>

#include "app/io/codec.h"
#include "app/io/formats/jpeg.h"
#include "app/io/image_file.h"
#include "app/io/metadata/exif.h"
#include "tests/io/photographs.h"
#include "tests/io/profile_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/with_damage.h"

#if SATDOF_HAS_TIFF
#include <tiffio.h>
#endif

namespace satdof::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

#if SATDOF_HAS_TIFF

// Tags of a TIFF file.
struct Layout {
  glm::ivec2 size{0};
  int channels = 1, bits = 8;
  int format = SAMPLEFORMAT_UINT, photometric = PHOTOMETRIC_MINISBLACK;
  int compression = COMPRESSION_NONE, tile = 0, orientation = 1, images = 1;
  bool planes = false;  // each channel by itself
  bool preview = false;
  int extra = -1;  // the kind of the last channel
  std::string profile{};
  std::vector<std::uint16_t> palette{};  // 256 reds, greens and blues
};

struct Memory {
  std::string bytes;
  std::size_t at = 0;
};

// `samples`: top row first.
template <class T>
std::string tiffOf(const Layout& of, const std::vector<T>& samples) {
  Memory memory;
  TIFF* const file = TIFFClientOpen(
      "", "wm", &memory,
      [](thandle_t handle, void* to, tmsize_t count) -> tmsize_t {
        auto& m = *static_cast<Memory*>(handle);
        const std::size_t taken =
            std::min(static_cast<std::size_t>(count), m.bytes.size() - std::min(m.at, m.bytes.size()));
        std::memcpy(to, m.bytes.data() + m.at, taken);
        m.at += taken;
        return static_cast<tmsize_t>(taken);
      },
      [](thandle_t handle, void* data, tmsize_t count) -> tmsize_t {
        auto& m = *static_cast<Memory*>(handle);
        const auto bytes = static_cast<std::size_t>(count);
        m.bytes.resize(std::max(m.bytes.size(), m.at + bytes));
        std::memcpy(&m.bytes[m.at], data, bytes);
        m.at += bytes;
        return count;
      },
      [](thandle_t handle, toff_t to, int whence) -> toff_t {
        auto& m = *static_cast<Memory*>(handle);
        m.at = static_cast<std::size_t>(to) + (whence == SEEK_CUR ? m.at : whence == SEEK_END ? m.bytes.size() : 0);
        return m.at;
      },
      [](thandle_t) { return 0; },
      [](thandle_t handle) -> toff_t { return static_cast<Memory*>(handle)->bytes.size(); }, nullptr, nullptr);
  for (int i = 0; i < of.images; ++i) {
    TIFFSetField(file, TIFFTAG_IMAGEWIDTH, of.size.x);
    TIFFSetField(file, TIFFTAG_IMAGELENGTH, of.size.y);
    TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, of.channels);
    TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, of.bits);
    if (of.preview) TIFFSetField(file, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
    TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, of.format);
    TIFFSetField(file, TIFFTAG_PHOTOMETRIC, of.photometric);
    TIFFSetField(file, TIFFTAG_COMPRESSION, of.compression);
    TIFFSetField(file, TIFFTAG_ORIENTATION, of.orientation);
    TIFFSetField(file, TIFFTAG_PLANARCONFIG, of.planes ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    if (of.extra >= 0) {
      const auto kind = static_cast<std::uint16_t>(of.extra);
      TIFFSetField(file, TIFFTAG_EXTRASAMPLES, 1, &kind);
    }
    if (!of.profile.empty())
      TIFFSetField(file, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(of.profile.size()), of.profile.data());
    if (!of.palette.empty()) TIFFSetField(file, TIFFTAG_COLORMAP, &of.palette[0], &of.palette[256], &of.palette[512]);
    const auto width = static_cast<std::size_t>(of.size.x), channels = static_cast<std::size_t>(of.channels);
    const int planes = of.planes ? of.channels : 1;
    const std::size_t each = of.planes ? 1 : channels;
    const auto sampleAt = [&](int x, int y, int plane, std::size_t c) {
      return samples[(static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)) * channels +
                     static_cast<std::size_t>(plane) + c];
    };
    const glm::ivec2 step = of.tile > 0 ? glm::ivec2(of.tile) : glm::ivec2(of.size.x, 1);
    if (of.tile > 0) {
      TIFFSetField(file, TIFFTAG_TILEWIDTH, of.tile);
      TIFFSetField(file, TIFFTAG_TILELENGTH, of.tile);
    } else {
      TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, 2);
    }
    for (int plane = 0; plane < planes; ++plane)
      for (int y = 0; y < of.size.y; y += step.y)
        for (int x = 0; x < of.size.x; x += step.x) {
          std::vector<T> part(static_cast<std::size_t>(step.x) * static_cast<std::size_t>(step.y) * each);
          for (int py = 0; py < step.y && y + py < of.size.y; ++py)
            for (int px = 0; px < step.x && x + px < of.size.x; ++px)
              for (std::size_t c = 0; c < each; ++c)
                part[(static_cast<std::size_t>(py) * static_cast<std::size_t>(step.x) + static_cast<std::size_t>(px)) *
                         each +
                     c] = sampleAt(x + px, y + py, plane, c);
          const auto pu = static_cast<std::uint16_t>(plane);
          if (of.tile > 0)
            TIFFWriteTile(file, part.data(), static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0, pu);
          else
            TIFFWriteScanline(file, part.data(), static_cast<std::uint32_t>(y), pu);
        }
    TIFFWriteDirectory(file);
  }
  TIFFClose(file);
  return memory.bytes;
}

float valueAt(const Picture& picture, std::size_t i) { return glm::unpackHalf1x16(picture.rgba[i]); }

TEST(Tiff, StripsTilesAndPlanesAreEqual) {
  std::mt19937 random(3);
  for (const int channels : {1, 3}) {
    const glm::ivec2 size(37, 21);
    std::vector<std::uint16_t> samples(static_cast<std::size_t>(size.x * size.y * channels));
    for (auto& sample : samples) sample = static_cast<std::uint16_t>(random());
    Layout layout{.size = size, .channels = channels, .bits = 16};
    layout.photometric = channels == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    const Picture plain = decodePicture(tiffOf(layout, samples));
    EXPECT_EQ(plain.notes, Notes());
    EXPECT_TRUE(plain.photograph);
    // The first pixel of the file is at the top left: the last row here.
    const auto top = static_cast<std::size_t>(4 * size.x * (size.y - 1));
    const float v = static_cast<float>(samples[0]) / 65535.0f;
    EXPECT_NEAR(valueAt(plain, top), v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f), 1e-3f);
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE})
      for (const int tile : {0, 16})
        for (const bool planes : {false, true}) {
          layout.compression = compression;
          layout.tile = tile;
          layout.planes = planes;
          const std::string file = tiffOf(layout, samples);
          EXPECT_EQ(codecByContent(file), codecByExtension("a.tiff"));
          EXPECT_EQ(decodePicture(file).rgba, plain.rgba) << compression << " " << tile << " " << planes;
        }
  }
}

TEST(Tiff, DepthIsReadAsItsNumbers) {
  const Layout layout{.size = {1, 2}};
  const auto with = [&](int bits, int format) {
    Layout of = layout;
    of.bits = bits;
    of.format = format;
    return of;
  };
  const DepthImage metres = decodeDepth(tiffOf<float>(with(32, SAMPLEFORMAT_IEEEFP), {1.5f, 300.25f}));
  EXPECT_EQ(metres.values, (std::vector<float>{300.25f, 1.5f}));
  EXPECT_EQ(metres.largest, 0.0f);
  const DepthImage words = decodeDepth(tiffOf<std::uint16_t>(with(16, SAMPLEFORMAT_UINT), {1, 40000}));
  EXPECT_EQ(words.values, (std::vector<float>{40000, 1}));
  EXPECT_EQ(words.largest, 65535.0f);
  EXPECT_EQ(decodeDepth(tiffOf<double>(with(64, SAMPLEFORMAT_IEEEFP), {2.5, -1.0})).values,
            (std::vector<float>{-1.0f, 2.5f}));
  EXPECT_EQ(decodeDepth(tiffOf<std::int16_t>(with(16, SAMPLEFORMAT_INT), {-3, 7})).values, (std::vector<float>{7, -3}));
  EXPECT_EQ(decodeDepth(tiffOf<std::uint32_t>(with(32, SAMPLEFORMAT_UINT), {100000, 7})).values,
            (std::vector<float>{7, 100000}));
  Layout colours = with(32, SAMPLEFORMAT_IEEEFP);
  colours.channels = 3;
  colours.photometric = PHOTOMETRIC_RGB;
  EXPECT_THAT(reasonOf([&] {
                decodeDepth(tiffOf<float>(colours, {1, 2, 3, 4, 5, 6}));
              }),
              HasSubstr("it is a colour image"));
  for (const int format : {SAMPLEFORMAT_UINT, SAMPLEFORMAT_INT})
    EXPECT_THAT(reasonOf([&] {
                  decodeDepth(tiffOf<std::int64_t>(with(64, format), {1, 2}));
                }),
                HasSubstr("its integers have 64 bits: depth needs at most 32, or floats"));
}

TEST(Tiff, OrientationAlphaAndLaterImages) {
  Layout layout{.size = {2, 1}, .channels = 4};
  layout.photometric = PHOTOMETRIC_RGB;
  layout.extra = EXTRASAMPLE_UNASSALPHA;
  layout.orientation = 6;
  layout.images = 2;
  const Picture picture = decodePicture(tiffOf<std::uint8_t>(layout, {255, 0, 0, 255, 255, 255, 255, 0}));
  EXPECT_EQ(picture.size, glm::ivec2(1, 2));
  EXPECT_EQ(valueAt(picture, 4), 1.0f) << "the first pixel is on top";
  EXPECT_EQ(valueAt(picture, 0), 0.0f) << "transparent";
  EXPECT_THAT(picture.notes, ElementsAre("transparent pixels blended over black", "its later images are left out"));
  layout.images = 1;
  layout.extra = EXTRASAMPLE_UNSPECIFIED;
  EXPECT_THAT(decodePicture(tiffOf<std::uint8_t>(layout, {255, 0, 0, 255, 255, 255, 255, 0})).notes,
              ElementsAre("its further channels are left out"));
}

TEST(Tiff, WhiteMayBeZeroAndFloatsAreLight) {
  Layout layout{.size = {1, 1}};
  layout.photometric = PHOTOMETRIC_MINISWHITE;
  EXPECT_EQ(valueAt(decodePicture(tiffOf<std::uint8_t>(layout, {0})), 0), 1.0f);
  EXPECT_THAT(decodeDepth(tiffOf<std::uint8_t>(layout, {0})).values, ElementsAre(255.0f));
  layout = {.size = {1, 1}, .channels = 3, .bits = 32, .format = SAMPLEFORMAT_IEEEFP, .photometric = PHOTOMETRIC_RGB};
  const Picture light = decodePicture(tiffOf<float>(layout, {4.0f, 0.25f, 0.0f}));
  EXPECT_FALSE(light.photograph);
  layout.bits = 64;
  const Picture wide = decodePicture(tiffOf<double>(layout, {4.0, 0.25, 0.0}));
  layout.bits = 16;
  const Picture half = decodePicture(tiffOf<std::uint16_t>(layout, {0x4400, 0x3400, 0}));
  for (const Picture* each : {&light, &wide, &half}) {
    EXPECT_EQ(valueAt(*each, 0), 4.0f);
    EXPECT_EQ(valueAt(*each, 1), 0.25f);
    EXPECT_EQ(valueAt(*each, 2), 0.0f);
  }
}

// Packs a row of numbers of `bits` each, highest bit first; whole bytes in the machine's order. The bytes fill the
// result from the front.
std::vector<std::uint32_t> packed(const std::vector<std::uint32_t>& numbers, int bits) {
  std::vector<std::uint32_t> line(numbers.size());
  auto* const bytes = reinterpret_cast<std::uint8_t*>(line.data());
  const auto width = static_cast<std::size_t>(bits);
  for (std::size_t i = 0; i < numbers.size() * width; ++i) {
    const std::size_t bit = bits % 8 == 0 ? i % width : width - 1 - i % width;
    if ((numbers[i / width] >> bit & 1u) != 0)
      bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | (bits % 8 == 0 ? 1 << i % 8 : 0x80 >> i % 8));
  }
  return line;
}

TEST(Tiff, AnyNumberOfBitsIsRead) {
  for (const int bits : {1, 2, 3, 4, 6, 10, 12, 14, 24, 32}) {
    const std::uint32_t most = bits == 32 ? 0xffffffffu : (1u << bits) - 1, middle = most / 2 + 1;
    Layout layout{.size = {3, 1}, .bits = bits};
    std::vector<std::uint32_t> line = packed({most, 0, middle}, bits);
    const std::string file = tiffOf(layout, line);
    const Picture picture = decodePicture(file);
    EXPECT_EQ(valueAt(picture, 0), 1.0f) << bits;
    EXPECT_EQ(valueAt(picture, 4), 0.0f) << bits;
    EXPECT_EQ(picture.notes, Notes());
    const DepthImage depth = decodeDepth(file);
    EXPECT_EQ(depth.values, (std::vector<float>{static_cast<float>(most), 0.0f, static_cast<float>(middle)})) << bits;
    EXPECT_EQ(depth.largest, bits > 16 ? 0.0f : static_cast<float>(most));
    layout.photometric = PHOTOMETRIC_MINISWHITE;
    EXPECT_EQ(decodeDepth(tiffOf(layout, line)).values[1], static_cast<float>(most)) << bits;
    layout = {.size = {1, 1}, .channels = 3, .bits = bits, .photometric = PHOTOMETRIC_RGB};
    line = packed({0, most, 0}, bits);
    const Picture green = decodePicture(tiffOf(layout, line));
    EXPECT_EQ(valueAt(green, 0), 0.0f) << bits;
    EXPECT_EQ(valueAt(green, 1), 1.0f) << bits;
  }
  // 1.5, -0.25, the least number and infinity.
  Layout floats{.size = {4, 1}, .bits = 24, .format = SAMPLEFORMAT_IEEEFP};
  const std::vector<std::uint32_t> line = packed({0x3f8000, 0xbd0000, 1, 0x7f0000}, 24);
  const DepthImage depth = decodeDepth(tiffOf(floats, line));
  EXPECT_EQ(depth.values,
            (std::vector<float>{1.5f, -0.25f, std::ldexp(1.0f, -78), std::numeric_limits<float>::infinity()}));
  EXPECT_EQ(valueAt(decodePicture(tiffOf(floats, line)), 0), 1.5f);
  const Layout negative{.size = {1, 1}, .format = SAMPLEFORMAT_INT};
  EXPECT_THAT(reasonOf([&] { decodePicture(tiffOf<std::uint8_t>(negative, {1})); }), HasSubstr("have a sign"));
}

TEST(Tiff, PreviewsOfRawFilesAreNoImages) {
  Layout layout{.size = {1, 1}};
  layout.preview = true;
  const auto refused = HasSubstr("a small preview, as in raw files of cameras");
  EXPECT_THAT(reasonOf([&] { decodePicture(tiffOf<std::uint8_t>(layout, {1})); }), refused);
  std::string canon = tiffOf<std::uint8_t>({.size = {64, 1}}, std::vector<std::uint8_t>(64));
  canon.replace(8, 2, "CR");
  EXPECT_THAT(reasonOf([&] { decodePicture(canon); }), refused);
}

TEST(Tiff, InksAreConvertedByTheirProfile) {
  Layout layout{.size = {1, 1}, .channels = 4};
  layout.photometric = PHOTOMETRIC_SEPARATED;
  const std::vector<std::uint8_t> cyan = {255, 0, 0, 0};
  const Picture plain = decodePicture(tiffOf(layout, cyan));
  EXPECT_EQ(valueAt(plain, 0), 0.0f);
  EXPECT_EQ(valueAt(plain, 1), 1.0f);
  EXPECT_THAT(plain.notes, ElementsAre("its inks have no ICC profile: plain inks assumed"));
  Layout covered{.size = {2, 1}, .channels = 5};
  covered.photometric = PHOTOMETRIC_SEPARATED;
  covered.extra = EXTRASAMPLE_UNASSALPHA;
  const Picture two = decodePicture(tiffOf<std::uint8_t>(covered, {255, 0, 0, 0, 9, 0, 0, 255, 0, 8}));
  EXPECT_EQ(valueAt(two, 4), 1.0f) << "yellow";
  EXPECT_EQ(valueAt(two, 6), 0.0f);
  EXPECT_THAT(two.notes, testing::Contains("its further channels are left out"));
#if SATDOF_HAS_LCMS
  layout.profile = inksProfile();
  const Picture grey = decodePicture(tiffOf(layout, cyan));
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(valueAt(grey, c), 0.184f, 0.01f) << "L* = 50";
  layout.bits = 16;
  const Picture deep = decodePicture(tiffOf<std::uint16_t>(layout, {65535, 0, 0, 0}));
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(valueAt(deep, c), 0.184f, 0.01f);
#endif
}

TEST(Tiff, LabIsConvertedFromD50) {
  struct Case {
    int photometric, bits;
    std::vector<std::uint16_t> samples;
  };
  // White, a grey of L* = 50.2, and a green with a* = -50 and b* = 40.
  for (const Case& of : {Case{PHOTOMETRIC_CIELAB, 8, {255, 0, 0, 128, 0, 0, 128, 206, 40}},
                         {PHOTOMETRIC_ICCLAB, 8, {255, 128, 128, 128, 128, 128, 128, 78, 168}},
                         {PHOTOMETRIC_CIELAB, 16, {65535, 0, 0, 32896, 0, 0, 32896, 52736, 10240}},
                         {PHOTOMETRIC_ICCLAB, 16, {65280, 32768, 32768, 32768, 32768, 32768, 32768, 19968, 43008}}}) {
    const Layout layout{.size = {3, 1}, .channels = 3, .bits = of.bits, .photometric = of.photometric};
    const std::string file = of.bits == 8
                                 ? tiffOf(layout, std::vector<std::uint8_t>(of.samples.begin(), of.samples.end()))
                                 : tiffOf(layout, of.samples);
#if SATDOF_HAS_LCMS
    const Picture picture = decodePicture(file);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(valueAt(picture, c), 1.0f, 2e-3f) << of.photometric << " " << of.bits;
      EXPECT_NEAR(valueAt(picture, 4 + c), 0.1858f, 5e-4f) << of.photometric << " " << of.bits;
      EXPECT_NEAR(valueAt(picture, 8 + c), (std::array{0.0f, 0.2591f, 0.0237f}[c]), 1e-3f)
          << of.photometric << " " << of.bits;
    }
    EXPECT_THAT(picture.notes, ElementsAre("colours converted from the profile CIE Lab"));
#else
    EXPECT_THAT(reasonOf([&] { decodePicture(file); }), HasSubstr("built without Little CMS: convert it to RGB"));
#endif
  }
}

Layout palettes(glm::ivec2 size) {
  Layout layout{.size = size, .photometric = PHOTOMETRIC_PALETTE};
  layout.palette.resize(768);
  layout.palette[1] = layout.palette[512 + 2] = 65535;  // 1 is red, 2 is blue
  return layout;
}

TEST(Tiff, PalettesTurnAndHaveProfilesAndNotes) {
  Layout layout = palettes({2, 1});
  layout.orientation = 6;
  layout.images = 2;
  const std::string file = tiffOf<std::uint8_t>(layout, {1, 2});
  const Picture picture = decodePicture(file);
  ASSERT_EQ(picture.size, glm::ivec2(1, 2));
  EXPECT_EQ(codecByContent(file)->size(file, {}), picture.size);
  EXPECT_EQ(exifOrientation(exifOfFile(file)), 6) << "turns depths like the photograph";
  EXPECT_EQ(photographFacts(exifOfFile(file)).exif, "");
  EXPECT_EQ(valueAt(picture, 4), 1.0f) << "the first pixel is on top";
  EXPECT_EQ(valueAt(picture, 2), 1.0f) << "blue";
  EXPECT_THAT(picture.notes, ElementsAre("its later images are left out"));
  layout.images = 1;
  layout.profile = std::string(200, 'x');
  EXPECT_THAT(decodePicture(tiffOf<std::uint8_t>(layout, {1, 2})).notes, ElementsAre(HasSubstr("profile is")));
}

// Tiles of 16384 x 16384 around one pixel.
TEST(Tiff, TilesOfPalettesHaveTheBoundOfOthers) {
  for (const bool palette : {false, true}) {
    Layout layout = palette ? palettes({1, 1}) : Layout{.size = {1, 1}};
    layout.tile = 16;
    layout.compression = COMPRESSION_LZW;
    std::string file = tiffOf<std::uint8_t>(layout, {1});
    EXPECT_EQ(reasonOf([&] { decodePicture(file); }), "accepted");
    for (const char tag : {'\x42', '\x43'}) {  // TileWidth, TileLength
      const std::size_t at = std::min(file.find(std::string({tag, 1, 3, 0, 1, 0, 0, 0})),
                                      file.find(std::string({tag, 1, 4, 0, 1, 0, 0, 0})));
      ASSERT_NE(at, file.npos);
      file[at + 8] = 0;
      file[at + 9] = 0x40;
    }
    EXPECT_THAT(reasonOf([&] { decodePicture(file); }), HasSubstr("impossible size")) << palette;
  }
}

// The directory of libtiff stands behind the pixels.
TEST(Tiff, TheDirectoryMayStandBeyondTheHead) {
  const glm::ivec2 size(2048, 1024);
  const std::string file = tiffOf(Layout{.size = size}, std::vector<std::uint8_t>(std::size_t{1} << 21));
  const TemporaryFolder folder;
  const std::string path = folder.write("image.tif", file);
  EXPECT_EQ(readHead(path, 64), file);
  EXPECT_EQ(pictureSize(path), size);
  EXPECT_TRUE(codecByContent(file)->oneChannel(file));
}

// The size makes several strips, the last one smaller.
Pixels randomPixels(int bits) {
  Pixels pixels;
  pixels.size = {1001, 701};
  std::mt19937 random(9);
  const std::size_t samples = 3 * std::size_t{1001} * 701;
  for (std::size_t i = 0; i < samples; ++i) {
    if (bits == 8) pixels.rgb8.push_back(static_cast<std::uint8_t>(random()));
    if (bits == 16) pixels.rgb16.push_back(static_cast<std::uint16_t>(random()));
    if (bits == 32) pixels.light.push_back(static_cast<float>(random() % 2048) / 128.0f);
  }
  return pixels;
}

std::string written(const char* name, int bits, const Metadata& metadata = {}) {
  Pixels pixels = randomPixels(bits);
  return writerOf(name).write(pixels, metadata, {.bits = bits});
}

TEST(Tiff, WrittenFilesReadBack) {
  for (const int bits : {8, 16}) {
    const Picture picture = decodePicture(written("a.tif", bits)), same = decodePicture(written("a.png", bits));
    EXPECT_EQ(picture.size, same.size);
    EXPECT_EQ(picture.rgba, same.rgba) << bits;
    EXPECT_TRUE(picture.notes.empty()) << "its profile is sRGB: " << picture.notes.front();
  }
  const Pixels pixels = randomPixels(32);
  const Picture light = decodePicture(written("a.tif", 32));
  EXPECT_FALSE(light.photograph);
  for (std::size_t i = 0; i < pixels.light.size(); ++i) ASSERT_EQ(valueAt(light, i / 3 * 4 + i % 3), pixels.light[i]);
}

TEST(Tiff, ItsHeadHoldsTheSettingsAndTexts) {
  const std::string file = written("a.tiff", 16, {{{"Software", "satdof"}, {kSettingsKeyword, "{\n}"}}, {}});
  EXPECT_EQ(imageText(std::string_view(file).substr(0, 4096), kSettingsKeyword), "{\n}");
  EXPECT_EQ(imageText(file, "Software"), "satdof");
  EXPECT_EQ(imageText(file, "Soft"), std::nullopt);
  EXPECT_EQ(imageText(written("a.tif", 8), kSettingsKeyword), std::nullopt);
}

// Of TIFF 6.0, section 22: a whole JPEG stream in one strip. libtiff reads it and cannot write it.
TEST(Tiff, OldJpegNotesThatColoursMayDiffer) {
  Pixels pixels;
  pixels.size = {64, 32};
  pixels.rgb8.assign(std::size_t{3} * 64 * 32, 100);
  const std::string jpeg = writerOf("a.jpg").write(pixels, {}, {.bits = 8});
  const auto stream = static_cast<std::uint32_t>(8 + 2 + 12 * 11 + 4 + 6),
             bytes = static_cast<std::uint32_t>(jpeg.size());
  std::string file("II*\0\x08\0\0\0\x0b\0", 10);
  const auto put = [&](std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) file.push_back(static_cast<char>(value >> (8 * i)));
  };
  const auto entry = [&](std::uint16_t name, std::uint16_t type, std::uint32_t count, std::uint32_t value) {
    put(name, 2), put(type, 2), put(count, 4), put(value, 4);
  };
  entry(TIFFTAG_IMAGEWIDTH, TIFF_LONG, 1, 64);
  entry(TIFFTAG_IMAGELENGTH, TIFF_LONG, 1, 32);
  entry(TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, 3, stream - 6);
  entry(TIFFTAG_COMPRESSION, TIFF_SHORT, 1, COMPRESSION_OJPEG);
  entry(TIFFTAG_PHOTOMETRIC, TIFF_SHORT, 1, PHOTOMETRIC_YCBCR);
  entry(TIFFTAG_STRIPOFFSETS, TIFF_LONG, 1, stream);
  entry(TIFFTAG_SAMPLESPERPIXEL, TIFF_SHORT, 1, 3);
  entry(TIFFTAG_ROWSPERSTRIP, TIFF_LONG, 1, 32);
  entry(TIFFTAG_STRIPBYTECOUNTS, TIFF_LONG, 1, bytes);
  entry(TIFFTAG_JPEGIFOFFSET, TIFF_LONG, 1, stream);
  entry(TIFFTAG_JPEGIFBYTECOUNT, TIFF_LONG, 1, bytes);
  put(0, 4);
  for (int i = 0; i < 3; ++i) put(8, 2);
  const Picture picture = decodePicture(file + jpeg);
  EXPECT_EQ(picture.size, pixels.size);
  EXPECT_THAT(picture.notes, ElementsAre(HasSubstr("colours may differ")));
  for (int channel = 0; channel < 3; ++channel)
    EXPECT_NEAR(valueAt(picture, static_cast<std::size_t>(channel)),
                std::pow((100.0f / 255.0f + 0.055f) / 1.055f, 2.4f), 0.01f);
}

TEST(Tiff, DamageAndLimitsAreRefused) {
  Layout layout{.size = {40, 30}, .channels = 3, .compression = COMPRESSION_LZW};
  layout.photometric = PHOTOMETRIC_RGB;
  const std::vector<std::uint8_t> samples(40 * 30 * 3, 7);
  const std::string file = tiffOf(layout, samples);
  EXPECT_THAT(reasonOf([&] { decodePicture(file, {.side = 39}); }), HasSubstr("at most 39 on a side"));
  for (std::size_t size = 4; size + 40 < file.size(); size += 7)
    EXPECT_NE(reasonOf([&] { decodePicture(file.substr(0, size)); }), "accepted") << size;
  std::mt19937 random(7);
  constexpr FileLimits kLimits{.side = 4096, .pixels = 1 << 20};
  for (int i = 0; i < 2000; ++i) {
    const std::string damaged = withDamage(file, random, 3);
    reasonOf([&] {
      const Picture picture = decodePicture(damaged, kLimits);
      EXPECT_EQ(picture.rgba.size(), std::size_t{4} * static_cast<std::size_t>(picture.size.x * picture.size.y));
    });
    reasonOf([&] { decodeDepth(damaged, kLimits); });
  }
}

#else

TEST(Tiff, IsRefusedInWordsWithoutTheLibrary) {
  EXPECT_THAT(reasonOf([&] { decodePicture(std::string("II*\0\x08\0\0\0", 8)); }),
              HasSubstr("TIFF is not read: this program was built without libtiff"));
  EXPECT_TRUE(codecByExtension("a.tif")->library().empty());
}

#endif

}  // namespace
}  // namespace satdof::test
