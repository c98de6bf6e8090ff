#include "app/ui/timeline/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <glm/trigonometric.hpp>

#include "app/ui/history.h"
#include "app/ui/keys.h"
#include "app/ui/timeline/ready_shots.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

constexpr const char *kFocus = "lens.focusDistanceM", *kDistance = "camera.distanceM", *kTracked = "lens.trackedObject";

// A window at a clock, frame by frame.
struct Frames {
  Session session;
  History history{session};
  double nowS = 10.0;

  void frame(bool held = false, double stepS = 1.0) {
    advancePlayhead(session, session.timeline.playing ? stepS : 0.0);
    if (std::exchange(session.timeline.moved, false)) history.amendShot(session);
    history.observe(session, nowS += 1.0, held);
  }
  void setFocusKeys() {
    for (const double timeS : {0.0, 2.0}) {
      scrub(session, timeS);
      session.settings.lens.focusDistanceM = 1 + static_cast<float>(timeS);
      frame();
      toggleKey(session, kFocus);
      frame();
    }
  }
  ReadyShot ready(const char* name) {
    for (const ReadyShot& shot : readyShots())
      if (std::string(shot.name) == name) return shot;
    throw std::logic_error(name);
  }
};

TEST(Timeline, ReportsThatAShotIsFull) {
  Session session;
  Shot shot;
  for (std::size_t i = 0; i < kMaxShotKeys; ++i) setKey(shot, session.settings, kFocus, 0.01 * static_cast<double>(i));
  EXPECT_TRUE(changeShot(session, shot, "Keys"));
  session.timeline.timeS = 0.005;
  for (const auto& act : {+[](Session& of) { toggleKey(of, kFocus); }, &setKeys}) {
    act(session);
    EXPECT_EQ(session.notices.text, "A shot has at most 20000 keys");
  }
  EXPECT_EQ(session.shot(), shot);
}

TEST(Timeline, CountsFramesFromOne) {
  Session session;
  session.timeline.shown = true;
  session.preferences.capture.framesPerSecond = 4;
  EXPECT_EQ(frameText(session), "frame 1");
  session.inputFrames = 12;
  EXPECT_EQ(frameText(session), "frame 1 of 12, 4 fps");
  goToEnd(session, true);
  EXPECT_EQ(frameText(session), "frame 12 of 12, 4 fps");
  toggleKey(session, kFocus);
  EXPECT_EQ(frameText(session), "frame 12 of 12, 4 fps") << "a key on the last frame";
  session.inputFrames = 0;
  EXPECT_EQ(frameText(session), "after frame 11, 4 fps") << "the frame of the last key";
}

TEST(Timeline, PlaysInStepWithTheClockAndLoops) {
  Frames window;
  window.session.timeline.shown = true;
  window.setFocusKeys();
  Timeline& timeline = window.session.timeline;
  togglePlaying(window.session);
  EXPECT_EQ(timeline.timeS, 0) << "from the start, at the end";
  window.frame(false, 1.5);
  EXPECT_DOUBLE_EQ(timeline.timeS, 1.5);
  EXPECT_EQ(window.session.settings, settingsAt(*timeline.shot, window.session.settings, 1.5));
  window.frame(false, 1.0);
  EXPECT_DOUBLE_EQ(timeline.timeS, 0.5) << "from the start again";
  window.frame(false, 5.0);
  EXPECT_DOUBLE_EQ(timeline.timeS, 1.5) << "a long frame loses no time";
  timeline.loops = false;
  window.frame(false, 1.0);
  EXPECT_DOUBLE_EQ(timeline.timeS, 2);
  EXPECT_FALSE(timeline.playing);
  timeline.range = {0.5, 1};
  timeline.loops = true;
  togglePlaying(window.session);
  window.frame(false, 0.75);
  EXPECT_DOUBLE_EQ(timeline.timeS, 0.75);
}

