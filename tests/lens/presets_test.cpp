#include "app/lens/presets.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  for (const char* name : {"swirl-58", "mirror-500", "double-gauss-50", "triplet-100"}) {
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

TEST(LensPresets, TracePrescriptions) {
  const auto file = std::filesystem::temp_directory_path() / "satdof_lens_prescription.txt";
  const auto with = [&](const std::string& text) { std::ofstream(file) << text; };
  // Two stops 20 mm apart before a lens of 100 mm, without colours.
  with("0 20 1 20.001\nstop 0 1 20\n103.4 0.001 1.517 60\n-103.4 0 1 60\n");
  Settings settings;
  settings.lens.focusDistanceM = 3.5f;
  settings.lens.blades = 9;
  const Notes notes = applyLensPreset(settings, file.string());
  ASSERT_FALSE(notes.empty());
  EXPECT_NE(notes[0].find("satdof_lens_prescription.txt: a glass without Abbe number"), std::string::npos)
      << notes[0];
  EXPECT_EQ(settings.lens.focusDistanceM, 3.5f);
  EXPECT_EQ(settings.lens.blades, 0) << "of the lens before";
  EXPECT_EQ(settings.lens.focalLengthMm, 100.0f) << "four digits";
  EXPECT_EQ(settings.lens.fNumber, 5.0f);
  EXPECT_NEAR(settings.lens.catEye, 21.6 / 100 * 20 / 10, 2e-3);

  Settings shorter = settings;
  with("stop 0 1 2\n10.34 0.001 1.517 9\n-10.34 0 1 9\n");
  const Notes small = applyLensPreset(shorter, file.string());
  EXPECT_EQ(shorter.lens.focalLengthMm, 10.0f);
  EXPECT_EQ(shorter.lens.fieldCurvature, 20.0f) << "the most that the field takes";
  EXPECT_TRUE(std::ranges::any_of(small, [](const std::string& note) {
    return note.find("--field-curvature is ") != std::string::npos;
  }));
  std::filesystem::remove(file);
}

void expectRefused(const std::string& name, const std::string& part) {
  Settings settings;
  try {
    applyLensPreset(settings, name);
    ADD_FAILURE() << name;
  } catch (const std::runtime_error& error) {
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
  const auto table = std::filesystem::temp_directory_path() / "satdof_lens_preset.dat";
  const auto tabled = [&](const char* text) { std::ofstream(table) << text; };
  tabled("stop 5 1 -10\n");
  expectRefused(table.string(), "satdof_lens_preset.dat\": line 1: diameter -10: expected");
  tabled("scale: 100\nstop 5 1 10\n50 4 1.5 20\n-50 0 1 20\n");
  expectRefused(table.string(), "--focal-length is 5068, not within 1 to 2000");
  tabled("stop 5 1 0.2\n50 4 1.5 20\n-50 0 1 20\n");
  expectRefused(table.string(), "--f-number is ");
  std::filesystem::resize_file(table, std::uintmax_t{1} << 31);
  expectRefused(table.string(), "larger than 1048576 bytes");
  std::filesystem::remove(table);
  expectRefused(table.string(), "satdof_lens_preset.dat");
  with(R"({"lens": {"fNumber": 4}})");
  Settings settings;
  applyLensPreset(settings, file.string());
  EXPECT_EQ(settings.lens.fNumber, 4.0f);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace satdof
