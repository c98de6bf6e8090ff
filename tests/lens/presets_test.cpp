#include "app/lens/presets.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "app/core/files/files.h"
#include "app/core/usage_error.h"
#include "tests/support/environment.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"

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

TEST(LensPresets, KeepTheFocalLengthAndTheDiameterOfTheAperture) {
  for (const float focalMm : {20.0f, 50.0f, 135.0f}) {
    Settings settings;
    settings.lens.focalLengthMm = focalMm;
    applyLensPreset(settings, "tele-135");
    EXPECT_EQ(settings.lens.focalLengthMm, focalMm);
    EXPECT_NEAR(settings.lens.focalLengthMm / settings.lens.fNumber, 135.0f / 2.0f, 0.01f);
  }
  Settings widest;
  widest.lens.focalLengthMm = 5.0f;
  applyLensPreset(widest, "mirror-500");
  EXPECT_EQ(widest.lens.fNumber, 0.1f) << "the least of the field";
}

TEST(LensPresets, SaveAndReadBack) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "lens.json";
  for (const char* name : {"swirl-58", "mirror-500", "double-gauss-50", "triplet-100"}) {
    Settings settings, read;
    applyLensPreset(settings, name);
    saveLensPreset(settings, file);
    EXPECT_EQ(readWholeFile(file, 1 << 16).find('/'), std::string::npos) << "names no folder";
    settings.scene.kind = SceneKind::bodies;
    read.lens.blades = 5;
    applyLensPreset(read, file);
    EXPECT_EQ(read.lens, settings.lens) << name;
  }
  EXPECT_THROW(saveLensPreset({}, "lens.txt"), UsageError);
}

TEST(LensPresets, NameNoHomeFolder) {
  const test::TemporaryFolder folder;
  const test::Environment home("HOME", folder.path() / "alice");
  const std::filesystem::path image = folder.write("alice/shapes/heart.png", "");
  const auto saved = [&](const std::string& name) {
    const std::filesystem::path file = folder.write(name, "");
    Settings settings, read;
    settings.lens.apertureImage.text = image.string();
    const Notes notes = saveLensPreset(settings, file);
    const bool isFound = name != "shared/lens.json";
    const auto tells = testing::HasSubstr("heart.png without the folder: copy the image beside it");
    EXPECT_THAT(notes, testing::AllOf(testing::SizeIs(isFound ? 0 : 1), testing::Each(tells))) << name;
    EXPECT_EQ(readWholeFile(file, 1 << 16).find("alice"), std::string::npos) << name;
    applyLensPreset(read, file.string());
    return std::filesystem::path(read.lens.apertureImage.text).lexically_normal();
  };
  EXPECT_EQ(saved("alice/shapes/lens.json"), image);
  EXPECT_EQ(saved("alice/lenses/lens.json"), image);
  EXPECT_EQ(saved("shared/lens.json"), folder.path() / "shared/heart.png");
  folder.write("shared/heart.png", "another image");
  saved("shared/lens.json");
}

TEST(LensPresets, TracePrescriptions) {
  const test::TemporaryFolder folder;
  const auto apply = [&](Settings& settings, const std::string& prescription) {
    return applyLensPreset(settings, folder.write("lens.txt", prescription));
  };
  Settings settings;
  settings.lens.focusDistanceM = 3.5f;
  settings.lens.blades = 9;
  // Two stops 20 mm apart before a lens of 100 mm, without colours.
  const Notes notes = apply(settings, "0 20 1 20.001\nstop 0 1 20\n103.4 0.001 1.517 60\n-103.4 0 1 60\n");
  ASSERT_FALSE(notes.empty());
  EXPECT_NE(notes[0].find("lens.txt: a glass without Abbe number"), std::string::npos) << notes[0];
  EXPECT_EQ(settings.lens.focusDistanceM, 3.5f);
  EXPECT_EQ(settings.lens.blades, 0) << "of the lens before";
  EXPECT_EQ(settings.lens.focalLengthMm, 50.0f) << "with the field of view";
  EXPECT_EQ(settings.lens.fNumber, 2.5f) << "a diameter of 20 mm, to four digits";
  EXPECT_NEAR(settings.lens.catEye, 21.6 / 100 * 20 / 10, 2e-3);

  Settings shorter = settings;
  const Notes small = apply(shorter, "stop 0 1 2\n10.34 0.001 1.517 9\n-10.34 0 1 9\n");
  EXPECT_EQ(shorter.lens.fNumber, 25.0f);
  EXPECT_EQ(shorter.lens.fieldCurvature, 20.0f) << "the most that the field takes";
  EXPECT_TRUE(std::ranges::any_of(
      small, [](const std::string& note) { return note.find("--field-curvature is ") != std::string::npos; }));
}

void expectRefused(const std::string& name, const std::string& part) {
  Settings settings;
  EXPECT_THAT(test::reasonOf([&] { applyLensPreset(settings, name); }), testing::HasSubstr(part)) << name;
  EXPECT_EQ(settings, Settings());
}

TEST(LensPresets, RefuseOtherFiles) {
  expectRefused("swirl", "did you mean swirl-58");
  expectRefused("../swirl-58", "no lens is called");
  const test::TemporaryFolder folder;
  const auto json = [&](const char* text) { return folder.write("lens.json", text); };
  expectRefused(json(R"({"lens": {"fNumber": 2}, "camera": {"yawDegrees": 3}})"),
                "\"camera.yawDegrees\" is no part of a lens");
  const std::string yaw = std::to_string(Settings().camera.yawDegrees);
  expectRefused(json((R"({"camera": {"yawDegrees": )" + yaw + "}}").c_str()), "is no part of a lens");
  expectRefused(json(R"({"lens": {"focusDistanceM": 2}})"), "\"lens.focusDistanceM\" is no part of a lens");
  expectRefused(json(R"({"lens": {"fNumber": 1000}})"), "lens.fNumber");
  expectRefused(json("[]"), "cannot read lens");
  const auto table = [&](const char* text) { return folder.write("lens.dat", text); };
  expectRefused(table("stop 5 1 -10\n"), "lens.dat\": line 1: diameter -10: expected");
  expectRefused(table("scale: 100\nstop 5 1 10\n50 4 1.5 20\n-50 0 1 20\n"),
                "--focal-length is 5068, not within 1 to 2000");
  expectRefused(table("stop 5 1 0.2\n50 4 1.5 20\n-50 0 1 20\n"), "--f-number is ");
  const std::string file = table("");
  std::filesystem::resize_file(file, std::uintmax_t{1} << 31);
  expectRefused(file, "larger than 1048576 bytes");
  std::filesystem::remove(file);
  expectRefused(file, "lens.dat");
  Settings settings;
  applyLensPreset(settings, json(R"({"lens": {"fNumber": 4}})"));
  EXPECT_EQ(settings.lens.fNumber, 4.0f);
}

}  // namespace
}  // namespace satdof