TEST(Timeline, TheEndOfARefocusedFilmIsItsLastFrame) {
  Session session;
  session.inputFrames = 3;
  goToEnd(session, true);
  EXPECT_EQ(inputFrame(session), 2);
  stepFrames(session, -1);
  EXPECT_EQ(inputFrame(session), 1) << "one frame back";
}

TEST(Timeline, CurvesAreEvenAsValuesGoFromKeyToKey) {
  for (const char* const field : {kFocus, "lens.fNumber", "camera.yawDegrees"}) {
    const Track track{.field = field, .keys = {{.timeS = 0, .value = 2}, {.timeS = 1, .value = 8}}};
    const ValueAxis axis = valueAxis(track, 10, 110);
    const float middle = valueAt(axis.how, track.keys, 0.5);
    EXPECT_GT(axis.y(2), axis.y(8)) << "upwards";
    EXPECT_NEAR(axis.y(middle), (axis.y(2) + axis.y(8)) / 2, 1e-3) << field;
    EXPECT_GT(axis.y(8), 10);
    EXPECT_LT(axis.y(2), 110);
    EXPECT_NEAR(axis.value(axis.y(3)), 3, 1e-4) << field;
  }
  const ValueAxis still = valueAxis({.field = kFocus, .keys = {{.timeS = 0, .value = 3}}}, 0, 100);
  EXPECT_NEAR(still.y(3), 50, 1e-3);
  EXPECT_EQ(keyValueNear(kFocus, 0.01f), 0.1f);
  EXPECT_EQ(keyValueNear("lens.blades", 5.4f), 5.0f);
  EXPECT_EQ(keyValueNear("lens.autofocus", 3.0f), 1.0f);
}

TEST(Timeline, MovingThePlayheadIsNoEdit) {
  Frames window;
  window.session.timeline.shown = true;
  window.setFocusKeys();
  const auto undone = [&] { return window.history.undo(window.session); };
  scrub(window.session, 1);
  window.frame();
  scrub(window.session, 0.5);
  window.frame();
  EXPECT_EQ(undone(), "Key: Focus");
  EXPECT_EQ(window.session.timeline.timeS, 2) << "where the key was set";
  EXPECT_EQ(keyCount(window.session.shot()), 1u);
  EXPECT_EQ(undone(), "Focus");
  EXPECT_EQ(undone(), "Key: Focus");
  EXPECT_EQ(window.session.shot(), Shot{});
  window.history.redo(window.session);
  EXPECT_EQ(keyCount(window.session.shot()), 1u);
}

TEST(Timeline, ADragIsOneNamedStep) {
  Frames window;
  window.session.timeline.shown = true;
  window.setFocusKeys();
  const Shot before = window.session.shot();
  for (const double byS : {0.1, 0.2, 0.3}) {
    Shot shot = before;
    std::set<KeyId> ids{{kFocus, 2}};
    moveKeys(shot, ids, byS, false, 30);
    changeShot(window.session, shot, "Move 1 key", true);
    window.frame(true);
  }
  window.frame();
  EXPECT_TRUE(hasKey(window.session.shot(), {kFocus, nearestFrameS(2.3, 30)}));
  EXPECT_EQ(window.history.undo(window.session), "Move 1 key");
  EXPECT_EQ(window.session.shot(), before);
}

TEST(Timeline, AnEditOfTheShotLeavesOtherSettingsAsTheyAre) {
  Frames window;
  window.session.timeline.shown = true;
  window.setFocusKeys();
  setKeys(window.session);
  window.frame();
  window.session.settings.lens.fNumber = 11;
  window.frame();
  toggleKey(window.session, "lens.blades");
  window.frame();
  EXPECT_EQ(window.session.settings.lens.fNumber, 11.0f) << "edited, without a key yet";
  EXPECT_TRUE(keyState(window.session, "lens.fNumber").changed);
  toggleKey(window.session, "lens.fNumber");
  EXPECT_FALSE(keyState(window.session, "lens.fNumber").changed);
  EXPECT_TRUE(keyState(window.session, "lens.fNumber").here);
  toggleKey(window.session, "lens.fNumber");
  EXPECT_FALSE(keyState(window.session, "lens.fNumber").animated);
}

