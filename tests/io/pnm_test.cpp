#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <glm/gtc/packing.hpp>

#include "app/io/depth_image.h"
#include "app/io/picture.h"
#include "tests/io/photographs.h"
#include "tests/support/temporary_folder.h"

namespace satdof::test {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

TEST(Pnm, SamplesOfTwoBytesAreRead) {
  // Bytes of the first row: 1000, 65535; of the second: 7, 256.
  const std::string grey = "P5\n# a comment 9 9\n2 2 65535\n\x03\xe8\xff\xff\0\x07\x01\0"s;
  const DepthImage depth = decodeDepth(grey);
  EXPECT_EQ(depth.values, (std::vector<float>{7, 256, 1000, 65535}));
  EXPECT_EQ(depth.largest, 65535.0f);
  const Picture picture = decodePicture("P6 1 1 1023\n\x03\xff\0\0\x02\0"s);
  const auto value = [&](std::size_t i) { return glm::unpackHalf1x16(picture.rgba[i]); };
  EXPECT_EQ(value(0), 1.0f);
  EXPECT_EQ(value(1), 0.0f);
  EXPECT_NEAR(value(2), std::pow((512.0f / 1023.0f + 0.055f) / 1.055f, 2.4f), 1e-3f);
}

TEST(Pnm, TextAndBinaryAreEqual) {
  const std::vector<std::string> files{"P2 3 1 255 0 128 255", "P5 3 1 255\n\0\x80\xff"s,
                                       "P2\r\n3 1\r\n255\r\n0\r\n128\r\n255\r\n", "P5\r\n3 1\r\n255\r\n\0\x80\xff"s,
                                       "P3 3 1 255 0 0 0 128 128 128 255 255 255"};
  const TemporaryFolder folder;
  for (const std::string& file : files) {
    const DepthImage depth = decodeDepth(file);
    EXPECT_EQ(depth.values, (std::vector<float>{0, 128, 255})) << file;
    EXPECT_EQ(decodePicture(file).rgba, decodePicture(files[0]).rgba) << file;
    EXPECT_EQ(pictureSize(folder.write("image.pgm", file)), glm::ivec2(3, 1));
  }
}

TEST(Pnm, LargestNumbersAreWhite) {
  EXPECT_EQ(decodePicture("P5 1 1 15\n\x0f"s).rgba, decodePicture("P5 1 1 255\n\xff"s).rgba);
  EXPECT_EQ(decodeDepth("P5 1 1 15\n\x7f"s).values[0], 15.0f) << "beyond the largest number";
}

TEST(Pnm, BitmapsAreReadAsTextAndBinary) {
  // Ten pixels a row: 1 is black.
  const std::string text = "P1\n# a comment\n10 2\n1010101010\n0 0 0 0 0 0 0 0 1 1";
  const std::string binary = "P4 10 2\n\xaa\x80\x00\xff"s;
  const std::vector<float> rows = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  EXPECT_EQ(decodeDepth(text).values, rows);
  EXPECT_EQ(decodeDepth(binary).values, rows);
  EXPECT_EQ(decodePicture(text).rgba, decodePicture(binary).rgba);
  EXPECT_EQ(decodePicture(text).rgba[0], 0x3c00) << "0 is white";
  const auto reason = [](const std::string& bytes) { return reasonOf([&] { decodePicture(bytes); }); };
  EXPECT_THAT(reason("P4 10 2\n\xaa\x80\x00"s), HasSubstr("truncated"));
  EXPECT_THAT(reason("P4 16384 16384\nxx"), HasSubstr("truncated"));
  EXPECT_THAT(reason("P1 10 2\n1010101010 000000000"), HasSubstr("truncated"));
  EXPECT_THAT(reason("P1 2 1\n12"), HasSubstr("no number"));
}

TEST(Pnm, ArbitraryMapsOfOneToFourChannelsAreRead) {
  const auto pam = [](int channels, int largest, const std::string& pixels) {
    return "P7\nWIDTH 1\nHEIGHT 2\n# a comment\nDEPTH " + std::to_string(channels) + "\nMAXVAL " +
           std::to_string(largest) + "\nTUPLTYPE SOMETHING\nENDHDR\n" + pixels;
  };
  EXPECT_EQ(decodeDepth(pam(1, 65535, "\1\2\3\4")).values, (std::vector<float>{0x304, 0x102}));
  EXPECT_EQ(decodePicture(pam(1, 1, "\1\0"s)).rgba[4], 0x3c00) << "1 is white";
  EXPECT_EQ(decodePicture(pam(3, 255, "abcdef")).rgba, decodePicture("P6 1 2 255\nabcdef").rgba);
  const Picture half = decodePicture(pam(4, 255, "\xff\xff\xff\x80\xff\0\0\xff"s));
  EXPECT_NEAR(glm::unpackHalf1x16(half.rgba[4]), 128.0f / 255.0f, 1e-3f);
  EXPECT_EQ(half.rgba[0], 0x3c00);
  EXPECT_EQ(half.rgba[1], 0);
  EXPECT_THAT(half.notes, testing::ElementsAre("transparent pixels blended over black"));
  const auto reason = [](const std::string& bytes) { return reasonOf([&] { decodePicture(bytes); }); };
  EXPECT_THAT(reason(pam(5, 255, "0123456789")), HasSubstr("it has 5 channels; 1 to 4 are read"));
  EXPECT_THAT(reason("P7\nWIDTH 1\nHEIGHT 1\nENDHDR\nx"), HasSubstr("it has 0 channels"));
  EXPECT_THAT(reason(pam(3, 255, "abcde")), HasSubstr("truncated"));
  const std::string endless = "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\n";
  EXPECT_THAT(reason(endless), HasSubstr("no ENDHDR"));
  EXPECT_THAT(reason(endless + std::string(300, 'x') + "\nx x x"), HasSubstr("no ENDHDR"));
}

TEST(Pnm, DamageIsRefused) {
  const auto reason = [](const std::string& bytes) { return reasonOf([&] { decodePicture(bytes); }); };
  EXPECT_THAT(reason("P5 2 2 255\nxxx"), HasSubstr("truncated"));
  EXPECT_THAT(reason("P5 2 2 256\nxxxxxxx"), HasSubstr("truncated"));
  EXPECT_THAT(reason("P5 16384 16384 255\nx"), HasSubstr("truncated"));
  EXPECT_THAT(reason("P2 16384 16384 255\n1 1"), HasSubstr("truncated"));
  EXPECT_THAT(reason("P2 2 2 255\n1 1 1 x"), HasSubstr("no number"));
  EXPECT_THAT(reason("P2 2 2 255\n1 1 1 -1"), HasSubstr("no number"));
  EXPECT_THAT(reason("P2 2 2 255\n1  1 1    "), HasSubstr("truncated"));
  for (const char* header : {"P5 ", "P5 2", "P5 2 2", "P5 0 2 255\n", "P5 2 -2 255\n", "P5 2 2 0\nxxxx",
                             "P5 2 2 65536\nxxxxxxxx", "P5 99999999999 2 255\nx", "P5 x 2 255\n"})
    EXPECT_NE(reason(header), "accepted") << header;
  EXPECT_NE(reason("P5 " + std::string(10000, ' ') + "1 1 255\nx"), "accepted") << "a header without an end";
}

TEST(Pfm, LinesMayEndWithCarriageReturns) {
  const float value = 3.25f;
  const std::string pixels(reinterpret_cast<const char*>(&value), sizeof value);
  for (const char* header : {"Pf\r\n1 1\r\n-1.0\r\n", "Pf\n1 1\n-1.0\n", "Pf\n# by hand\n1 1\n-1.0\n", "Pf 1 1 -1 "})
    EXPECT_EQ(decodeDepth(header + pixels).values, std::vector<float>{value}) << header;
  // The first byte of the pixels is a line feed.
  const float odd = std::bit_cast<float>(0x4040000au);
  EXPECT_EQ(decodeDepth("Pf 1 1 -1\r" + std::string(reinterpret_cast<const char*>(&odd), sizeof odd)).values,
            std::vector<float>{odd});
}

TEST(DepthImage, GreyThatIsOffByLittleIsRead) {
  // Top row first: one step off, eight steps off, a colour.
  const auto ppm = [](int step) {
    return "P6 1 1 255\n" + std::string{'\x50', static_cast<char>(0x50 + step), '\x50'};
  };
  EXPECT_NEAR(decodeDepth(ppm(1)).values[0], 80.0f, 0.5f);
  EXPECT_THAT(decodeDepth(ppm(1)).notes, testing::ElementsAre(HasSubstr("differ by up to 1 of 255")));
  EXPECT_EQ(decodeDepth(ppm(0)).notes, Notes());
  EXPECT_EQ(decodeDepth(ppm(0)).values[0], 80.0f);
  EXPECT_NEAR(decodeDepth(ppm(8)).values[0], 82.7f, 0.1f);
  EXPECT_THAT(reasonOf([&] { decodeDepth(ppm(20)); }), HasSubstr("it is a colour image"));
}

}  // namespace
}  // namespace satdof::test
