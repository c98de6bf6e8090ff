#include "app/run/window/files/saving.h"
#include "app/run/window/files/settings_edit.h"

#include <fstream>

#include "app/core/files/files.h"
#include "app/core/shot/camera_path.h"
#include "app/run/window/files/opening.h"
#include "app/ui/history.h"
#include "app/ui/presets.h"
#include "app/ui/timeline/timeline.h"
#include "tests/support/environment.h"
#include "tests/support/files_fixture.h"

namespace satdof {
namespace {

class SavingTest : public FilesTest {
 protected:
  void load(const std::filesystem::path& path) {
    settingsEdit(path, session_.settings, isOwnPreset(session_, path))(session_, opening_);
  }

  Session session_;

 private:
  Opening opening_;
  const test::Environment config_{"XDG_CONFIG_HOME", folder_};
};

TEST_F(SavingTest, APresetIsSavedAndDeletedByItsName) {
  const auto preset = folder_ / "satdof/presets/Two.json";
  saveSettings(session_, preset);
  EXPECT_EQ(session_.notices.text, "Preset saved: Two");
  ASSERT_TRUE(session_.preferences.preset);
  EXPECT_EQ(session_.preferences.preset->name, "Two");
  deletePreset(session_, preset);
  EXPECT_EQ(session_.notices.text, "Preset deleted: Two");
  EXPECT_FALSE(session_.preferences.preset);
}

TEST_F(SavingTest, APresetCarriesTheLookAlone) {
  const auto preset = folder_ / "satdof/presets/Soft.json";
  session_.settings.lens.fNumber = 1.2f;
  session_.settings.scene.image.file = {"/photos/mine.png"};
  saveSettings(session_, preset);
  EXPECT_EQ(readWholeFile(preset, 10000).find("mine.png"), std::string::npos);
  EXPECT_EQ(readWholeFile(preset, 10000).find("size"), std::string::npos);
  session_.settings.lens.fNumber = 9.0f;
  session_.settings.lens.focusDistanceM = 7.0f;
  session_.settings.scene.image.file = {"/photos/other.png"};
  EXPECT_TRUE(presetChanged(session_));
  load(preset);
  EXPECT_EQ(session_.settings.lens.fNumber, 1.2f);
  EXPECT_EQ(session_.settings.lens.focusDistanceM, 7.0f);
  EXPECT_EQ(session_.settings.scene.image.file.text, "/photos/other.png");
  EXPECT_EQ(session_.notices.text, "Preset: Soft");
  EXPECT_FALSE(presetChanged(session_));
  session_.settings.camera.yawDegrees = 77.0f;
  EXPECT_FALSE(presetChanged(session_));
}

TEST_F(SavingTest, AnOldPresetWithMoreThanALookSaysWhatIsIgnored) {
  const auto preset = folder_ / "satdof/presets/Old.json";
  std::filesystem::create_directories(preset.parent_path());
  std::ofstream(preset) << R"({"size": "20x10", "lens": {"fNumber": 2, "focusDistanceM": 3}, "was": {"here": 1},
                              "scene": {"image": {"file": "/photos/mine.png"}}})";
  session_.ownPresets = {preset};
  load(preset);
  EXPECT_EQ(session_.settings.lens.fNumber, 2.0f);
  EXPECT_TRUE(session_.settings.scene.image.file.none());
  EXPECT_NE(session_.settings.lens.focusDistanceM, 3.0f);
  EXPECT_EQ(session_.notices.text, "Preset: Old. Ignored, no part of a look: 4 settings");
}

TEST_F(SavingTest, ASettingsFileIsSavedByItsPath) {
  saveSettings(session_, folder_ / "Two.json");
  EXPECT_EQ(session_.notices.text, "Settings saved to " + (folder_ / "Two.json").string());
  EXPECT_FALSE(session_.preferences.preset);
}

TEST_F(SavingTest, AShotIsSavedAndOpened) {
  setKeys(session_);
  const Shot shot = session_.shot();
  saveShot(session_, folder_ / "pull");
  EXPECT_TRUE(session_.notices.text.starts_with("Saved pull.json in ")) << session_.notices.text;
  changeShot(session_, {}, "New shot");
  scrub(session_, 3);
  session_.timeline.shown = false;
  load(folder_ / "pull.json");
  EXPECT_EQ(session_.shot(), shot);
  EXPECT_TRUE(session_.timeline.shown);
  EXPECT_EQ(session_.timeline.timeS, 0);
  EXPECT_EQ(session_.action, "Shot: pull.json");
}