TEST(Timeline, RecordedEditsSetKeysOfTheirTracks) {
  Frames window;
  Session& session = window.session;
  session.timeline.shown = true;
  window.setFocusKeys();
  scrub(session, 1);
  const Settings before = session.settings;
  session.settings.lens.focusDistanceM = 7;
  session.settings.lens.fNumber = 11;
  recordEdits(session, before);
  EXPECT_EQ(keyCount(session.shot()), 2u) << "only where that is asked for";
  scrub(session, 1.5);
  EXPECT_NE(session.notices.text.find("not kept: Focus"), std::string::npos);
  session.notices.text.clear();
  session.timeline.recordsEdits = true;
  session.settings.lens.focusDistanceM = 7;
  recordEdits(session, before);
  EXPECT_EQ(findKey(session.shot(), {kFocus, 1.5})->value, 7.0f);
  EXPECT_FALSE(animates(session.shot(), "lens.fNumber")) << "it has no track";
  EXPECT_EQ(session.gesture, "Key: Focus");
  scrub(session, 0);
  EXPECT_EQ(session.notices.text, "");
}

TEST(Timeline, ATrackedPointIsOneKey) {
  Session session;
  session.timeline.shown = true;
  LensSettings& lens = session.settings.lens;
  lens.autofocus = true;
  lens.autofocusOn = AutofocusOn::tracked;
  const auto track = [&](int object, float x) {
    lens.trackedObject = object;
    lens.trackedX = x;
  };
  setKeys(session);
  EXPECT_FALSE(animates(session.shot(), kTracked)) << "nothing is tracked yet";
  track(2, 0.5f);
  toggleKey(session, kTracked);
  scrub(session, 2);
  track(6, -0.5f);
  EXPECT_FALSE(keyState(session, kTracked).here);
  setKeys(session);
  EXPECT_EQ(session.notices.text.find("The focus has none"), std::string::npos) << session.notices.text;
  const auto at = [&](double timeS) {
    const LensSettings then = settingsAt(session.shot(), session.settings, timeS).lens;
    return std::pair(then.trackedObject, then.trackedX);
  };
  EXPECT_EQ(at(0), std::pair(2, 0.5f));
  EXPECT_EQ(at(1.99), std::pair(2, 0.5f)) << "the whole point changes at the key";
  EXPECT_EQ(at(2), std::pair(6, -0.5f));
  EXPECT_TRUE(keyState(session, kTracked).here);
  EXPECT_FALSE(keyState(session, kTracked).changed);
  track(6, 0.25f);
  EXPECT_TRUE(keyState(session, kTracked).changed);
  // While edits are recorded, a new tracked point sets its key.
  session.timeline.recordsEdits = true;
  Settings before = session.settings;
  before.lens.trackedX = -0.5f;
  recordEdits(session, before);
  EXPECT_EQ(session.gesture, "Key: Tracked point");
  EXPECT_EQ(at(2), std::pair(6, 0.25f));
  // One row holds all four tracks of the point. The arrow keys that change values leave them alone.
  const auto rows = timelineRows(session.shot(), false);
  const auto row = std::ranges::find(rows, "Tracked point", &TimelineRow::label);
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->tracks.size(), 4u);
  session.timeline.selected.clear();
  selectNextKey(session, row->tracks, false);
  stepSelected(session, 0, 1);
  EXPECT_EQ(at(0), std::pair(2, 0.5f));
  toggleKey(session, kTracked);
  EXPECT_EQ(at(2), std::pair(2, 0.5f)) << "removed";
  for (const std::string& field : row->tracks) EXPECT_EQ(keyTimes(session.shot(), field).size(), 1u) << field;
}

