#include "app/ui/history.h"

#include <gmock/gmock.h>

#include <random>

#include "app/core/fields.h"
#include "app/ui/controls.h"
#include "app/ui/edit.h"

namespace satdof {
namespace {

using testing::ElementsAre;

// A user at a clock: changes settings and lets the history look once a frame.
struct User {
  Session session;
  Settings& settings = session.settings;
  History history{session};
  double nowS = 10.0;

  void frame(bool held = false, double stepS = 0.02) { history.observe(session, nowS += stepS, held); }
  void wait() { frame(false, 2.0); }
};

TEST(History, AnEmptyHistoryChangesNothing) {
  User user;
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "");
  EXPECT_EQ(user.history.redo(user.session), "");
  EXPECT_EQ(user.settings, Settings{});
}

TEST(History, UndoAndRedoWalkTheEntries) {
  User user;
  for (const float stop : {2.0f, 4.0f, 8.0f}) {
    user.settings.lens.fNumber = stop;
    user.wait();
  }
  EXPECT_EQ(user.history.undo(user.session), "Aperture");
  EXPECT_EQ(user.settings.lens.fNumber, 4.0f);
  user.history.undo(user.session);
  user.history.undo(user.session);
  EXPECT_EQ(user.settings, Settings{});
  EXPECT_EQ(user.history.undo(user.session), "");
  user.history.redo(user.session);
  user.history.redo(user.session);
  EXPECT_EQ(user.settings.lens.fNumber, 4.0f);
  user.settings.lens.blades = 7;
  user.wait();
  EXPECT_EQ(user.history.redo(user.session), "") << "an edit ends what could be redone";
  user.history.undo(user.session);
  EXPECT_EQ(user.settings.lens.fNumber, 4.0f);
  EXPECT_EQ(user.settings.lens.blades, 0);
}

TEST(History, NoUndoShowsADepthThatWasDeleted) {
  User user;
  ImageSettings& image = user.settings.scene.image;
  image.file.text = "a.jpg";
  image.depth.text = "a_depth.png";
  user.wait();
  image.depth.text = "corrected.exr";
  user.wait();
  image.levelNear = 0.5f;
  user.wait();
  const ImageSettings deleted = image;
  image.depth.text = "a_depth.png";
  image.levelNear = 1.0f;
  user.history.amendDepth(deleted, image);
  user.session.action = "Reset depth";
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "Reset depth");
  EXPECT_EQ(image.levelNear, 0.5f);
  EXPECT_EQ(image.depth.text, "a_depth.png");
  EXPECT_EQ(user.history.undo(user.session), "Level near");
  EXPECT_EQ(image.levelNear, 1.0f);
  EXPECT_EQ(image.depth.text, "a_depth.png");
  EXPECT_EQ(user.history.undo(user.session), "Image: a.jpg");
  EXPECT_EQ(user.history.undo(user.session), "");
}

TEST(History, ACorrectedDepthIsPartOfTheEditsSinceItsFirstStroke) {
  User user;
  ImageSettings& image = user.settings.scene.image;
  user.settings.scene.kind = SceneKind::image;
  image.file.text = "a.jpg";
  user.wait();
  user.settings.lens.fNumber = 2.0f;
  user.wait();
  const ImageSettings before = image;
  const long since = user.history.beginStroke();
  user.settings.lens.fNumber = 4.0f;
  user.frame();
  image.file.text = "b.jpg";
  user.frame();
  ImageSettings corrected = before;
  corrected.depth.text = "corrected.exr";
  user.history.amendCorrection(before, corrected, since);
  EXPECT_EQ(user.history.undo(user.session), "Image: b.jpg");
  EXPECT_EQ(image, corrected);
  EXPECT_EQ(user.history.undo(user.session), "Aperture") << "an edit after a stroke is another step";
  EXPECT_EQ(image, corrected);
  EXPECT_EQ(user.history.step(), since);
  user.history.undo(user.session);
  EXPECT_EQ(image, before);
  user.history.beginStroke();
  EXPECT_EQ(user.history.redo(user.session), "") << "a stroke ends what could be redone";
}