TEST_F(SavingTest, AShotReplacesOnlyTheFileThatItCameFrom) {
  const auto bytes = [&](const char* name) { return readWholeFile(folder_ / name, 100'000); };
  const auto saved = [&] { return std::filesystem::path(session_.timeline.fileName.data()).filename(); };
  const auto save = [&](const std::string& name) { saveShot(session_, folder_ / name); };
  setKeys(session_);
  save("own.json");
  const std::string first = bytes("own.json");
  scrub(session_, 1);
  setKeys(session_);
  save("own.json");
  const std::string second = bytes("own.json");
  EXPECT_NE(second, first) << "written by this shot";
  for (const std::string& other : {first, std::string(R"({"path": "/usr/local"})"), std::string("{}")}) {
    file("other.json", other);
    save("other.json");
    EXPECT_EQ(bytes("other.json"), other);
    EXPECT_EQ(saved(), "other-2.json");
    EXPECT_EQ(bytes("other-2.json"), second);
    std::filesystem::remove(folder_ / saved());
  }
  load(folder_ / "own.json");
  file("own.json", R"({"path": "/usr/local"})");
  save("own.json");
  EXPECT_EQ(saved(), "own-2.json") << "another program has replaced it";
  load(folder_ / "own-2.json");
  save("own-2.json");
  EXPECT_EQ(saved(), "own-2.json") << "opened";
  EXPECT_THROW(save("shot.png"), std::runtime_error);
}

TEST_F(SavingTest, AShotKeepsWhatOthersSavedInItsFile) {
  const auto path = folder_ / "own.json", copy = folder_ / "own-2.json";
  setKeys(session_);
  saveShot(session_, path);
  Session other;
  Opening opening;
  settingsEdit(path, other.settings, false)(other, opening);
  scrub(other, 1);
  setKeys(other);
  saveShot(other, path);
  const std::string theirs = readWholeFile(path, 100'000);
  scrub(session_, 2);
  setKeys(session_);
  saveShot(session_, path);
  EXPECT_EQ(readWholeFile(path, 100'000), theirs);
  EXPECT_TRUE(session_.notices.text.starts_with("Saved as own-2.json, for own.json holds something else, in "))
      << session_.notices.text;
  const std::string own = readWholeFile(copy, 100'000);
  scrub(session_, 3);
  setKeys(session_);
  saveShot(session_, copy);
  EXPECT_NE(readWholeFile(copy, 100'000), own);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "own-3.json"));
}

TEST_F(SavingTest, AShotReplacesNoCameraPathThatItCameFrom) {
  setKeys(session_);
  session_.timeline.saveAs = CameraPathFormat::nerfstudio;
  for (int times = 0; times < 2; ++times) saveShot(session_, folder_ / "path.json");
  const std::string path = readWholeFile(folder_ / "path.json", 100'000);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "path-2.json")) << "written by this shot, as such";
  load(folder_ / "path.json");
  for (const auto as : {std::optional<CameraPathFormat>(), std::optional(CameraPathFormat::nerfstudio)}) {
    session_.timeline.saveAs = as;
    saveShot(session_, folder_ / "path.json");
    EXPECT_EQ(readWholeFile(folder_ / "path.json", 100'000), path);
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / "path-3.json"));
}

TEST_F(SavingTest, UndoGoesBackToTheFileOfTheShot) {
  History history(session_);
  const auto frame = [&] { history.observe(session_, 0, false); };
  setKeys(session_);
  frame();
  saveShot(session_, folder_ / "a.json");
  scrub(session_, 1);
  setKeys(session_);
  saveShot(session_, folder_ / "b.json");
  frame();
  load(folder_ / "a.json");
  frame();
  history.undo(session_);
  const std::string kept = readWholeFile(folder_ / "a.json", 100'000);
  saveShot(session_, folder_ / "a.json");
  EXPECT_EQ(readWholeFile(folder_ / "a.json", 100'000), kept);
}

}  // namespace
}  // namespace satdof