TEST(Timeline, RecordsTheShotOrASequence) {
  Session session;
  toggleFilm(session);
  ASSERT_TRUE(session.sequence);
  EXPECT_FALSE(session.sequence->ofShot) << "no timeline is shown";
  toggleFilm(session);
  EXPECT_FALSE(session.sequence);
  setKeys(session);
  scrub(session, 2);
  setKeys(session);
  session.preferences.capture.framesPerSecond = 10;
  session.timeline.range = {0.5, 1.0};
  toggleFilm(session);
  ASSERT_TRUE(session.sequence);
  EXPECT_EQ(session.sequence->frames, 5);
  advancePlayhead(session, 0);
  EXPECT_EQ(session.timeline.timeS, 0.5);
  session.sequence->written = 4;
  advancePlayhead(session, 0);
  EXPECT_EQ(session.timeline.timeS, 0.9) << "a frame before the end";
  session.sequence.reset();
  advancePlayhead(session, 0);
  EXPECT_EQ(session.timeline.timeS, 2) << "where the playhead was";
}

TEST(Timeline, AFilmNamesItsFiles) {
  Session session;
  setKeys(session);
  scrub(session, 2);
  setKeys(session);
  CaptureSettings& capture = session.preferences.capture;
  capture.framesPerSecond = 10;
  capture.format = "PNG";
  capture.video = false;
  const std::filesystem::path here = std::filesystem::current_path();
  EXPECT_EQ(filmFiles(session), "Writes " + (here / "sequence-0001.png").string() + " to sequence-0020.png");
  capture.name = "pull";
  session.timeline.range = {0.5, 1.0};
  const test::TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  capture.folder = folder.string();
  EXPECT_EQ(filmFiles(session), "Writes " + (folder / "pull-0006.png").string() + " to pull-0010.png");
  const std::filesystem::path there = temporary.write("pull-0006.png", "");
  EXPECT_THAT(filmFiles(session), testing::EndsWith("on the disk: the same film goes on, another one is pull-2"));
  std::filesystem::remove(there);
  capture.video = true;
  EXPECT_EQ(filmFiles(session), "Writes " + (folder / "pull-0001.mp4").string());
  temporary.write("pull-0007.mp4", "");
  EXPECT_EQ(filmFiles(session), "Writes " + (folder / "pull-0008.mp4").string());
}

TEST(Timeline, TheKeyboardSelectsKeysOfARow) {
  Session session;
  session.timeline.shown = true;
  for (const double timeS : {0.0, 1.0, 2.0, 3.0}) {
    scrub(session, timeS);
    setKeys(session);
  }
  auto& selected = session.timeline.selected;
  const std::vector<std::string> row = {kDistance, "camera.yawDegrees"};
  const auto times = [&] {
    std::set<double> found;
    for (const KeyId& id : selected) found.insert(id.timeS);
    return found;
  };
  extendSelection(session, row, true);
  EXPECT_TRUE(selected.empty()) << "nothing to extend";
  selected = {{kDistance, 1}};
  extendSelection(session, row, true);
  EXPECT_THAT(selected, testing::ElementsAre(KeyId{kDistance, 1}, KeyId{kDistance, 2}, KeyId{row[1], 2}));
  extendSelection(session, row, false);
  EXPECT_THAT(times(), testing::ElementsAre(0, 1, 2));
  extendSelection(session, row, false);
  extendSelection(session, row, true);
  extendSelection(session, row, true);
  EXPECT_THAT(times(), testing::ElementsAre(0, 1, 2, 3));
  selected.clear();
  session.timeline.keyboardAt = row;
  selectAll(session);
  EXPECT_EQ(selected.size(), 8u) << "of the row";
  selectAll(session);
  EXPECT_EQ(selected.size(), keyCount(session.shot()));
}

