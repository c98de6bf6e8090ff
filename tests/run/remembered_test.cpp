#include "app/run/remembered/remembered.h"
#include "app/run/remembered/undo_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/core/shot/shot_json.h"
#include "tests/support/environment.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class RememberedTest : public testing::Test {
 protected:
  void write(const std::string& text) const { temporary.write("settings.json", text); }
  std::string kept() const {
    std::ifstream file(folder / "settings.json.bad");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const test::TemporaryFolder temporary;
  const fs::path& folder = temporary.path();
};

TEST_F(RememberedTest, WithoutAFileGivesTheDefaults) {
  const Remembered<Settings> found = rememberedSettings(folder / "none");
  EXPECT_EQ(found.value, Settings{});
  EXPECT_EQ(found.problem, "");
}

TEST_F(RememberedTest, AFolderThatCannotBeReadIsAProblemAndNoError) {
  const fs::path loop = folder / "loop", file = folder / "file";
  fs::create_symlink("loop", loop);
  std::ofstream(file) << "x";
  for (const fs::path& bad : {loop, file}) {
    const Remembered<Settings> found = rememberedSettings(bad);
    EXPECT_EQ(found.value, Settings{});
    EXPECT_THAT(ownPresets(bad), testing::IsEmpty());
    EXPECT_NO_THROW(rememberedPreferences(bad));
    EXPECT_THAT(test::reasonOf([&] { rememberSettings(bad, {}); }),
                testing::StartsWith("cannot create the folder " + bad.string() + ": "));
  }
  EXPECT_THAT(rememberedSettings(loop).problem, HasSubstr("symbolic links"));
}

using test::Environment;

TEST(ConfigFolder, IsNeverBelowTheCurrentFolder) {
  const Environment home("HOME", "/home/a"), config("XDG_CONFIG_HOME", "/config");
  EXPECT_EQ(configFolder(), "/config/satdof");
  for (const char* unset : {static_cast<const char*>(nullptr), "", "relative"}) {
    const Environment without("XDG_CONFIG_HOME", unset);
    EXPECT_EQ(configFolder(), "/home/a/.config/satdof");
    const Environment homeless("HOME", unset);
    EXPECT_TRUE(configFolder().empty() || configFolder().is_absolute()) << configFolder();
  }
}

TEST_F(RememberedTest, ReadsBack) {
  Settings settings;
  settings.lens.fNumber = 2.8f;
  settings.camera.yawDegrees = -33.0f;
  rememberSettings(folder / "new" / "folder", settings);
  const Remembered<Settings> found = rememberedSettings(folder / "new" / "folder");
  EXPECT_EQ(found.value, settings);
  EXPECT_EQ(found.problem, "");
}

TEST_F(RememberedTest, AShotIsReadBackAndADamagedOneIsKept) {
  EXPECT_EQ(rememberedShot(folder).value, Shot{});
  const Shot shot{.tracks = {{.field = "lens.fNumber", .keys = {{.timeS = 1, .value = 4}}}}, .camera = {}};
  rememberShot(folder, shot);
  EXPECT_EQ(rememberedShot(folder).value, shot);
  std::ofstream(folder / "shot.json") << "{";
  const Remembered<Shot> damaged = rememberedShot(folder);
  EXPECT_EQ(damaged.value, Shot{});
  EXPECT_THAT(damaged.problem, HasSubstr("shot.json.bad"));
  EXPECT_TRUE(fs::exists(folder / "shot.json.bad"));
  rememberShot(folder, {});
  EXPECT_FALSE(fs::exists(folder / "shot.json"));
}

