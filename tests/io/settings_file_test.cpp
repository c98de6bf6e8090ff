#include "app/io/settings_file.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "app/core/files/data_dir.h"
#include "app/core/settings_json.h"
#include "app/io/image_file.h"
#include "app/io/metadata/image_text.h"
#include "tests/support/environment.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SettingsFileTest : public testing::Test {
 protected:
  SettingsFileTest() { wanted.lens.fNumber = 8.0f; }
  fs::path file(const char* name, const std::string& bytes) const { return temporary.write(name, bytes); }
  static std::string bytesOf(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::string refusal(const fs::path& path) const {
    return test::reasonOf([&] { saveSettings(path, settingsToJson(wanted)); });
  }

  const test::TemporaryFolder temporary;
  const fs::path folder = fs::canonical(temporary.path());
  Settings wanted;
};

TEST_F(SettingsFileTest, SavingReplacesSettings) {
  const fs::path path = file("mine.json", settingsToJson({}));
  EXPECT_EQ(saveSettings(path, settingsToJson(wanted)), path);
  Settings read;
  applySettingsJson(read, readSettingsText(path), path.string());
  EXPECT_EQ(read, wanted);
}

TEST_F(SettingsFileTest, ReadingTellsWhatACaptureShowsBesides) {
  const ImageText settings{kSettingsKeyword, settingsToJson(wanted)};
  const auto notesOn = [&](const std::vector<ImageText>& texts) {
    Notes notes;
    readSettingsText(file("a.hdr", encodeHdr({1, 1, 1}, {1, 1}, texts)), &notes);
    return notes;
  };
  EXPECT_EQ(notesOn({settings}), Notes());
  EXPECT_THAT(notesOn({settings, {kShutterKeyword, "180 degrees, 4 images"}, {kFilmKeyword, "of its depth"}}),
              testing::ElementsAre(
                  HasSubstr("a.hdr: its motion blur is not drawn again: 180 degrees, 4 images"),
                  HasSubstr("a.hdr: it is a frame of a film, and is drawn again as a single image: of its depth")));
}

TEST_F(SettingsFileTest, ACaptureWithTheNameOfItsPhotographIsNotThePhotograph) {
  fs::create_directories(folder / "in");
  fs::path capture = file("photo.png", "x");
  const fs::path photo = file("in/photo.png", "y");
  wanted.scene.image.file.text = "photo.png";
  const auto found = [&](const std::string& shown, const fs::path& from) {
    Settings settings;
    settings.scene.image.file.text = shown;
    const fs::path before = fs::current_path();
    fs::current_path(from);
    applySettingsFile(settings, settingsToJson(wanted), capture);
    fs::path path = fs::absolute(settings.scene.image.file.text);
    fs::current_path(before);
    return path;
  };
  EXPECT_EQ(found("", folder / "in"), photo);
  EXPECT_EQ(found(photo.string(), folder), photo);
  for (const fs::path& from : {folder, fs::path("/")}) EXPECT_FALSE(fs::exists(found("", from))) << from;
  capture = file("photo.hdr", "");
  file("photo.png", encodeHdr({1, 1, 1}, {1, 1}, {{kSettingsKeyword, settingsToJson(wanted)}}));
  EXPECT_EQ(found("", folder / "in"), photo) << "no other capture either";
  EXPECT_EQ(found("", "/"), folder / "photo.png") << "a capture that was opened as a photograph";
}

TEST_F(SettingsFileTest, SavingReplacesNoOtherFile) {
  for (const auto& path :
       {file("photo.dat", "\x89PNG\r\n\x1a\n"), file("notes.txt", "x"), file("empty.json", ""),
        file("mask.json", R"({"width": 1, "height": 1, "weights": [1]})"), file("list.json", "[1]")}) {
    const std::string before = bytesOf(path);
    EXPECT_THAT(refusal(path), testing::AllOf(HasSubstr(path.string()), HasSubstr("choose another name")));
    EXPECT_EQ(bytesOf(path), before);
  }
}

TEST_F(SettingsFileTest, SavingRefusesTheNameOfAnImage) {
  for (const char* name : {"new.png", "new.JPG", "new.exr"}) {
    EXPECT_THAT(refusal(folder / name), HasSubstr("the name of an image"));
    EXPECT_FALSE(fs::exists(folder / name));
  }
  const fs::path settings = file("old.png", settingsToJson({}));
  EXPECT_THAT(refusal(settings), HasSubstr("the name of an image"));
}

TEST_F(SettingsFileTest, SavingNamesTheFileJson) {
  EXPECT_EQ(saveSettings(folder / "mine", settingsToJson(wanted)), folder / "mine.json");
  EXPECT_EQ(saveSettings(folder / "a.settings", settingsToJson(wanted)), folder / "a.settings");
  EXPECT_THAT(refusal(folder / ""), HasSubstr("choose another name"));
  file("other.json", "x");
  EXPECT_THAT(refusal(folder / "other"), HasSubstr("other.json"));
}

TEST_F(SettingsFileTest, SavingAPlainNameUsesTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  const std::string refused = refusal("mine.json");
  fs::current_path(before);
  EXPECT_EQ(refused, "accepted");
  EXPECT_TRUE(fs::is_regular_file(folder / "mine.json"));
}