TEST(Timeline, KeysOfTheKeyboard) {
  Session session;
  typeCharacter(session, 'k', false);
  EXPECT_TRUE(session.timeline.shown);
  EXPECT_EQ(keyCount(session.shot()), 10u);
  scrub(session, 1);
  typeCharacter(session, 'k', false);
  typeCharacter(session, ' ', false);
  EXPECT_TRUE(session.timeline.playing);
  EXPECT_TRUE(session.settings.scene.animate) << "Space belongs to the timeline";
  typeCharacter(session, ' ', false);
  const auto key = [&](int code, bool control = false) { pressKey(session, code, control, false); };
  key(268);  // Home
  EXPECT_EQ(session.timeline.timeS, 0);
  key(267);  // Page Down
  EXPECT_EQ(session.timeline.timeS, 1);
  key(262, true);  // Ctrl right
  EXPECT_EQ(session.timeline.timeS, nearestFrameS(1 + 1 / 30.0, 30));
  key(65, true);  // Ctrl A
  EXPECT_EQ(session.timeline.selected.size(), 20u);
  key(68, true);  // Ctrl D
  EXPECT_EQ(keyCount(session.shot()), 40u);
  key(261);  // Delete
  EXPECT_EQ(keyCount(session.shot()), 20u) << "the copies were selected";
  key(295);  // F6
  EXPECT_FALSE(session.timeline.shown);
}

TEST(Timeline, KeysOfCameraAndLensLeaveTheAutofocusOnAndHaveTheRoll) {
  Session session;
  session.settings.lens.autofocus = true;
  session.settings.camera.rollDegrees = 5;
  setKeys(session);
  EXPECT_TRUE(session.settings.lens.autofocus);
  EXPECT_FALSE(animates(session.shot(), kFocus));
  EXPECT_EQ(settingsAt(session.shot(), {}, 0).camera.rollDegrees, 5);
}

TEST(Timeline, TheKeyboardSelectsKeysOfARowOneByOneAndSetsWhatIsPlayed) {
  Frames window;
  Session& session = window.session;
  session.timeline.shown = true;
  window.setFocusKeys();
  const auto selected = [&](bool adds) {
    selectNextKey(session, {kFocus}, adds);
    std::vector<double> times;
    for (const KeyId& id : session.timeline.selected) times.push_back(id.timeS);
    return times;
  };
  EXPECT_THAT(selected(false), testing::ElementsAre(0));
  EXPECT_THAT(selected(false), testing::ElementsAre(2));
  EXPECT_THAT(selected(false), testing::ElementsAre(0)) << "around";
  EXPECT_THAT(selected(true), testing::ElementsAre(0, 2));
  scrub(session, 1);
  pressKey(session, 268, true, false);  // Ctrl Home
  EXPECT_EQ(playedRange(session), std::pair(1.0, 2.0));
  pressKey(session, 269, true, false);  // Ctrl End
  EXPECT_EQ(playedRange(session), std::pair(1.0, 2.0)) << "no empty range";
  scrub(session, 0);
  pressKey(session, 268, true, false);
  EXPECT_FALSE(session.timeline.range) << "the whole shot";
}