TEST(History, ThePanelsAreEditedToo) {
  User user;
  Preferences& preferences = user.session.preferences;
  user.settings.lens.fNumber = 2.0f;
  user.wait();
  preferences.panelWidth = 400.0f;
  user.frame();
  preferences.panelWidth = 420.0f;
  user.frame();
  user.wait();
  preferences.uiScale = 1.5f;
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "Panels");
  EXPECT_EQ(preferences.uiScale, 1.0f);
  EXPECT_EQ(preferences.panelWidth, 420.0f);
  EXPECT_EQ(user.history.undo(user.session), "Panels");
  EXPECT_EQ(preferences.panelWidth, Preferences{}.panelWidth) << "one gesture";
  EXPECT_EQ(user.settings.lens.fNumber, 2.0f);
  EXPECT_EQ(user.history.undo(user.session), "Aperture");
  for (int i = 0; i < 3; ++i) user.history.redo(user.session);
  EXPECT_EQ(preferences.panelWidth, 420.0f);
  EXPECT_EQ(preferences.uiScale, 1.5f);
}

TEST(History, AShiftByTheWindowIsNoEntry) {
  User user;
  user.settings.camera.shiftX = user.settings.camera.shiftY = 0.125f;
  user.history.amendShift(glm::vec2(0.125f));
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "");
  user.settings.camera.yawDegrees += 5.0f;
  user.wait();
  user.settings.camera.yawDegrees += 5.0f;
  user.settings.camera.pitchDegrees += 5.0f;
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "Yaw and Pitch");
  EXPECT_EQ(user.history.undo(user.session), "Yaw");
  EXPECT_EQ(user.settings.camera.shiftX, 0.125f);
}

// The file of a scene has been read: the scene frames its image once, as the window does.
void finishLoading(User& user) {
  if (!user.settings.scene.frame) return;
  const Framing framing{.camera = {.yawDegrees = 30.0f, .distanceM = 3.0f},
                        .focusDistanceM = 1e9f,  // out of range
                        .focalLengthMm = 40.0f,
                        .sensorHeightMm = {}};
  applyFraming(user.settings, framing);
  user.history.amendFraming(framing);
  clampToRanges(user.settings);
  user.wait();
}

TEST(History, AFramingIsPartOfTheEntryThatOpenedTheFile) {
  User user;
  user.settings.scene.kind = SceneKind::model;
  user.wait();
  finishLoading(user);
  const Settings opened = user.settings;
  EXPECT_EQ(opened.camera.yawDegrees, 30.0f);
  EXPECT_NE(user.history.undo(user.session), "");
  EXPECT_EQ(user.settings, Settings{});
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "");
  EXPECT_NE(user.history.redo(user.session), "");
  EXPECT_EQ(user.settings, opened);
}

TEST(History, AFramingAfterUndoKeepsWhatCanBeRedone) {
  User user;
  user.settings.scene.kind = SceneKind::model;
  user.wait();
  user.settings.lens.blades = 7;  // while the file is being read
  user.wait();
  finishLoading(user);
  user.history.undo(user.session);
  EXPECT_TRUE(user.settings.scene.frame) << "the entry before the file was read";
  finishLoading(user);
  EXPECT_EQ(user.history.redo(user.session), "Blades");
  EXPECT_EQ(user.settings.lens.blades, 7);
  user.history.undo(user.session);
  EXPECT_NE(user.history.undo(user.session), "");
  EXPECT_EQ(user.settings, Settings{});
}

TEST(History, ADragIsOneEntryHoweverLongItPauses) {
  User user;
  user.wait();
  for (int i = 0; i < 100; ++i) {
    user.settings.camera.yawDegrees += 1.0f;
    if (i > 50) user.settings.camera.pitchDegrees += 0.1f;
    user.frame(true, i == 30 ? 9.0 : 0.02);
  }
  user.frame(false);
  user.history.undo(user.session);
  EXPECT_EQ(user.settings, Settings{});
}

TEST(History, TwoDragsAreTwoEntries) {
  User user;
  for (int drag = 0; drag < 2; ++drag) {
    user.wait();
    for (int i = 0; i < 5; ++i) {
      user.settings.camera.yawDegrees += 1.0f;
      user.frame(true);
    }
    user.frame(false);
  }
  user.history.undo(user.session);
  EXPECT_EQ(user.settings.camera.yawDegrees, CameraSettings{}.yawDegrees + 5.0f);
}

TEST(History, QuickWheelStepsAreOneEntrySlowOnesAreNot) {
  User user;
  for (int i = 0; i < 5; ++i) {
    user.settings.lens.focusDistanceM += 0.1f;
    user.frame(false, 0.3);
  }
  user.history.undo(user.session);
  EXPECT_EQ(user.settings, Settings{});
  for (int i = 0; i < 2; ++i) {
    user.settings.lens.focusDistanceM += 0.1f;
    user.wait();
  }
  user.history.undo(user.session);
  EXPECT_FLOAT_EQ(user.settings.lens.focusDistanceM, LensSettings{}.focusDistanceM + 0.1f);
}

