#include "app/run/window/exchange.h"

#include <fstream>

#include "app/core/files.h"
#include "app/run/window/opening.h"
#include "app/ui/presets.h"
#include "app/ui/timeline.h"
#include "tests/io/environment.h"
#include "tests/run/files_test.h"

namespace satdof {
namespace {

class ExchangeTest : public FilesTest {
 protected:
  void load(const std::filesystem::path& path) {
    useOfSettings(path, session_.settings, isOwnPreset(session_, path))(session_, opening_);
  }

  Session session_;

 private:
  Opening opening_;
  const test::Environment config_{"XDG_CONFIG_HOME", folder_};
};

TEST_F(ExchangeTest, APresetIsSavedAndDeletedByItsName) {
  const auto preset = folder_ / "satdof/presets/Two.json";
  saveSettings(session_, preset);
  EXPECT_EQ(session_.notice, "Preset saved: Two");
  ASSERT_TRUE(session_.preferences.preset);
  EXPECT_EQ(session_.preferences.preset->name, "Two");
  deletePreset(session_, preset);
  EXPECT_EQ(session_.notice, "Preset deleted: Two");
  EXPECT_FALSE(session_.preferences.preset);
}

TEST_F(ExchangeTest, APresetCarriesTheLookAlone) {
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
  EXPECT_EQ(session_.notice, "Preset: Soft");
  EXPECT_FALSE(presetChanged(session_));
  session_.settings.camera.yawDegrees = 77.0f;
  EXPECT_FALSE(presetChanged(session_));
}

TEST_F(ExchangeTest, AnOldPresetWithMoreThanALookSaysWhatIsIgnored) {
  const auto preset = folder_ / "satdof/presets/Old.json";
  std::filesystem::create_directories(preset.parent_path());
  std::ofstream(preset)
      << R"({"size": "20x10", "lens": {"fNumber": 2, "focusDistanceM": 3}, "was": {"here": 1},
                              "scene": {"image": {"file": "/photos/mine.png"}}})";
  session_.ownPresets = {preset};
  load(preset);
  EXPECT_EQ(session_.settings.lens.fNumber, 2.0f);
  EXPECT_TRUE(session_.settings.scene.image.file.none());
  EXPECT_NE(session_.settings.lens.focusDistanceM, 3.0f);
  EXPECT_EQ(session_.notice, "Preset: Old. Ignored, no part of a look: 4 settings");
}

TEST_F(ExchangeTest, ASettingsFileIsSavedByItsPath) {
  saveSettings(session_, folder_ / "Two.json");
  EXPECT_EQ(session_.notice, "Settings saved to " + (folder_ / "Two.json").string());
  EXPECT_FALSE(session_.preferences.preset);
}

TEST_F(ExchangeTest, AShotIsSavedAndOpened) {
  setKeys(session_);
  const Shot shot = session_.shot();
  saveShot(session_, folder_ / "pull");
  EXPECT_TRUE(session_.notice.starts_with("Saved pull.json in ")) << session_.notice;
  changeShot(session_, {}, "New shot");
  scrub(session_, 3);
  session_.timeline.shown = false;
  load(folder_ / "pull.json");
  EXPECT_EQ(session_.shot(), shot);
  EXPECT_TRUE(session_.timeline.shown);
  EXPECT_EQ(session_.timeline.timeS, 0);
  EXPECT_EQ(session_.action, "Shot: pull.json");
}

TEST_F(ExchangeTest, AShotReplacesNoOtherFile) {
  setKeys(session_);
  const auto settings = file("settings.json", "{}");
  for (const auto& path : {settings, folder_ / "shot.png"})
    EXPECT_THROW(saveShot(session_, path), std::runtime_error);
  EXPECT_EQ(readWholeFile(settings, 10), "{}");
}

}  // namespace
}  // namespace satdof