TEST(Timeline, TheKeyboardMovesAndScalesKeys) {
  Session session;
  session.preferences.capture.framesPerSecond = 4.0f;
  session.timeline.shown = true;
  const auto track = [](const char* field, float first, float second) {
    return Track{field, {{.timeS = 1, .value = first}, {.timeS = 3, .value = second}}};
  };
  changeShot(session,
             {.tracks = {track("lens.fNumber", 2, 8), track("lens.autofocusOn", 0, 1), track("lens.blades", 5, 9)},
              .camera = {}},
             "");
  const auto key = [&](std::size_t of, std::size_t i = 0) { return session.shot().tracks[of].keys[i]; };
  stepSelected(session, 1, 1);
  EXPECT_EQ(key(0).value, 2) << "nothing is selected";
  session.timeline.selected = {{"lens.fNumber", 1}, {"lens.autofocusOn", 1}, {"lens.blades", 1}};
  stepSelected(session, 0, 1);
  EXPECT_NEAR(key(0).value, 2 * std::pow(32 / 0.7f, 0.01f), 1e-4f);
  EXPECT_EQ(key(1).value, 1) << "the next entry";
  EXPECT_EQ(key(2).value, 6) << "at least one";
  stepSelected(session, 0, -1);
  EXPECT_NEAR(key(0).value, 2, 1e-4f);
  stepSelected(session, 2, 0);
  EXPECT_EQ(key(2).timeS, 1.5);
  EXPECT_TRUE(session.timeline.selected.contains({"lens.blades", 1.5}));
  for (int i = 0; i < 1000; ++i) stepSelected(session, -1, -1);
  EXPECT_EQ(key(2).timeS, 0);
  EXPECT_EQ(key(2).value, 0);
  EXPECT_EQ(key(1).value, 0);

  pressKey(session, 262, true, false, true);  // Ctrl Shift right
  EXPECT_EQ(key(0).timeS, 0) << "keys at one time";
  session.timeline.selected = {{"lens.fNumber", 0}, {"lens.fNumber", 3}, {"lens.blades", 3}};
  pressKey(session, 262, true, true, true);
  EXPECT_EQ(key(0, 1).timeS, 3.25);
  EXPECT_EQ(key(1, 1).timeS, 3) << "not selected";
  EXPECT_TRUE(session.timeline.selected.contains({"lens.blades", 3.25}));
  for (int i = 0; i < 100; ++i) pressKey(session, 263, true, true, true);  // left
  EXPECT_EQ(key(0, 1).timeS, 0.25) << "a frame is left";
}

TEST(Timeline, StepsStopBesideAnotherKey) {
  Session session;
  session.preferences.capture.framesPerSecond = 4.0f;
  session.timeline.shown = true;
  const auto show = [&](const std::set<KeyId>& selected) {
    Track track{kFocus, {}};
    for (const double timeS : {0.0, 1.0, 1.5, 3.0}) track.keys.push_back({.timeS = timeS, .value = 2});
    changeShot(session, {.tracks = {track}, .camera = {}}, "");
    session.timeline.selected = selected;
  };
  const auto times = [&] { return keyTimes(session.shot(), kFocus); };
  show({{kFocus, 1.0}});
  for (int i = 0; i < 4; ++i) stepSelected(session, 1, 0);
  EXPECT_THAT(times(), testing::ElementsAre(0, 1.25, 1.5, 3));
  EXPECT_THAT(session.notices.text, testing::HasSubstr("Another key is in the way"));
  EXPECT_TRUE(session.timeline.selected.contains({kFocus, 1.25}));
  moveSelected(session, 1.0);
  EXPECT_THAT(times(), testing::ElementsAre(0, 1.5, 2.25, 3)) << "over it, at once";
  show({{kFocus, 0.0}, {kFocus, 3.0}});
  for (int i = 0; i < 8; ++i) pressKey(session, 263, true, true, true);  // Ctrl Shift left
  EXPECT_THAT(times(), testing::ElementsAre(0, 1, 1.5, 1.75));
}

