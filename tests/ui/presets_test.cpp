#include "app/ui/presets.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "app/device/device.h"
#include "app/lens/lens.h"
#include "app/ui/edit.h"
#include "app/ui/history.h"
#include "app/ui/keys.h"
#include "tests/support/gl_fixture.h"

namespace satdof {
namespace {

using testing::HasSubstr;

const Preset& presetNamed(std::string_view name) {
  return *std::ranges::find_if(presets(), [&](const Preset& preset) { return preset.name == name; });
}

// What the list of presets shows.
std::string shownPreset(const Session& session) {
  if (!session.preferences.preset) return "none";
  return session.preferences.preset->name + (presetChanged(session) ? ", changed" : "");
}

using PresetsTest = GlTest;

TEST_F(PresetsTest, HaveNamesHelpAndSettingsWithinTheirRanges) {
  std::set<std::string> names;
  for (const Preset& preset : presets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_GT(std::string_view(preset.help).size(), 0u) << preset.name;
    const Settings settings = apply(preset, {});
    Settings clamped = settings;
    clampToRanges(clamped);
    EXPECT_EQ(settings, clamped) << preset.name;
  }
}

TEST_F(PresetsTest, SayWhichPhotographTheyReplace) {
  Session session;
  choose(session, presetNamed("Lamps"));
  EXPECT_EQ(session.notices.text, "Preset: Lamps");
  session.settings.scene.kind = SceneKind::image;
  session.settings.scene.image.file.text = "folder/street.jpg";
  choose(session, presetNamed("Lamps"));
  EXPECT_EQ(session.notices.text, "Preset: Lamps, in place of street.jpg; Ctrl Z shows it again");
}

TEST_F(PresetsTest, KeepWindowAndTime) {
  Settings current;
  current.size = {333, 222};
  current.present = {.exposureStops = 3.0f, .vsync = false, .fullScreen = true, .showUi = false};
  current.scene.timeS = 7.0f;
  current.lens.fNumber = 9.0f;
  current.camera.yawDegrees = 99.0f;
  const Settings settings = apply(presetNamed("Default"), current);
  EXPECT_EQ(settings.size, current.size);
  EXPECT_FALSE(settings.present.vsync);
  EXPECT_TRUE(settings.present.fullScreen);
  EXPECT_FALSE(settings.present.showUi);
  EXPECT_EQ(settings.present.exposureStops, 0.0f);
  EXPECT_EQ(settings.scene.timeS, 7.0f);
  EXPECT_EQ(settings.lens, LensSettings{});
  EXPECT_EQ(settings.camera, CameraSettings{});
}

TEST_F(PresetsTest, KeepAPauseTheSamplesAndTheQuality) {
  Settings current;
  current.scene.animate = false;
  current.scene.samples = 8;
  current.quality = {.adaptive = false, .lowerResolution = false, .converge = false};
  for (const Preset& preset : presets()) {
    const Settings settings = apply(preset, current);
    EXPECT_FALSE(settings.scene.animate) << preset.name;
    EXPECT_EQ(settings.scene.samples, 8) << preset.name;
    EXPECT_EQ(settings.quality, current.quality) << preset.name;
  }
  for (const Preset& preset : presets()) EXPECT_TRUE(apply(preset, {}).scene.animate) << preset.name;
}

TEST_F(PresetsTest, KeepTheChosenLensUnlessTheyChooseOne) {
  Settings current;
  current.technique.lens.kind = LensKind::tent;
  for (const Preset& preset : presets()) {
    const LensKind lens = apply(preset, current).technique.lens.kind;
    if (lensOf(lens).rule->linear) continue;
    EXPECT_EQ(lens, preset.keepsLens ? LensKind::tent : LensKind::automatic) << preset.name;
  }
}

TEST_F(PresetsTest, TheDefaultResetsTheDevice) {
  Settings current;
  current.technique.device = current.split.b.device = DeviceId::cpuSequential;
  EXPECT_EQ(apply(presetNamed("Default"), current).technique.device, DeviceId::automatic);
  EXPECT_EQ(apply(presetNamed("Default"), current).split.b.device, DeviceId::automatic);
  EXPECT_EQ(apply(presetNamed("Lamps"), current).technique.device, DeviceId::cpuSequential);
}

TEST_F(PresetsTest, ReplaceTheLensOfAPresetByTheDefault) {
  Session session;
  choose(session, presetNamed("GPU Gems 3"));
  EXPECT_TRUE(lensOf(session.settings.technique.lens.kind).rule->linear);
  choose(session, presetNamed("Lamps"));
  EXPECT_EQ(session.settings.technique.lens.kind, LensKind::automatic);
  choose(session, presetNamed("GPU Gems 3"));
  session.settings.technique.lens.kind = LensKind::tent;
  choose(session, presetNamed("Lamps"));
  EXPECT_EQ(session.settings.technique.lens.kind, LensKind::tent);
  EXPECT_EQ(session.settings.split.b.lens.kind, LensKind::tent);
}

TEST_F(PresetsTest, APauseIsNoChange) {
  Session session;
  choose(session, presetNamed("Default"));
  session.settings.scene.animate = !session.settings.scene.animate;
  EXPECT_EQ(shownPreset(session), "Default");
}

TEST_F(PresetsTest, GpuGems3MatchesItsHelp) {
  const Preset& preset = presetNamed("GPU Gems 3");
  const Settings settings = apply(preset, {});
  EXPECT_TRUE(lensOf(settings.technique.lens.kind).rule->linear);
  EXPECT_EQ(settings.technique.table.format, TableFormat::float32);
  EXPECT_EQ(settings.technique.table.scan, Scan::blelloch);
  for (const char* part : {"linear blur factor", "39.3.2", "float32", "Blelloch", "multipass", "de-interleave",
                           "scan rows, transpose, scan rows", "four table look-ups", "eight look-ups"})
    EXPECT_THAT(preset.help, HasSubstr(part));
}

TEST_F(PresetsTest, GpuGems3ChoosesADeviceThatUsesTheScanOrSaysWhyNot) {
  const Preset& preset = presetNamed("GPU Gems 3");
  const bool scans = availability(Scan::blelloch).available;
  for (const Device& device : devices()) {
    if (!availability(device.id).available) continue;
    Settings current;
    current.technique.device = device.id;
    const Settings settings = apply(preset, current);
    const std::string missing = missingDevice(preset, current);
    EXPECT_EQ(deviceOf(settings.technique.device).uses.kernels, scans) << name(device.id);
    EXPECT_TRUE(availability(settings.technique.device).available) << name(settings.technique.device);
    EXPECT_EQ(settings.split.b.device, settings.technique.device);
    EXPECT_EQ(missing.empty(), scans) << missing;
    if (scans) continue;
    EXPECT_EQ(settings.technique.device, device.id);
    EXPECT_THAT(missing, HasSubstr(devicesThatUse(&DeviceOptions::kernels) + " is not available"));
    EXPECT_THAT(missing, HasSubstr(availability(Scan::blelloch).reason));
    EXPECT_THAT(missing, HasSubstr(std::string(name(device.id)) + " builds the table instead"));
  }
}

TEST_F(PresetsTest, OtherPresetsRunOnAnyDevice) {
  for (const Preset& preset : presets()) {
    if (preset.runsKernels || !preset.keepsLens) continue;
    for (const Device& device : devices()) {
      Settings current;
      current.technique.device = device.id;
      EXPECT_EQ(apply(preset, current).technique.device, device.id) << preset.name;
      EXPECT_EQ(missingDevice(preset, current), "") << preset.name;
    }
  }
}

TEST_F(PresetsTest, SplitPresetsDifferAsNamed) {
  const Settings thin = apply(presetNamed("Thin lens | GPU Gems 3"), {});
  EXPECT_TRUE(thin.split.enabled);
  EXPECT_FALSE(lensOf(thin.technique.lens.kind).rule->linear);
  EXPECT_TRUE(lensOf(thin.split.b.lens.kind).rule->linear);
  Settings gems;
  gems.technique.lens.kind = LensKind::gems;
  EXPECT_FALSE(lensOf(apply(presetNamed("Thin lens | GPU Gems 3"), gems).technique.lens.kind).rule->linear);
  const Settings exact = apply(presetNamed("Exact | float32"), {});
  EXPECT_EQ(exact.technique.table.format, TableFormat::float32);
  EXPECT_EQ(exact.technique.view, View::tableError);
  const Settings radii = apply(presetNamed("Circle of confusion | image"), {});
  EXPECT_EQ(radii.technique.view, View::coc);
  EXPECT_EQ(radii.split.b.view, View::final);
}

TEST_F(PresetsTest, ASplitStartsInTheMiddleOfTheVisibleImage) {
  Session session;
  session.visible.left = 0.25f;
  session.settings.split.position = 0.9f;
  for (const Preset& preset : presets()) {
    choose(session, preset);
    EXPECT_EQ(session.settings.split.position, session.settings.split.enabled ? 0.625f : 0.5f) << preset.name;
  }
}

TEST_F(PresetsTest, TheListNamesTheChosenOneAndWhetherTheSettingsDiffer) {
  Session session;
  EXPECT_EQ(shownPreset(session), "none");
  for (const Preset& preset : presets()) {
    choose(session, preset);
    EXPECT_EQ(shownPreset(session), preset.name);
    session.settings.camera.shiftX = 0.2f;  // what the window sets
    session.settings.scene.timeS += 1.0f;
    session.settings.size = {123, 456};
    EXPECT_EQ(shownPreset(session), preset.name);
    const float yaw = session.settings.camera.yawDegrees;
    session.settings.camera.yawDegrees = 99.0f;
    EXPECT_EQ(shownPreset(session), std::string(preset.name) + ", changed");
    session.settings.camera.yawDegrees = yaw;
    EXPECT_EQ(shownPreset(session), preset.name);
  }
}

TEST_F(PresetsTest, AComparisonThatIsSwitchedOffAgainChangesNoPreset) {
  for (const Preset& preset : presets()) {
    Session session;
    session.visible.left = 0.25f;
    choose(session, preset);
    const bool enabled = session.settings.split.enabled;
    for (const bool now : {!enabled, enabled}) {
      typeCharacter(session, 's', false);
      EXPECT_EQ(session.settings.split.enabled, now);
      EXPECT_EQ(presetChanged(session), now != enabled) << preset.name;
    }
  }
}

TEST_F(PresetsTest, UndoAndRedoNameThePresetOfTheirSettings) {
  Session session;
  History history(session);
  double nowS = 0.0;
  const std::string first = presets()[1].name, second = presets()[2].name;
  for (const std::size_t index : {std::size_t{1}, std::size_t{2}}) {
    choose(session, presets()[index]);
    history.observe(session, nowS += 2.0, false);
  }
  session.settings.lens.blades = 11;
  history.observe(session, nowS += 2.0, false);
  const std::string none = "none";
  for (const auto& [shown, undone] : {std::pair{second + ", changed", std::string("Blades")},
                                      {second, "Preset: " + second},
                                      {first, "Preset: " + first},
                                      {none, std::string()}}) {
    EXPECT_EQ(shownPreset(session), shown);
    EXPECT_EQ(history.undo(session), undone);
  }
  history.redo(session);
  EXPECT_EQ(shownPreset(session), first);
}

}  // namespace
}  // namespace satdof