TEST(History, AChangeThereAndBackWithinAGestureLeavesNoEntry) {
  User user;
  user.settings.lens.blades = 5;
  user.wait();
  user.settings.split.enabled = true;
  user.frame(true);
  user.settings.split.enabled = false;
  user.frame(true);
  user.wait();
  user.history.undo(user.session);
  EXPECT_EQ(user.settings.lens.blades, 0);
}

TEST(History, WindowTimeAndAutofocusAreNoEdits) {
  User user;
  user.settings.lens.autofocus = true;
  user.wait();
  user.settings.size = {33, 31};
  user.settings.scene.timeS = 99.0f;
  user.settings.present.showUi = false;
  user.settings.present.fullScreen = true;
  user.settings.lens.focusDistanceM = 3.0f;
  user.wait();
  const Settings now = user.settings;
  EXPECT_EQ(user.history.undo(user.session), "Autofocus");
  EXPECT_FALSE(user.settings.lens.autofocus);
  EXPECT_EQ(user.settings.size, now.size);
  EXPECT_EQ(user.settings.scene.timeS, now.scene.timeS);
  EXPECT_EQ(user.settings.present, now.present);
  EXPECT_EQ(user.history.undo(user.session), "");
}

TEST(History, AnEntryHasTheFocusThatTheAutofocusFoundForIt) {
  User user;
  std::vector<float> found{user.settings.lens.focusDistanceM};
  const auto settle = [&](float focusDistanceM) {
    user.wait();
    user.settings.lens.focusDistanceM = focusDistanceM;
    user.wait();
    found.push_back(focusDistanceM);
  };
  user.settings.lens.autofocus = true;
  settle(2.0f);
  user.settings.camera.yawDegrees = 30.0f;
  settle(5.0f);
  user.settings.lens.fNumber = 8.0f;
  settle(5.5f);
  user.settings.lens.autofocus = false;
  settle(5.5f);
  for (std::size_t i = found.size() - 1; i-- > 0;) {
    user.history.undo(user.session);
    EXPECT_EQ(user.settings.lens.focusDistanceM, found[i]) << i;
  }
  for (std::size_t i = 1; i < found.size(); ++i) {
    user.history.redo(user.session);
    EXPECT_EQ(user.settings.lens.focusDistanceM, found[i]) << i;
  }
}

TEST(History, KeepsAtMostItsLargestNumberOfEntries) {
  User user;
  const int edits = static_cast<int>(History::kMaxEntries) + 33;
  for (int i = 1; i <= edits; ++i) {
    user.settings.lens.lensSeed = i;
    user.wait();
  }
  int undone = 0;
  while (!user.history.undo(user.session).empty()) ++undone;
  EXPECT_EQ(undone, static_cast<int>(History::kMaxEntries) - 1);
  EXPECT_EQ(user.settings.lens.lensSeed, edits - undone);
}

// A plain list of all values, without gestures, is the reference.
TEST(History, RandomEditsMatchAListOfValues) {
  std::mt19937 random(31);
  User user;
  std::vector<Settings> values{user.settings};
  std::size_t at = 0;
  for (int step = 0; step < 1000; ++step) {
    const auto choice = random() % 4;
    if (choice == 0) {
      user.history.undo(user.session);
      if (at > 0) --at;
    } else if (choice == 1) {
      user.history.redo(user.session);
      if (at + 1 < values.size()) ++at;
    } else {
      user.settings.lens.lensSeed = step + 1;
      values.resize(++at);
      values.push_back(user.settings);
    }
    ASSERT_EQ(user.settings, values[at]) << step;
    user.wait();
  }
}

TEST(History, NamesASceneBeforeTheCameraThatItBrings) {
  User user;
  user.settings.lens.focusDistanceM = 5.0f;
  user.settings.camera.yawDegrees = 3.0f;
  user.settings.scene.kind = SceneKind::model;
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "Scene: model");
  EXPECT_EQ(user.history.redo(user.session), "Scene: model");
  EXPECT_EQ(user.history.undo(user.session), "Scene: model");
  EXPECT_EQ(user.settings.camera.yawDegrees, CameraSettings{}.yawDegrees);
}