TEST(Timeline, ABezierBeginsAsTheWayThatItReplaces) {
  Session session;
  Shot shot{.tracks = {{kFocus, {}}}, .camera = {}};
  for (const auto& [timeS, value] : {std::pair(0.0, 1.0f), {1.0, 1.5f}, {2.0, 3.0f}, {4.0, 8.0f}, {5.0, 2.0f}})
    shot.tracks[0].keys.push_back({.timeS = timeS, .value = value});
  changeShot(session, shot, "");
  const auto valuesAt = [&](double timeS) {
    return valueAt(Interpolation::diopters, session.shot().tracks[0].keys, timeS);
  };
  session.timeline.selected = {{kFocus, 1.0}, {kFocus, 2.0}, {kFocus, 5.0}};
  easeSelected(session, Easing::bezier);
  for (const double timeS : {0.5, 1.0, 1.2, 1.9, 2.1, 3.3, 3.9, 4.5})
    EXPECT_NEAR(valuesAt(timeS), valueAt(Interpolation::diopters, shot.tracks[0].keys, timeS), 1e-4f) << timeS;
  EXPECT_EQ(session.shot().tracks[0].keys[1].easing, Easing::bezier);
  easeSelected(session, Easing::linear);
  easeSelected(session, Easing::bezier);
  EXPECT_NEAR(valuesAt(1.5), 2.0f, 1e-4f) << "the mean of the diopters";
}

TEST(Timeline, RowsGroupTheCamera) {
  Session session;
  setKeys(session);
  auto rows = timelineRows(session.shot(), false);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].label, "Camera");
  EXPECT_EQ(rows[0].tracks.size(), 6u);
  rows = timelineRows(session.shot(), true);
  EXPECT_EQ(rows.size(), 11u);
  EXPECT_EQ(rows[1].label, "Yaw");
}

TEST(ReadyShots, ATurntableTurnsOnceAtOneSpeed) {
  Frames window;
  window.ready("Turntable").make(window.session);
  for (int i = 0; i <= 8; ++i) {
    const float yaw = settingsAt(window.session.shot(), {}, 0.5 * i).camera.yawDegrees - CameraSettings{}.yawDegrees;
    EXPECT_NEAR(std::remainder(yaw - 45.0f * static_cast<float>(i), 360.0f), 0, 1e-3);
  }
  EXPECT_EQ(durationS(window.session.shot()), 4);
}

TEST(ReadyShots, ATurntableTurnsAsFarAsAsked) {
  for (const float turn : {-45.0f, 200.0f, 720.0f}) {
    Session session;
    session.settings.camera.yawDegrees = 100;
    session.preferences.ready = {.lengthS = 4, .turnDegrees = turn};
    readyShots()[0].make(session);
    float lastDegrees = 100, turned = 0;
    for (int step = 1; step <= 40; ++step) {
      const float yaw = settingsAt(session.shot(), session.settings, 0.1 * step).camera.yawDegrees;
      turned += std::remainder(yaw - std::exchange(lastDegrees, yaw), 360.0f);
      EXPECT_NEAR(turned, turn * static_cast<float>(step) / 40, 0.05f);
    }
    EXPECT_EQ(durationS(session.shot()), 4);
  }
}

TEST(ReadyShots, ARackFocusGoesToADistance) {
  Session session;
  session.settings.lens.focusDistanceM = 1;
  session.preferences.ready = {.lengthS = 2, .pullToM = 3};
  readyShots()[1].make(session);
  EXPECT_FALSE(session.timeline.pullFromM) << "no click is needed";
  EXPECT_EQ(findKey(session.shot(), {kFocus, 0})->value, 1);
  EXPECT_EQ(findKey(session.shot(), {kFocus, 2})->value, 3);
}

TEST(ReadyShots, ADollyZoomKeepsTheSizeAndTheFocusOfTheSubject) {
  for (const auto& [distanceM, factor] :
       {std::pair(1.8f, 2.0f), {12.0f, 2.0f}, {150.0f, 2.0f}, {1.8f, 0.6f}, {3.0f, 1.5f}}) {
    Frames window;
    window.session.preferences.ready.dollyFactor = factor;
    Settings& settings = window.session.settings;
    settings.camera.distanceM = settings.lens.focusDistanceM = distanceM;
    const Settings from = settings;
    window.ready("Dolly zoom").make(window.session);
    const auto heightM = [](const CameraSettings& camera) {
      return camera.distanceM * std::tan(glm::radians(camera.verticalFovDegrees) / 2);
    };
    for (double timeS = 0; timeS <= 4; timeS += 0.05) {
      const Settings at = settingsAt(window.session.shot(), from, timeS);
      EXPECT_NEAR(heightM(at.camera) / heightM(from.camera), 1, 2e-3) << timeS;
      EXPECT_NEAR(at.lens.focusDistanceM / at.camera.distanceM, 1, 2e-3) << timeS;
    }
    const float ratio = settingsAt(window.session.shot(), from, 4).camera.distanceM / distanceM;
    EXPECT_NEAR(std::abs(std::log2(ratio)), std::abs(std::log2(factor)), 1e-3);
  }
}

