#include "app/io/metadata/exif.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "app/io/codec.h"
#include "app/io/formats/jpeg.h"
#include "app/io/formats/png.h"
#include "tests/io/photographs.h"
#include "tests/support/with_damage.h"

namespace satdof {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;
using testing::HasSubstr;
using testing::Not;

struct Entry {
  std::uint32_t tag, type, count;
  std::string bytes;  // big-endian
};

// A TIFF structure with a main, an EXIF and a GPS directory.
class ExifMaker {
 public:
  explicit ExifMaker(bool little) : little_(little) {}
  std::string make() const {
    const std::vector<Entry> exif = {{0x829d, 5, 1, big(28, 4) + big(10, 4)},
                                     {0x8827, 3, 1, big(400, 2)},
                                     {0x9003, 2, 20, "2024:05:06 07:08:09\0"s},
                                     {0xa431, 2, 7, "SERIAL\0"s},
                                     {0xa434, 2, 10, "Fifty f1.4"s}};
    const std::vector<Entry> gps = {{0x0002, 2, 12, "somewhere 1\0"s}};
    std::vector<Entry> main = {{0x010f, 2, 4, "Cam\0"s},        {0x0110, 2, 8, "Cam One\0"s}, {0x0112, 3, 1, big(6, 2)},
                               {0x8298, 2, 6, "(c) A\0"s},      {0x8769, 4, 1, big(0, 4)},    {0x8825, 4, 1, big(0, 4)},
                               {0x927c, 2, 11, "maker note\0"s}};
    const std::string head = std::string(little_ ? "II" : "MM") + number(42, 2) + number(8, 4);
    const std::size_t exifAt = head.size() + directory(main, 0).size();
    const std::size_t gpsAt = exifAt + directory(exif, exifAt).size();
    main[4].bytes = big(static_cast<std::uint32_t>(exifAt), 4);
    main[5].bytes = big(static_cast<std::uint32_t>(gpsAt), 4);
    return head + directory(main, 8) + directory(exif, exifAt) + directory(gps, gpsAt);
  }

 private:
  static std::string big(std::uint32_t value, int bytes) { return test::bigEndian(value, bytes); }
  static std::size_t sizeOf(std::uint32_t type) { return type == 3 ? 2 : type == 2 ? 1 : 4; }
  std::string turned(const std::string& bytes, std::size_t each) const {
    std::string result = bytes;
    for (std::size_t at = 0; little_ && at + each <= bytes.size(); at += each)
      std::reverse(result.begin() + static_cast<std::ptrdiff_t>(at),
                   result.begin() + static_cast<std::ptrdiff_t>(at + each));
    return result;
  }
  std::string number(std::uint32_t value, int bytes) const {
    return turned(big(value, bytes), static_cast<std::size_t>(bytes));
  }
  std::string directory(const std::vector<Entry>& entries, std::size_t at) const {
    std::string result = number(static_cast<std::uint32_t>(entries.size()), 2), after;
    const std::size_t afterAt = at + 2 + 12 * entries.size() + 4;
    for (const Entry& entry : entries) {
      std::string bytes = turned(entry.bytes, sizeOf(entry.type));
      result += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4);
      if (bytes.size() > 4) {
        result += number(static_cast<std::uint32_t>(afterAt + after.size()), 4);
        after += bytes;
      } else {
        bytes.resize(4);
        result += bytes;
      }
    }
    return result + number(0, 4) + after;
  }
  bool little_;
};

std::vector<std::string> linesOf(const PhotographFacts& facts) {
  std::vector<std::string> lines;
  for (const ImageText& text : facts.texts) lines.push_back(text.keyword + ": " + text.text);
  return lines;
}

TEST(Exif, CapturesKeepCameraLensAndDateButNoPlace) {
  for (const bool little : {true, false}) {
    const PhotographFacts facts = photographFacts(ExifMaker(little).make());
    EXPECT_THAT(linesOf(facts), testing::ElementsAre("Camera: Cam One", "Lens: Fifty f1.4",
                                                     "Date Taken: 2024:05:06 07:08:09", "Copyright: (c) A"));
    EXPECT_EQ(exifOrientation(facts.exif), 1);
    for (const char* dropped : {"somewhere", "SERIAL", "maker note"}) EXPECT_THAT(facts.exif, Not(HasSubstr(dropped)));
    const PhotographFacts again = photographFacts(facts.exif);
    EXPECT_EQ(again.exif, facts.exif) << "what is kept is sound";
    EXPECT_EQ(linesOf(again), linesOf(facts));
    EXPECT_NE(facts.exif.find("\x1c\0\0\0\x0a\0\0\0"sv), facts.exif.npos) << "f/2.8";
  }
}

TEST(Exif, AllKeepsThePlaceAndNoneNothing) {
  for (const bool little : {true, false}) {
    const std::string whole = ExifMaker(little).make();
    const PhotographFacts all = photographFacts(whole, KeepMetadata::all);
    EXPECT_EQ(exifOrientation(all.exif), 1);
    for (const char* kept : {"somewhere", "SERIAL", "Fifty", "(c) A"}) EXPECT_THAT(all.exif, HasSubstr(kept));
    EXPECT_THAT(all.exif, Not(HasSubstr("maker note")));
    EXPECT_EQ(photographFacts(all.exif, KeepMetadata::all).exif, all.exif) << "what is kept is sound";
    EXPECT_EQ(photographFacts(all.exif).exif, photographFacts(whole).exif);
    EXPECT_EQ(photographFacts(whole, KeepMetadata::none).exif, "");
    EXPECT_TRUE(photographFacts(whole, KeepMetadata::none).texts.empty());
  }
}

// EXIF data survive in every format that holds them.
TEST(Exif, CapturesOfCapturesKeepIt) {
  const std::string exif = photographFacts(ExifMaker(true).make(), KeepMetadata::all).exif;
  for (const char* const name : {"a.png", "a.jpg", "a.tif"}) {
    Pixels pixels;
    pixels.size = {2, 1};
    pixels.rgb8 = {1, 2, 3, 4, 5, 6};
    const std::string bytes = writerOf(name).write(pixels, {{}, exif}, {});
    const Codec& codec = readerOf(bytes);
    ASSERT_NE(codec.exif, nullptr) << name;
    EXPECT_EQ(photographFacts(codec.exif(bytes), KeepMetadata::all).exif, exif) << name;
  }
}

TEST(Exif, APngHoldsIt) {
  const PhotographFacts facts = photographFacts(ExifMaker(false).make());
  const std::vector<std::uint8_t> pixel(3);
  EXPECT_EQ(decodePng(encodePng(pixel.data(), {1, 1}, 8, facts.texts, 3, facts.exif)).exif, facts.exif);
  EXPECT_EQ(decodePng(encodePng(pixel.data(), {1, 1}, 8, {})).exif, "");
}

TEST(Exif, DamagedEntriesAreLeftOut) {
  const std::string whole = ExifMaker(true).make();
  for (std::size_t length = 0; length <= whole.size(); ++length) photographFacts(whole.substr(0, length));
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const std::string bad = test::withDamage(whole, random);
    photographFacts(bad, KeepMetadata::all);
    const PhotographFacts facts = photographFacts(bad);
    for (const ImageText& text : facts.texts)
      for (const char c : text.text) ASSERT_GE(static_cast<unsigned char>(c), 0x20);
  }
  EXPECT_EQ(photographFacts("").exif, "");
  EXPECT_EQ(photographFacts("II*\0\xff\xff\xff\xff"sv).exif, "");
}

}  // namespace
}  // namespace satdof
