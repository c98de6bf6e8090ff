#include "app/io/formats/jpeg_cmyk.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <glm/gtc/packing.hpp>

#include "app/io/picture.h"
#include "tests/io/photographs.h"
#include "tests/io/profile_files.h"

#if SATDOF_HAS_JPEG
#include <jpeglib.h>
#endif

namespace satdof::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(JpegChannels, AreOfTheFrame) {
  const std::vector<std::uint8_t> samples(192, 9);
  EXPECT_EQ(jpegChannels(jpegOf(samples, {8, 8}, 3)), 3);
  EXPECT_EQ(jpegChannels(withSegments(jpegOf(samples, {8, 8}, 3), segment(0xe1, "Exif"))), 3);
  EXPECT_EQ(jpegChannels("\xff\xd8\xff\xe0"), 0);
  EXPECT_EQ(jpegChannels(""), 0);
}

#if SATDOF_HAS_JPEG

// A square of four inks, as Adobe's programs write them, or plain.
std::string inksJpeg(const std::array<std::uint8_t, 4>& inks, bool adobe, int side = 8) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &bytes, &size);
  info.image_width = info.image_height = static_cast<JDIMENSION>(side);
  info.input_components = 4;
  info.in_color_space = JCS_CMYK;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 100, TRUE);
  info.write_Adobe_marker = adobe ? TRUE : FALSE;
  jpeg_start_compress(&info, TRUE);
  std::vector<std::uint8_t> row;
  for (int x = 0; x < side; ++x)
    for (const std::uint8_t ink : inks) row.push_back(adobe ? static_cast<std::uint8_t>(255 - ink) : ink);
  JSAMPROW at = row.data();
  for (int y = 0; y < side; ++y) jpeg_write_scanlines(&info, &at, 1);
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::string file(reinterpret_cast<const char*>(bytes), size);
  std::free(bytes);  // NOLINT: of libjpeg
  return file;
}

std::array<float, 3> colourOf(const Picture& picture) {
  return {glm::unpackHalf1x16(picture.rgba[0]), glm::unpackHalf1x16(picture.rgba[1]),
          glm::unpackHalf1x16(picture.rgba[2])};
}

TEST(Inks, WithoutAProfileArePlain) {
  for (const bool adobe : {false, true}) {
    const std::string file = inksJpeg({255, 0, 0, 0}, adobe);
    EXPECT_EQ(jpegChannels(file), 4);
    const Picture picture = decodePicture(file);
    EXPECT_EQ(picture.size, glm::ivec2(8, 8));
    EXPECT_NEAR(colourOf(picture)[0], 0.0f, 1e-3f);
    EXPECT_NEAR(colourOf(picture)[1], 1.0f, 1e-2f);
    EXPECT_THAT(picture.notes, ElementsAre("its inks have no ICC profile: plain inks assumed"));
    EXPECT_NEAR(colourOf(decodePicture(inksJpeg({0, 0, 0, 255}, adobe)))[2], 0.0f, 1e-3f);
  }
}

TEST(Inks, DamageAndLimitsAreRefused) {
  const std::string file = inksJpeg({255, 0, 0, 0}, true);
  EXPECT_THAT(reasonOf([&] { decodePicture(file, {.side = 7}); }), HasSubstr("at most 7 on a side"));
  EXPECT_THAT(reasonOf([&] { decodeJpegCmyk(file.substr(0, 30), {}); }), HasSubstr("libjpeg"));
  for (std::size_t at = 2; at < file.size(); ++at) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    reasonOf([&] { EXPECT_FALSE(decodePicture(damaged, {.side = 4096, .pixels = 1 << 20}).rgba.empty()); });
  }
}

#if SATDOF_HAS_LCMS

TEST(Inks, AreConvertedByTheirProfile) {
  const std::string profile = inksProfile();
  ASSERT_GT(profile.size(), 100u);
  ASSERT_LT(profile.size(), 60'000u);
  const auto read = [&](const std::array<std::uint8_t, 4>& inks, const std::string& of) {
    return decodePicture(withSegments(inksJpeg(inks, true), segment(0xe2, std::string("ICC_PROFILE\0\1\1"sv) + of)));
  };
  const Picture cyan = read({255, 0, 0, 0}, profile);
  for (const float value : colourOf(cyan)) EXPECT_NEAR(value, 0.184f, 0.01f) << "L* = 50";
  EXPECT_THAT(cyan.notes, ElementsAre("colours converted from the profile grey cyan"));
  for (const float value : colourOf(read({0, 255, 255, 0}, profile))) EXPECT_NEAR(value, 1.0f, 0.02f);
  EXPECT_THAT(read({9, 9, 9, 9}, std::string(200, 'x')).notes,
              ElementsAre("its ICC profile is damaged: plain inks assumed"));
}

#endif
#endif

}  // namespace
}  // namespace satdof::test