TEST(ReadyShots, ARackFocusWaitsForItsClick) {
  Frames window;
  Session& session = window.session;
  session.settings.lens.focusDistanceM = 1;
  window.ready("Rack focus").make(session);
  finishRackFocus(session, true);
  EXPECT_EQ(session.shot(), Shot{});
  session.focus.at = {0.5f, 0.5f};
  finishRackFocus(session, true);
  session.focus.at.reset();  // drawn
  finishRackFocus(session, false);
  EXPECT_EQ(session.shot(), Shot{}) << "the distance is not known yet";
  session.settings.lens.focusDistanceM = 3;
  finishRackFocus(session, true);
  EXPECT_EQ(settingsAt(session.shot(), {}, 0).lens.focusDistanceM, 1.0f);
  EXPECT_EQ(settingsAt(session.shot(), {}, 4).lens.focusDistanceM, 3.0f);
  EXPECT_EQ(session.action, "Rack focus");
}

TEST(ReadyShots, ACameraOfTheModelTakesThePlaceOfOtherKeysOfTheCamera) {
  Frames window;
  Session& session = window.session;
  const ReadyShot ready = window.ready("Camera of the model");
  EXPECT_NE(ready.missing(session), "");
  toggleKey(session, kDistance);
  toggleKey(session, kFocus);
  const Shot path{.tracks = {{.field = "camera.rollDegrees", .keys = {{.timeS = 0, .value = 5}}}},
                  .camera = {{.timeS = 0, .eyeM = {0, 1, 2}}, {.timeS = 3, .eyeM = {2, 1, 2}}}};
  session.shown.cameraShot = std::make_shared<const Shot>(path);
  EXPECT_EQ(ready.missing(session), "");
  ready.make(session);
  EXPECT_EQ(session.shot().camera, path.camera);
  EXPECT_TRUE(animates(session.shot(), kFocus));
  EXPECT_EQ(session.settings.camera.rollDegrees, 5);
  ready.make(session);
  EXPECT_EQ(session.shot().tracks.size(), 2u);
}

TEST(ReadyShots, ThePathPassesThroughTheBookmarks) {
  Frames window;
  const ReadyShot path = window.ready("Path through bookmarks");
  EXPECT_NE(path.missing(window.session), "");
  auto& bookmarks = window.session.preferences.bookmarks;
  for (const std::size_t i : {1u, 2u, 4u})
    bookmarks[i] = CameraSettings{.yawDegrees = 30.0f * static_cast<float>(i),
                                  .rollDegrees = 4.0f,
                                  .verticalFovDegrees = 20.0f + static_cast<float>(i)};
  EXPECT_EQ(path.missing(window.session), "");
  window.session.settings.camera.yawDegrees = 5;
  toggleKey(window.session, kDistance);
  path.make(window.session);
  for (const auto& [timeS, i] : {std::pair(0.0, 1), {2.0, 2}, {4.0, 4}}) {
    const CameraSettings at = settingsAt(window.session.shot(), {}, timeS).camera;
    EXPECT_NEAR(at.yawDegrees, 30 * i, 1e-2);
    EXPECT_NEAR(at.verticalFovDegrees, 20 + i, 1e-4);
    EXPECT_EQ(at.rollDegrees, 4.0f);
  }
}

}  // namespace
}  // namespace satdof
