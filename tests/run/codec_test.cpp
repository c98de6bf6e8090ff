#include "app/io/codec.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "app/core/files/files.h"
#include "app/core/usage_error.h"
#include "app/device/device.h"
#include "app/io/codecs/samples.h"
#include "app/io/settings_file.h"
#include "app/run/batch.h"
#include "app/run/capture.h"
#include "app/run/command_line/listing.h"
#include "app/run/dropped.h"
#include "app/scene/scene_files.h"
#include "tests/support/files_fixture.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/parsed.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A toy format: "TOY", width and height of a digit each, the length of a text, the text, then bytes of RGB.
constexpr std::size_t kHeader = 9;

bool isToy(std::string_view bytes) { return bytes.size() >= kHeader && bytes.starts_with("TOY"); }

std::size_t textLength(std::string_view bytes) {
  std::size_t length = 0;
  std::from_chars(bytes.data() + 5, bytes.data() + kHeader, length);
  return length;
}

glm::ivec2 toySize(std::string_view bytes, const FileLimits&) { return {bytes[3] - '0', bytes[4] - '0'}; }

Picture readToy(std::string_view bytes, const FileLimits& limits) {
  Picture picture;
  picture.size = toySize(bytes, limits);
  requireSize(picture.size, limits, bytes.size(), 1.0);
  convert(picture, reinterpret_cast<const std::uint8_t*>(bytes.data() + kHeader + textLength(bytes)), 3);
  return picture;
}

std::optional<std::string> toyText(std::string_view bytes, std::string_view keyword) {
  if (keyword != kSettingsKeyword || textLength(bytes) == 0) return std::nullopt;
  return std::string(bytes.substr(kHeader, textLength(bytes)));
}

std::string writeToy(Pixels& pixels, const Metadata& metadata, const WriteOptions&) {
  const auto text = std::ranges::find(metadata.texts, kSettingsKeyword, &ImageText::keyword);
  const std::string settings = text == metadata.texts.end() ? "" : text->text;
  const std::string length = std::to_string(settings.size());
  return "TOY" + std::to_string(pixels.size.x) + std::to_string(pixels.size.y) + std::string(4 - length.size(), '0') +
         length + settings + std::string(pixels.rgb8.begin(), pixels.rgb8.end());
}

// The row of the toy format in codecs().
Codec toy() {
  return {.name = "Toy",
          .extensions = {".toy"},
          .begins = isToy,
          .about = {"all of a toy"},
          .picture = readToy,
          .size = toySize,
          .text = toyText,
          .choices = {{"Toy, 8 bit", "For tests"}},
          .write = writeToy};
}

std::string redPixel() {
  Pixels pixels;
  pixels.size = {1, 1};
  pixels.rgb8 = {255, 0, 0};
  return writeToy(pixels, {}, {});
}

class ToyCodec : public FilesTest {
 protected:
  const AddedCodec added_{toy()};
};

TEST_F(ToyCodec, Opens) {
  const fs::path path = file("a.TOY", redPixel());
  EXPECT_TRUE(opens(path)) << "in the file browser";
  EXPECT_EQ(readPicture(path).rgba, (std::vector<std::uint16_t>{0x3c00, 0, 0, 0x3c00}));
  EXPECT_EQ(pictureSize(path), glm::ivec2(1, 1));
  EXPECT_THROW(saveSettings(path, "{}"), std::runtime_error) << "the name of an image";
}

TEST_F(ToyCodec, Drops) {
  const fs::path path = file("a.toy", redPixel());
  const Dropped found = dropped({}, {path});
  EXPECT_EQ(found.settings.scene.kind, SceneKind::image);
  EXPECT_EQ(found.settings.scene.image.file.text, path.string());
}

TEST_F(ToyCodec, Batches) {
  file("in/a.toy", redPixel());
  file("in/b.toy", redPixel());
  const auto lines = batchOf(test::parsed({"--headless", "--image", folder_ / "in", "--capture", folder_ / "out.toy"}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].settings().scene.image.file.text, (folder_ / "in/b.toy").string());
  EXPECT_EQ(lines[1].capture, folder_ / "out-b.toy");
}

TEST_F(ToyCodec, IsNamedWhereFormatsAre) {
  EXPECT_THAT(captureChoices(), testing::Contains(testing::Field(&CodecChoice::codec, &codecs().back())));
  using test::reasonOf;
  EXPECT_THAT(reasonOf<UsageError>([] { writerOf("a.txt"); }), HasSubstr(".png, .jpg, .exr, .hdr, .pfm, .tif or .toy"));
  EXPECT_THAT(reasonOf<UsageError>([] { requireLayerFormat("a.toy", Layer::depth); }),
              HasSubstr(".toy holds no layer"));
  EXPECT_THAT(reasonOf<UsageError>([&] { readSettingsText(file("plain.toy", redPixel())); }),
              HasSubstr("or Toy captured"));
}

class ToyCapture : public GlTest {
 protected:
  const AddedCodec added_{toy()};
};

TEST_F(ToyCapture, IsListed) { EXPECT_THAT(listing(), HasSubstr("Toy: read; written with settings")); }

TEST_F(ToyCapture, CapturesAndReadsItsSettingsAgain) {
  const test::TemporaryFolder folder;
  Settings settings;
  settings.size = {9, 5};
  settings.lens.fNumber = 8.0f;
  settings.technique.device = DeviceId::glFragment;
  Renderer renderer;
  Timings timings;
  renderer.render(settings, {}, timings);
  const fs::path path = capture(renderer, settings, 0.0f, folder.path() / "a.toy");
  EXPECT_EQ(readPicture(path).size, settings.size);
  EXPECT_EQ(dropped({}, {path}).settings.lens.fNumber, 8.0f);
}

// No two rows share an extension or a choice: the first row would hide the second.
TEST(Codecs, RowsAreComplete) {
  std::set<std::string> extensions, choices;
  for (const Codec& codec : codecs()) {
    EXPECT_TRUE(codec.picture != nullptr && codec.size != nullptr) << codec.name;
    EXPECT_EQ(codec.isWritten(), !codec.choices.empty()) << codec.name;
    EXPECT_EQ(codec.depth != nullptr, codec.noDepth == nullptr) << codec.name;
    for (const std::string& extension : codec.extensions)
      EXPECT_TRUE(extension.starts_with('.') && extensions.insert(extension).second) << extension;
    for (const CaptureChoice& choice : codec.choices) EXPECT_TRUE(choices.insert(choice.name).second) << choice.name;
  }
  EXPECT_EQ(std::ranges::count(codecs(), nullptr, &Codec::begins), 1) << "the reader of all other files";
}

}  // namespace
}  // namespace satdof
