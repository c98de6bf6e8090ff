#include "app/core/lens_presets.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/core/usage_error.h"

namespace satdof {
namespace {

TEST(LensPresets, AllNameTheirSourceAndChangeALens) {
  ASSERT_GE(lensPresets().size(), 8u);
  for (const LensPreset& preset : lensPresets()) {
    EXPECT_FALSE(preset.title.empty()) << preset.name;
    EXPECT_FALSE(preset.source.empty()) << preset.name;
    Settings settings;
    settings.lens.focusDistanceM = 3.5f;
    settings.lens.tiltYDegrees = 9.0f;
    settings.lens.kernelSteps = 2;
    applyLensPreset(settings, preset.name);
    EXPECT_EQ(settings.lens.focusDistanceM, 3.5f) << preset.name;
    EXPECT_EQ(settings.lens.kernelSteps, 2) << preset.name;
    EXPECT_EQ(settings.lens.tiltYDegrees, 0.0f) << "of the lens before, " << preset.name;
    EXPECT_GT(settings.lens.catEye, 0.0f) << preset.name;
    const FilePath& image = settings.lens.apertureImage;
    EXPECT_TRUE(image.none() || std::filesystem::exists(image.text)) << image.text;
    Settings lensAlone;
    lensAlone.lens = settings.lens;
    EXPECT_EQ(settings, lensAlone) << preset.name;
  }
}

TEST(LensPresets, SaveWhatTheyRead) {
  const auto file = std::filesystem::temp_directory_path() / "satdof_saved_lens.json";
  for (const char* name : {"swirl-58", "mirror-500"}) {
    Settings settings, read;
    applyLensPreset(settings, name);
    saveLensPreset(settings, file);
    settings.scene.kind = SceneKind::bodies;
    read.lens.blades = 5;
    applyLensPreset(read, file.string());
    EXPECT_EQ(read.lens, settings.lens) << name;
  }
  EXPECT_THROW(saveLensPreset({}, "lens.txt"), UsageError);
  std::filesystem::remove(file);
}

void expectRefused(const std::string& name, const std::string& part) {
  Settings settings;
  try {
    applyLensPreset(settings, name);
    ADD_FAILURE() << name;
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  EXPECT_EQ(settings, Settings());
}

TEST(LensPresets, RefuseWhatIsNoLens) {
  expectRefused("swirl", "did you mean swirl-58");
  expectRefused("../swirl-58", "no lens is called");
  const auto file = std::filesystem::temp_directory_path() / "satdof_lens_preset.json";
  const auto with = [&](const char* text) { std::ofstream(file) << text; };
  with(R"({"lens": {"fNumber": 2}, "camera": {"yawDegrees": 3}})");
  expectRefused(file.string(), "\"camera.yawDegrees\" is no part of a lens");
  with(R"({"lens": {"focusDistanceM": 2}})");
  expectRefused(file.string(), "\"lens.focusDistanceM\" is no part of a lens");
  with(R"({"lens": {"fNumber": 1000}})");
  expectRefused(file.string(), "lens.fNumber");
  with("[]");
  expectRefused(file.string(), "cannot read lens");
  with(R"({"lens": {"fNumber": 4}})");
  Settings settings;
  applyLensPreset(settings, file.string());
  EXPECT_EQ(settings.lens.fNumber, 4.0f);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace satdof