TEST(History, NamesTheEditedField) {
  User user;
  user.settings.technique.table.format = TableFormat::float32;
  user.settings.camera.shiftX = 0.2f;  // by the window, which centres the camera
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "Table format");
  EXPECT_EQ(user.history.redo(user.session), "Table format");
  user.settings.technique.view = View::coc;
  user.settings.camera.shiftX = 0.0f;
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "View");
  user.settings.split.enabled = true;
  user.settings.split.position = 0.75f;
  user.settings.split.b.lens.kind = LensKind::tent;
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "Compare A and B");
}

TEST(History, NamesAnActionThatSetsManyFields) {
  User user;
  const auto choose = [&](float stop) {
    user.settings.lens.fNumber = stop;
    user.settings.lens.blades = static_cast<int>(stop);
    user.settings.camera.yawDegrees = stop;
    user.session.action = "Preset: " + std::to_string(static_cast<int>(stop));
    user.frame();  // sooner than edits of the same fields are merged
  };
  choose(2.0f);
  choose(4.0f);
  user.settings.camera.yawDegrees = 5.0f;
  user.frame();
  EXPECT_EQ(user.history.undo(user.session), "Yaw") << "another step";
  EXPECT_EQ(user.history.undo(user.session), "Preset: 4");
  EXPECT_EQ(user.settings.lens.fNumber, 2.0f);
  EXPECT_EQ(user.history.undo(user.session), "Preset: 2");
  EXPECT_EQ(user.settings, Settings{});
  EXPECT_EQ(user.history.redo(user.session), "Preset: 2");
  user.session.action = "Settings pasted";  // which change nothing
  user.wait();
  user.settings.lens.blades = 9;
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "Blades");
}

TEST(History, APresetThatWasDeletedIsNotNamedAgain) {
  for (const bool deleted : {false, true}) {
    User user;
    user.session.ownPresets = {"/presets/Two.json"};
    user.session.preferences.preset = {"Two", user.settings};
    user.wait();
    user.settings.lens.blades = 5;
    user.wait();
    if (deleted) {
      user.session.ownPresets.clear();
      user.session.preferences.preset.reset();
    }
    user.wait();
    user.history.undo(user.session);
    EXPECT_NE(user.session.preferences.preset.has_value(), deleted);
  }
}

TEST(History, NamesAFileBeforeItsFraming) {
  User user;
  user.settings.scene.image.file.text = "/photos/photo.jpg";
  user.settings.scene.image.depth.text = "/photos/depth.png";
  user.settings.camera.yawDegrees = 3.0f;
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "Image: photo.jpg");
}

TEST(History, NamesACameraThatMovedInManyWays) {
  User user;
  user.settings.camera.targetXM = user.settings.camera.targetYM = user.settings.camera.targetZM = 3.0f;
  user.wait();
  EXPECT_EQ(user.history.undo(user.session), "Camera");
}

TEST(History, NamesFieldsAsTheirPanelsDo) {
  EXPECT_EQ(labelOf("lens.focusDistanceM"), "Focus");
  EXPECT_EQ(labelOf("technique.table.format"), "Table format");
  EXPECT_EQ(labelOf("split.b.table.format"), "Table format");
  EXPECT_EQ(labelOf("scene.animate"), "Animation");
  EXPECT_EQ(labelOf("split.enabled"), "Compare A and B");
  EXPECT_EQ(labelOf("camera.yawDegrees"), "Yaw");
  EXPECT_EQ(labelOf("camera.targetXM"), "Target x");
  Settings a, b;
  b.camera.yawDegrees = 1.0f;
  b.split.b.view = View::coc;
  EXPECT_THAT(editedFields(a, b), ElementsAre("camera.yawDegrees", "split.b.view"));
}

TEST(History, ANewWindowGoesBackToTheStepsOfTheLastOne) {
  Session session;
  History last(session);
  for (const float fNumber : {2.0f, 4.0f}) {
    session.settings.lens.fNumber = fNumber;
    session.action = "to " + std::to_string(static_cast<int>(fNumber));
    last.observe(session, fNumber, false);
  }
  session.settings.camera.shiftX = 0.1f;  // as the window is now
  History next(session, last.steps());
  EXPECT_EQ(next.redo(session), "");
  EXPECT_EQ(next.undo(session), "to 4");
  EXPECT_EQ(next.undo(session), "to 2");
  EXPECT_EQ(session.settings.lens.fNumber, LensSettings{}.fNumber);
  EXPECT_EQ(next.undo(session), "");
  session.settings.lens.fNumber = 8.0f;
  History other(session, last.steps());
  EXPECT_NE(other.undo(session), "") << "what the command line says";
  EXPECT_EQ(session.settings.lens.fNumber, 4.0f);
}

}  // namespace
}  // namespace satdof