TEST_F(RememberedTest, TheStepsOfTheUndoAreReadBackAsFarAsTheyFit) {
  EXPECT_THAT(UndoFile(folder).read(), testing::IsEmpty());
  std::vector<UndoStep> steps(3);
  const Shot shot{.tracks = {{.field = "lens.fNumber", .keys = {{.timeS = 1, .value = 4}}}}, .camera = {}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].settings.lens.fNumber = 2.0f + static_cast<float>(i);
    steps[i].shot = std::make_shared<const Shot>(i == 0 ? Shot{} : shot);
    steps[i].shotTimeS = static_cast<double>(i);
    steps[i].action = std::to_string(i);
  }
  const auto holds = [&](const std::vector<UndoStep>& expected) {
    return std::ranges::equal(UndoFile(folder).read(), expected, [](const UndoStep& x, const UndoStep& y) {
      return x.settings == y.settings && *x.shot == *y.shot && x.shotTimeS == y.shotTimeS && x.action == y.action;
    });
  };
  UndoFile file(folder);
  file.write(steps);
  EXPECT_TRUE(holds(steps));
  steps.push_back(steps[0]);
  steps.back().action = "back";
  file.write(steps);
  EXPECT_TRUE(holds(steps)) << "one more";
  steps.erase(steps.begin());
  steps[2].settings.camera.yawDegrees = 7.0f;
  file.write(steps);
  EXPECT_TRUE(holds(steps)) << "without the first, another last one";
  steps[0].action = std::string(1 << 22, 'x');
  file.write(steps);
  EXPECT_TRUE(holds({steps[1], steps[2]})) << "the last ones";
  const auto useCameraOf = [&](int keys) {
    Shot path;
    for (int key = 0; key < keys; ++key) path.camera.push_back({.timeS = key / 8.0});
    const auto shared = std::make_shared<const Shot>(path);
    for (UndoStep& step : steps) step.shot = shared;
  };
  useCameraOf(5'000);
  EXPECT_TRUE(file.write(steps));
  EXPECT_GT(fs::file_size(folder / "undo.json"), 1u << 18);
  fs::remove(folder / "undo.json");
  EXPECT_TRUE(file.write(steps)) << "the file has vanished";
  EXPECT_TRUE(fs::exists(folder / "undo.json"));
  useCameraOf(20'000);
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(file.write(steps));
  EXPECT_FALSE(fs::exists(folder / "undo.json"));
  temporary.write("undo.json", "{");
  EXPECT_THAT(UndoFile(folder).read(), testing::IsEmpty());
}

TEST_F(RememberedTest, StepsOfTheUndoThatWouldGrowWithoutLimitAreLeftOut) {
  const auto stepsRead = [&](const std::string& changes, int steps) {
    std::string text = R"({"settings": {"lens": {}, "camera": {}}, "shot": null, "steps": [)";
    for (int i = 0; i < steps; ++i)
      text += (i > 0 ? "," : "") + (R"({"shot": [], "time": 0, "action": "", "settings": [)" + changes + "]}");
    temporary.write("undo.json", text + "]}");
    return UndoFile(folder).read().size();
  };
  EXPECT_EQ(stepsRead(R"({"op": "add", "path": "/lens/fNumber", "value": 2})", 51), 51u);
  EXPECT_EQ(stepsRead(R"({"op": "copy", "from": "/lens", "path": "/camera"})", 1), 0u);
  EXPECT_EQ(stepsRead("", 52), 0u);
}

TEST_F(RememberedTest, AnUnknownKeyOrValueKeepsTheRest) {
  const std::string text = R"({"lens": {"fNumber": 4, "shine": 3, "blades": "many"}, "camera": {"yawDegrees": 5}})";
  write(text);
  const Remembered<Settings> found = rememberedSettings(folder);
  EXPECT_EQ(found.value.lens.fNumber, 4.0f);
  EXPECT_EQ(found.value.camera.yawDegrees, 5.0f);
  EXPECT_EQ(found.value.lens.blades, LensSettings{}.blades);
  EXPECT_THAT(found.problem, HasSubstr("lens.shine"));
  EXPECT_THAT(found.problem, HasSubstr("lens.blades"));
  EXPECT_THAT(found.problem, HasSubstr("settings.json.bad"));
  EXPECT_EQ(kept(), text);
}

TEST_F(RememberedTest, ADamagedFileIsKeptAndReported) {
  for (const std::string text : {"", "{", "[1]", "\x89PNG", "{\"lens\": 1e999}"}) {
    write(text);
    const Remembered<Settings> found = rememberedSettings(folder);
    EXPECT_EQ(found.value, Settings{});
    EXPECT_THAT(found.problem, HasSubstr("settings.json"));
    EXPECT_EQ(kept(), text);
    fs::remove(folder / "settings.json.bad");
  }
}

TEST_F(RememberedTest, ASecondDamagedFileLeavesTheFirst) {
  const auto damage = [&](const std::string& text) {
    std::ofstream(folder / "interface.json") << text;
    return rememberedPreferences(folder).problem;
  };
  const auto kept = [&](const char* name) { return readWholeFile(folder / name, 1 << 20); };
  damage("first");
  EXPECT_THAT(damage("second"), testing::EndsWith("interface.json.2.bad"));
  damage("second");
  EXPECT_EQ(kept("interface.json.bad"), "first");
  EXPECT_EQ(kept("interface.json.2.bad"), "second");
  EXPECT_FALSE(fs::exists(folder / "interface.json.3.bad")) << "the same file is kept once";
  for (int i = 0; i < 20; ++i) damage(std::to_string(i));
  EXPECT_EQ(kept("interface.json.9.bad"), "19");
}

TEST_F(RememberedTest, PreferencesReadBack) {
  Preferences preferences;
  preferences.panelWidth = 400.0f;
  preferences.uiScale = 1.5f;
  preferences.hintSeen = true;
  preferences.crashTold = "crash-1.txt";
  preferences.openSections = {{"Lens", false}, {"Scene", true}};
  preferences.capture = {"Radiance HDR", 80,    KeepMetadata::all, false, {33, 1000}, true, 7, 25.0f, "holiday", "out",
                         false,          "mkv", {172.5f, 9}};
  Settings crowd;
  crowd.scene.teapots.count = 100;
  crowd.camera.shiftX = 0.1f;
  preferences.preset = {"crowd \"1\"", crowd};
  preferences.bookmarks[1] = CameraSettings{.yawDegrees = 33.25f, .distanceM = 4.0f};
  preferences.focusMarks[5] = 2.5f;
  preferences.film = {{"film.mp4"}, {"depth.mkv"}};
  ImageSettings relative;
  relative.meaning = DepthMeaning::relative;
  relative.farM = 4.5f;
  Settings left;
  left.lens.fNumber = 3.5f;
  left.lens.focusDistanceM = 0.75f;
  Settings focused;
  focused.lens.focusDistanceM = 6.5f;
  preferences.recentImages = {{{"a.png"}, {}, relative, left, true}, {{"b.png"}, {"c.exr"}, {}, focused}};
  preferences.pullS = 3.5f;
  preferences.typed = {"lens.focusDistanceM"};
  preferences.strip = {"a.png", "b.png"};
  preferences.leftScenes[SceneKind::image] = {{.camera = {.yawDegrees = 7.5f},
                                               .focusDistanceM = 1.75f,
                                               .focalLengthMm = 28.5f,
                                               .sensorHeightMm = 12.25f,
                                               .exposureStops = 1.5f},
                                              false};
  rememberPreferences(folder, preferences);
  const auto [found, problem] = rememberedPreferences(folder);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(found.panelWidth, 400.0f);
  EXPECT_EQ(found.uiScale, 1.5f);
  EXPECT_TRUE(found.hintSeen);
  EXPECT_EQ(found.crashTold, "crash-1.txt");
  EXPECT_EQ(found.film, preferences.film);
  EXPECT_EQ(found.recentImages, preferences.recentImages);
  EXPECT_EQ(found.openSections, preferences.openSections);
  EXPECT_EQ(found.capture.format, "Radiance HDR");
  EXPECT_EQ(found.capture.quality, 80);
  EXPECT_EQ(found.capture.keep, KeepMetadata::all);
  EXPECT_FALSE(found.capture.windowSize);
  EXPECT_EQ(found.capture.size, glm::ivec2(33, 1000));
  EXPECT_TRUE(found.capture.withUi);
  EXPECT_EQ(found.capture.sequenceFrames, 7);
  EXPECT_EQ(found.capture.framesPerSecond, 25.0f);
  EXPECT_FALSE(found.capture.video);
  EXPECT_EQ(found.capture.shutter, (Shutter{172.5f, 9}));
  EXPECT_EQ(found.capture.name, "holiday");
  EXPECT_EQ(found.capture.folder, "out");
  EXPECT_EQ(found.bookmarks, preferences.bookmarks);
  EXPECT_EQ(found.focusMarks, preferences.focusMarks);
  EXPECT_EQ(found.pullS, 3.5f);
  EXPECT_EQ(found.typed, preferences.typed);
  EXPECT_EQ(found.strip, preferences.strip);
  ASSERT_EQ(found.leftScenes.size(), 1u);
  const auto& [framing, frame] = found.leftScenes.at(SceneKind::image);
  EXPECT_EQ(framing.camera, CameraSettings{.yawDegrees = 7.5f});
  EXPECT_EQ(framing.focusDistanceM, 1.75f);
  EXPECT_EQ(framing.focalLengthMm, 28.5f);
  EXPECT_EQ(framing.sensorHeightMm, 12.25f);
  EXPECT_EQ(framing.exposureStops, 1.5f);
  EXPECT_FALSE(frame);
  ASSERT_TRUE(found.preset);
  EXPECT_EQ(found.preset->name, "crowd \"1\"");
  EXPECT_EQ(found.preset->settings, crowd);
}

TEST_F(RememberedTest, ChangesByAnotherWindowStay) {
  const Preferences first;
  Preferences other, own;
  other.bookmarks[1] = CameraSettings{.yawDegrees = 33.25f};
  other.film = {{"film.mp4"}, {}};
  own.focusMarks[5] = 2.5f;
  rememberPreferences(folder, other, first);
  rememberPreferences(folder, own, first);
  Preferences found = rememberedPreferences(folder).value;
  EXPECT_EQ(found.bookmarks, other.bookmarks);
  EXPECT_EQ(found.focusMarks, own.focusMarks);
  rememberPreferences(folder, first, other);
  found = rememberedPreferences(folder).value;
  EXPECT_EQ(found.bookmarks, first.bookmarks);
  EXPECT_EQ(found.film, std::nullopt);
  EXPECT_EQ(found.focusMarks, own.focusMarks);

  // Parts of the preferences merge, too.
  Preferences left, right;
  for (Preferences* const each : {&left, &right}) each->capture.folder = "kept";
  rememberPreferences(folder, left);
  const Preferences both = left;
  left.bookmarks[0] = CameraSettings{.yawDegrees = 7.5f};
  right.bookmarks[1] = CameraSettings{.yawDegrees = 8.5f};
  left.capture.quality = 50;
  right.capture.name = "holiday";
  left.openSections["Lens"] = right.openSections["Scene"] = true;
  left.film = {{"left.mp4"}, {"depth.mkv"}};
  right.film = {{"right.mp4"}, {}};
  rememberPreferences(folder, left, both);
  rememberPreferences(folder, right, both);
  found = rememberedPreferences(folder).value;
  EXPECT_EQ(found.bookmarks[0], left.bookmarks[0]);
  EXPECT_EQ(found.bookmarks[1], right.bookmarks[1]);
  EXPECT_EQ(found.capture.quality, 50);
  EXPECT_EQ(found.capture.name, "holiday");
  EXPECT_EQ(found.openSections, (std::map<std::string, bool>{{"Lens", true}, {"Scene", true}}));
  EXPECT_EQ(found.film, right.film);

  const Shot shot{.tracks = {{.field = "lens.fNumber", .keys = {{.timeS = 1, .value = 4}}}}, .camera = {}};
  rememberShot(folder, shot, Shot{});
  rememberShot(folder, {}, Shot{});
  EXPECT_EQ(rememberedShot(folder).value, shot);
  const Shot third{.tracks = {{.field = "lens.fNumber", .keys = {{.timeS = 2, .value = 8}}}}, .camera = {}};
  EXPECT_EQ(rememberShot(folder, shot, shot), "");
  EXPECT_THAT(rememberShot(folder, third, Shot{}), HasSubstr("kept as "));
  EXPECT_EQ(rememberedShot(folder).value, third);
  EXPECT_EQ(readWholeFile(folder / "shot.json.other.json", 10000), shotToJson(shot));
  EXPECT_EQ(rememberShot(folder, {}, third), "");
  EXPECT_EQ(rememberedShot(folder).value, Shot{});

  Settings settings;
  settings.lens.fNumber = 2.8f;
  rememberSettings(folder, settings, Settings{});
  rememberSettings(folder, {}, Settings{});
  EXPECT_EQ(rememberedSettings(folder).value, settings);
  rememberSettings(folder, {}, settings);
  EXPECT_EQ(rememberedSettings(folder).value, Settings{});

  Settings aperture, photograph, all;
  aperture.lens.fNumber = all.lens.fNumber = 1.6f;
  aperture.scene.image.file = {"left.png"};
  aperture.scene.image.depth = {"left-depth.png"};
  photograph.technique.view = all.technique.view = View::sharp;
  photograph.scene.image.file = all.scene.image.file = {"right.png"};
  rememberSettings(folder, aperture, Settings{});
  rememberSettings(folder, photograph, Settings{});
  EXPECT_EQ(rememberedSettings(folder).value, all) << "no depth of another photograph";
}

TEST_F(RememberedTest, RecentImagesOfAnotherWindowStay) {
  const RecentImage a{{"a.png"}, {}}, b{{"b.png"}, {"b-depth.png"}}, c{{"c.png"}, {}}, d{{"d.png"}, {}};
  const auto withAperture = [](RecentImage image, float fNumber) {
    image.left.emplace().lens.fNumber = fNumber;
    image.hasLook = true;
    return image;
  };
  const auto saved = [&](const std::vector<RecentImage>& own, const std::vector<RecentImage>& before) {
    Preferences now, known;
    now.recentImages = own;
    known.recentImages = before;
    rememberPreferences(folder, now, known);
    return rememberedPreferences(folder).value.recentImages;
  };
  const RecentImage wide = withAperture(b, 2.0f), narrow = withAperture(a, 8.0f);
  using List = std::vector<RecentImage>;
  saved({a, b, c}, {});
  EXPECT_EQ(saved({d, wide, a, c}, {a, b, c}), (List{d, wide, a, c})) << "by another window";
  EXPECT_EQ(saved({c, a, b}, {a, b, c}), (List{c, d, wide, a})) << "c is shown again";
  EXPECT_EQ(saved({narrow, c, b}, {c, a, b}), (List{narrow, c, d, wide})) << "a is changed";
  EXPECT_EQ(saved({b, narrow, c}, {narrow, c, b}), (List{wide, narrow, c, d})) << "b is shown again";
  EXPECT_EQ(saved({b, narrow}, {b, narrow, c}), (List{wide, narrow, d})) << "c is removed";
  EXPECT_EQ(saved({d, b}, {b}), (List{d, wide, narrow})) << "d was shown by another window";
}

TEST_F(RememberedTest, DamagedPreferencesAreTheDefaults) {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  const std::vector<std::string> texts = {"",
                                          "{",
                                          "[]",
                                          R"({"panelWidth": "wide"})",
                                          R"({"bookmarks": [3]})",
                                          R"({"bookmarks": [)" + deep + "]}",
                                          R"({"preset": {"name": "a", "settings": {"nothing": 1}}})",
                                          R"({"preset": {"name": "a", "settings": )" + deep + "}}"};
  for (const std::string& text : texts) {
    std::ofstream(folder / "interface.json") << text;
    const auto [found, problem] = rememberedPreferences(folder);
    EXPECT_THAT(problem, AllOf(HasSubstr("interface.json"), HasSubstr("kept as"))) << text;
    EXPECT_TRUE(readWholeFile(folder / "interface.json.bad", 1 << 20) == text);
    fs::remove(folder / "interface.json.bad");
    EXPECT_EQ(found.panelWidth, Preferences{}.panelWidth) << text;
    EXPECT_EQ(found.bookmarks, Preferences{}.bookmarks) << text;
    EXPECT_FALSE(found.preset) << text;
  }
}

TEST_F(RememberedTest, TheProblemNamesTheFile) {
  for (const std::string text : {"", "[1]", "{\"hintSeen\": 2}"}) {
    std::ofstream(folder / "interface.json") << text;
    EXPECT_THAT(rememberedPreferences(folder).problem, testing::StartsWith((folder / "interface.json").string()));
  }
}

TEST_F(RememberedTest, DamagedValuesOfPreferencesKeepTheRest) {
  const std::string text = R"({"panelWidth": "wide", "uiScale": 1e300, "hintSeen": true,
      "openSections": {"Scene": true}, "capture": {"width": {}, "height": 77, "video": 3},
      "bookmarks": [{"yawDegrees": 5}, {"yaw": 5}, 3, null, {"yawDegrees": 6}],
      "recentImages": [{"file": "a.png", "depth": ""}, "b.png", {"file": "c.png", "depth": "d.png"}],
      "film": {"name": "f.mp4"},
      "scenes": {"teapots": 3, "image": {"lens": {"focusDistanceM": 2}}}, "preset": {"name": "a"}})";
  std::ofstream(folder / "interface.json") << text;
  const auto [found, problem] = rememberedPreferences(folder);
  EXPECT_THAT(problem, HasSubstr("left out: panelWidth, capture.width, capture.video, bookmarks[1], bookmarks[2], "
                                 "recentImages[1], film, scenes.teapots, preset; the file is kept as"));
  ASSERT_EQ(found.leftScenes.size(), 1u);
  EXPECT_EQ(found.leftScenes.at(SceneKind::image).framing.focusDistanceM, 2.0f);
  EXPECT_EQ(found.panelWidth, Preferences{}.panelWidth);
  EXPECT_EQ(found.uiScale, Preferences::kMaxUiScale);
  EXPECT_TRUE(found.hintSeen);
  EXPECT_TRUE(found.openSections.at("Scene"));
  EXPECT_EQ(found.capture.size, glm::ivec2(CaptureSettings{}.size.x, 77));
  EXPECT_EQ(found.capture.video, CaptureSettings{}.video);
  ASSERT_TRUE(found.bookmarks[0] && found.bookmarks[4]);
  EXPECT_FALSE(found.bookmarks[1] || found.bookmarks[2] || found.bookmarks[3]);
  EXPECT_EQ(found.bookmarks[4]->yawDegrees, 6.0f);
  ASSERT_EQ(found.recentImages.size(), 2u);
  EXPECT_EQ(found.recentImages[1].file.text, "c.png");
  EXPECT_FALSE(found.preset);
}

TEST_F(RememberedTest, OwnPresetsAreSettingsFilesByName) {
  EXPECT_TRUE(ownPresets(folder).empty());
  fs::create_directories(folder / "presets");
  for (const char* name : {"b.json", "a.json", "notes.txt"}) std::ofstream(folder / "presets" / name) << "{}";
  EXPECT_THAT(ownPresets(folder), testing::ElementsAre(folder / "presets/a.json", folder / "presets/b.json"));
}

TEST_F(RememberedTest, TheStrictReaderStillChangesNothing) {
  Settings settings;
  EXPECT_THROW(applySettingsJson(settings, R"({"lens": {"fNumber": 4, "shine": 3}})", "x"), std::runtime_error);
  EXPECT_EQ(settings, Settings{});
}

}  // namespace
}  // namespace satdof