TEST_F(SettingsFileTest, SavingCreatesFolders) {
  const fs::path path = folder / "a" / "b" / "mine.json";
  EXPECT_EQ(saveSettings(path, settingsToJson(wanted)), path);
  const fs::path below = file("file", "x") / "mine.json";
  EXPECT_THAT(refusal(below), testing::StartsWith("cannot create the folder " + (folder / "file").string() + ": "));
}

// A home folder, and settings that name a file in it.
class PathsOfUsers : public SettingsFileTest {
 protected:
  void SetUp() override {
    SettingsFileTest::SetUp();
    fs::create_directories(folder / "alice/photos");
    fs::create_directories(folder / "alice/out");
    wanted.scene.image.file.text = file("alice/photos/a.jpg", "photograph").string();
  }
  std::string storedIn(const fs::path& in) const { return withoutUserPaths(wanted, in).scene.image.file.text; }
  // The image path in the settings, written to a file in the folder `in` and read again.
  std::string readFrom(const fs::path& in, const Settings& before = {}) const {
    Settings read = before;
    applySettingsFile(read, settingsToJson(withoutUserPaths(wanted, in)), in / "capture.png");
    return read.scene.image.file.text;
  }
  const test::Environment home_{"HOME", folder / "alice"};
};

TEST_F(PathsOfUsers, NoFileForOthersNamesAUser) {
  EXPECT_EQ(storedIn(folder / "alice/photos"), "a.jpg");
  EXPECT_EQ(storedIn(folder / "alice"), "photos/a.jpg");
  EXPECT_EQ(storedIn(folder / "alice/out"), "../photos/a.jpg");
  EXPECT_EQ(storedIn(folder), "alice/photos/a.jpg") << "the folder of the capture is above";
  for (const fs::path& other : {folder / "shared", folder / "alice2", fs::path("/nowhere")})
    EXPECT_EQ(storedIn(other), "a.jpg") << other;
  wanted.scene.image.file.text = fs::relative(folder / "alice/photos/a.jpg", fs::current_path()).string();
  EXPECT_EQ(storedIn("/nowhere"), "a.jpg") << "typed as " << wanted.scene.image.file.text;
  EXPECT_EQ(storedIn(folder / "alice/out"), "../photos/a.jpg");
  wanted.scene.image.file.text = "typed/b.jpg";
  wanted.scene.model.environment.text = "studio";
  EXPECT_EQ(withoutUserPaths(wanted, folder).scene, wanted.scene);
}

TEST_F(PathsOfUsers, AFrameOfADecodedFilmIsNoFileOfEqualName) {
  const test::Environment cache("XDG_CACHE_HOME", folder / "cache");
  fs::create_directories(folder / "cache/satdof/films/key");
  fs::create_directories(folder / "shared");
  wanted.scene.image.file.text = file("cache/satdof/films/key/000003.png", "frame").string();
  file("shared/000003.png", "of another film");
  EXPECT_EQ(readFrom(folder / "shared"), wanted.scene.image.file.text);
  EXPECT_EQ(storedIn(folder / "shared"), "key/000003.png");
  fs::remove(wanted.scene.image.file.text);
  EXPECT_EQ(readFrom(folder / "shared"), "key/000003.png");
}

TEST_F(PathsOfUsers, ACaptureFindsItsFileFromAnyWorkingFolder) {
  const std::string path = wanted.scene.image.file.text;
  EXPECT_EQ(readFrom(folder / "alice/photos"), path);
  EXPECT_EQ(readFrom(folder / "alice/out"), path);
  EXPECT_EQ(readFrom(folder / "elsewhere"), "a.jpg") << "nothing is there";
  EXPECT_EQ(readFrom(folder / "elsewhere", wanted), path) << "a file of this name was shown";
  Settings other = wanted;
  other.scene.image.file.text = (folder / "alice/other.jpg").string();
  EXPECT_EQ(readFrom(folder / "elsewhere", other), "a.jpg");
}

TEST_F(PathsOfUsers, AnApertureThatComesAlongIsFoundFromAnywhere) {
  wanted.lens.apertureImage.text = (lensesDir() / "mirror.png").string();
  const Settings stored = withoutUserPaths(wanted, folder / "alice/out");
  Settings read;
  applySettingsFile(read, settingsToJson(stored), folder / "alice/out/capture.png");
  EXPECT_EQ(read.lens, wanted.lens);
  const std::string other = file("alice/out/mirror.png", "another").string();
  applySettingsFile(read, settingsToJson(stored), folder / "alice/out/capture.png");
  EXPECT_EQ(read.lens.apertureImage.text, other);
}

TEST_F(PathsOfUsers, TheFileOfAMaskIsOneOfThem) {
  const std::string mask = file("alice/photos/m.json", "mask").string();
  wanted.filter.mask.text = mask;
  const Settings stored = withoutUserPaths(wanted, folder / "alice/out");
  EXPECT_EQ(stored.filter.mask.text, "../photos/m.json");
  Settings read;
  applySettingsFile(read, settingsToJson(stored), folder / "alice/out/capture.png");
  EXPECT_EQ(read.filter.mask.text, mask);
  wanted.filter.mask.text = "blur";
  EXPECT_EQ(withoutUserPaths(wanted, folder).filter.mask.text, "blur");
}

}  // namespace
}  // namespace satdof
