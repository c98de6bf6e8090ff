#include "app/run/window/files/opening.h"

#include <gmock/gmock.h>

#include <thread>

#include "app/core/settings_json.h"
#include "app/run/window/files/recent_images.h"
#include "app/scene/image/image.h"
#include "app/scene/registry.h"
#include "app/ui/history.h"
#include "tests/support/files_fixture.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OpeningTest : public FilesTest {
 protected:
  fs::path image(const std::string& name = "image.png") const { return file(name, png()); }
  fs::path depth() const { return file("image depth.pfm", kPfm); }
  // A frame with one edit.
  template <class Edit>
  void frame(const Edit& edit) {
    session_.notices.ageS += 0.1f;
    opening_.beginEdits(session_);
    edit(session_.settings.scene);
    opening_.endEdits(session_);
  }
  void drop(const std::vector<fs::path>& files) {
    frame([&](const SceneSettings&) { opening_.drop(session_, files); });
  }
  // Frames until nothing is being read.
  void finish() {
    do {
      frame([](const SceneSettings&) {});
      std::this_thread::yield();
    } while (opening_.loading());
  }
  void open(const std::vector<fs::path>& files) {
    drop(files);
    finish();
  }
  std::string error() const { return session_.notices.errors.empty() ? "" : session_.notices.errors[0].text; }
  const SceneSettings& scene() const { return session_.settings.scene; }
  bool showsImage() const { return sceneRow(scene().kind).imageSize != nullptr; }

  Session session_;
  Opening opening_;
};

TEST_F(OpeningTest, AnImageIsShownOnceItIsRead) {
  const Settings before = session_.settings;
  drop({image(), depth()});
  EXPECT_EQ(session_.settings, before);
  EXPECT_GE(session_.notices.ageS, kNoticeS);
  EXPECT_TRUE(opening_.loading());
  session_.settings.lens.fNumber = 8.0f;
  finish();
  EXPECT_TRUE(showsImage());
  EXPECT_EQ(scene().image.depth.text, depth().string());
  EXPECT_TRUE(scene().frame);
  EXPECT_EQ(session_.settings.lens.fNumber, 8.0f) << "edited while the image was read";
  EXPECT_EQ(session_.notices.text, "Image: image.png, depth: image depth.pfm");
  EXPECT_EQ(session_.action, session_.notices.text) << "names the undo";
}

TEST_F(OpeningTest, SettingsAreUsed) {
  Settings wanted;
  wanted.lens.fNumber = 8.0f;
  open({file("a.json", settingsToJson(wanted))});
  EXPECT_EQ(session_.settings.lens.fNumber, 8.0f);
}

TEST_F(OpeningTest, AFilmOfAPastedCommandLineIsOpenedInTheBackground) {
  image("1.png");
  image("2.png");
  const std::string text = "satdof --headless --image " + (folder_ / "%d.png").string() + " --f-number 8 --video o.mp4";
  frame([&](const SceneSettings&) {
    opening_.find(session_, "the clipboard", [text](const Settings& asked) { return pastedSettings(text, asked); });
  });
  EXPECT_FALSE(showsImage());
  finish();
  EXPECT_EQ(error(), "");
  EXPECT_EQ(scene().image.file.text, (folder_ / "1.png").string());
  EXPECT_EQ(session_.settings.lens.fNumber, 8.0f);
  const auto film = opening_.takeFilm();
  ASSERT_TRUE(film);
  EXPECT_EQ(film->frames, 2);
}

TEST_F(OpeningTest, AFileThatCannotBeReadChangesNothing) {
  for (const char* model : {"", "old.glb"}) {
    if (*model != 0) {
      session_.settings.scene.kind = SceneKind::model;
      session_.settings.scene.model.file.text = model;
    }
    const Settings before = session_.settings;
    for (const auto& files : std::vector<std::vector<fs::path>>{{file("half.png", png().substr(0, 40))},
                                                                {file("a.heic", "x")},
                                                                {file("b.PIC", "x")},
                                                                {file("bad depth.pfm", "Pf"), image()},
                                                                {file("bad.glb", "glTF")},
                                                                {file("bad.gltf", "{")},
                                                                {file("bad.obj", "f 1 2 3")},
                                                                {file("bad.hdr", "x")}}) {
      open(files);
      EXPECT_EQ(session_.settings, before);
      EXPECT_THAT(error(), HasSubstr(files[0].filename().string()));
    }
  }
}

TEST_F(OpeningTest, AnImageWithoutDepthIsShownAndADepthJoinsIt) {
  session_.settings.scene.image.file.text = "other.png";
  open({image()});
  EXPECT_EQ(error(), "");
  EXPECT_TRUE(showsImage());
  EXPECT_EQ(scene().image.file.text, image().string());
  EXPECT_TRUE(scene().image.depth.none());
  open({depth()});
  EXPECT_EQ(error(), "");
  EXPECT_TRUE(showsImage());
  EXPECT_EQ(scene().image.file.text, image().string());
  EXPECT_EQ(scene().image.depth.text, depth().string());
}

TEST_F(OpeningTest, AnotherPhotographEndsStripAndMeaningOfTheDepth) {
  const fs::path first = image("a.png");
  open({first, image("b.png"), image("d.png")});
  session_.settings.scene.image.meaning = DepthMeaning::disparity;
  session_.settings.scene.image.levelNear = 0.5f;
  for (const fs::path& shown : {first, image("b.png")}) {
    open({shown});
    EXPECT_EQ(session_.strip.photos.size(), 3u);
  }
  open({depth()});
  session_.settings.scene.image.meaning = DepthMeaning::disparity;
  EXPECT_EQ(session_.strip.photos.size(), 3u);
  session_.brush.kind = BrushKind::fill;
  open({depth()});
  EXPECT_TRUE(session_.brush.kind);
  open({image("c.png")});
  EXPECT_EQ(error(), "");
  EXPECT_TRUE(session_.strip.photos.empty());
  EXPECT_FALSE(session_.brush.kind);
  EXPECT_EQ(scene().image.meaning, DepthMeaning::automatic);
  EXPECT_EQ(scene().image.levelNear, 1.0f);
}

TEST_F(OpeningTest, APhotographIsShownInTheFinalView) {
  View& view = session_.settings.technique.view;
  view = View::depth;
  open({image("a.png")});
  EXPECT_EQ(view, View::final);
  session_.settings.scene.image.file = {};
  view = View::depth;
  open({image("a.png")});
  EXPECT_EQ(view, View::depth) << "of the start";
  open({image("a.png")});
  EXPECT_EQ(view, View::depth) << "the same";
  open({image("b.png")});
  EXPECT_EQ(view, View::final);
  Settings given = session_.settings;
  given.technique.view = View::depth;
  given.scene.image.file.text = image("a.png").string();
  open({file("look.json", settingsToJson(given))});
  EXPECT_EQ(view, View::depth) << "as the file says";
}

TEST_F(OpeningTest, AFolderOfDepthsHasTheDepthOfThePhotograph) {
  open({image("a.png")});
  file("depths/b.pfm", kPfm);
  const auto choose = [&] {
    frame([&](SceneSettings& scene) { scene.image.depth.text = (folder_ / "depths").string(); });
    finish();
  };
  choose();
  EXPECT_THAT(error(), HasSubstr("no image in this folder is called a"));
  const fs::path own = file("depths/a.pfm", kPfm);
  choose();
  EXPECT_EQ(error(), "");
  EXPECT_EQ(scene().image.depth.text, own.string());
}

TEST_F(OpeningTest, AKnownPhotographHasItsDepthReadAsBefore) {
  ImageSettings disparity;
  disparity.meaning = DepthMeaning::disparity;
  disparity.levelNear = 0.5f;
  const fs::path first = image("a.png"), own = file("a_depth.pfm", kPfm);
  rememberFiles(session_.preferences.recentImages, {{first.string()}, {own.string()}, disparity});
  open({image("b.png")});
  EXPECT_EQ(scene().image.meaning, DepthMeaning::automatic);
  open({first});
  EXPECT_EQ(error(), "");
  EXPECT_EQ(scene().image.meaning, DepthMeaning::disparity);
  EXPECT_EQ(scene().image.levelNear, 0.5f);
  Settings given = session_.settings;
  given.scene.image.meaning = DepthMeaning::relative;
  given.scene.image.file.text = image("b.png").string();
  open({file("look.json", settingsToJson(given))});
  EXPECT_EQ(scene().image.meaning, DepthMeaning::relative) << "as the file says";
}

TEST_F(OpeningTest, AKnownPhotographHasItsFocus) {
  const fs::path first = image("a.png");
  file("a_depth.pfm", kPfm);
  open({first});
  session_.settings.lens.focusDistanceM = 3.25f;
  rememberFiles(session_.preferences.recentImages, shownImage(session_));
  open({image("b.png")});
  EXPECT_TRUE(session_.settings.scene.frame) << "its focus is found";
  session_.settings.lens.focusDistanceM = 5.0f;
  rememberFiles(session_.preferences.recentImages, shownImage(session_));
  open({first});
  EXPECT_EQ(session_.settings.lens.focusDistanceM, 3.25f);
  EXPECT_FALSE(session_.settings.scene.frame);
  session_.settings.scene.frame = true;
  open({first, file("other depth.pfm", kPfm)});
  EXPECT_TRUE(session_.settings.scene.frame) << "the focus belongs to a depth";
}

TEST_F(OpeningTest, APhotographWithADamagedCorrectionIsShownWithTheDepthBefore) {
  const fs::path damaged = file("image.png.corrected-depth.exr", "v/1\x01");
  const auto before = [&] { return correctionOf(scene().image)->depth(); };
  open({image()});
  EXPECT_EQ(error(), "");
  ASSERT_TRUE(showsImage());
  EXPECT_EQ(scene().image.depth.text, damaged.string());
  EXPECT_EQ(before()->map.meaning, "none");
  EXPECT_THAT(before()->damage, HasSubstr("image.png.corrected-depth.exr"));
  file("image-depth.pfm", "Pf\n1 1\n-1\n\x01\x01\x01@");
  open({image("other.png")});
  EXPECT_EQ(before()->damage, "");
  open({image()});
  EXPECT_EQ(before()->map.meaning, "metres") << "the depth beside it";
}

TEST_F(OpeningTest, APhotographWithADamagedDepthBesideItIsShownWithoutDepth) {
  file("image_depth.pfm", "damaged");
  open({image()});
  EXPECT_EQ(error(), "");
  ASSERT_TRUE(showsImage());
  const auto shown = correctionOf(scene().image)->depth();
  EXPECT_EQ(shown->map.meaning, "none");
  EXPECT_THAT(shown->damage, testing::AllOf(HasSubstr("image_depth.pfm\": "), HasSubstr("shown without this depth")));
  open({image("b.png"), file("other depth.pfm", "damaged")});
  EXPECT_THAT(error(), HasSubstr("other depth.pfm")) << "named by the user";
  EXPECT_EQ(scene().image.file.text, image().string());
}

TEST_F(OpeningTest, ACorrectedDepthIsReadAsTheBrushWroteIt) {
  open({image(), depth()});
  session_.settings.scene.image.levelNear = 0.5f;
  open({image()});
  EXPECT_EQ(scene().image.levelNear, 0.5f);
  const fs::path corrected = file("image.png.corrected-depth.exr");  // another window has written it
  open({image()});
  EXPECT_EQ(scene().image.depth.text, corrected.string());
  EXPECT_EQ(scene().image.levelNear, 1.0f);
  session_.settings.scene.image.levelNear = 0.7f;
  open({image()});
  EXPECT_EQ(scene().image.levelNear, 0.7f) << "levels of the correction";
}

TEST_F(OpeningTest, ALaterDropReplacesOneThatIsBeingRead) {
  drop({image("first.png"), depth()});
  drop({image("second.png"), depth()});
  finish();
  EXPECT_EQ(scene().image.file.text, (folder_ / "second.png").string());
}

TEST_F(OpeningTest, AnotherSceneEndsTheReading) {
  drop({image(), depth()});
  frame([](SceneSettings& scene) { scene.kind = SceneKind::bodies; });
  finish();
  EXPECT_EQ(scene().kind, SceneKind::bodies);
  EXPECT_TRUE(scene().image.file.none());
}

TEST_F(OpeningTest, CancelKeepsTheScene) {
  const Settings before = session_.settings;
  drop({image(), depth()});
  opening_.cancel(session_);
  finish();
  EXPECT_EQ(session_.settings, before);
  EXPECT_TRUE(session_.notices.errors.empty());
  open({image(), depth()});
  EXPECT_TRUE(showsImage()) << "a cancelled file can be dropped again";
}

TEST_F(OpeningTest, AnEditWaitsForTheFilesThatItNames) {
  History history(session_);
  const Settings before = session_.settings;
  frame([&](SceneSettings& scene) {
    scene.kind = SceneKind::image;
    scene.image.file.text = image().string();
    scene.image.depth.text = depth().string();
    session_.settings.lens.fNumber = 8.0f;
    session_.ownPresets = {"/presets/own.json"};
    session_.preferences.preset = {"own", session_.settings};
    session_.centreCamera = true;
    session_.say("Preset: own");
    session_.action = session_.notices.text;
  });
  history.observe(session_, 0.0, false);
  EXPECT_EQ(session_.settings, before);
  EXPECT_FALSE(session_.preferences.preset);
  EXPECT_FALSE(session_.centreCamera);
  EXPECT_GE(session_.notices.ageS, kNoticeS);
  session_.settings.camera.distanceM = 9.0f;
  history.observe(session_, 10.0, false);
  finish();
  history.observe(session_, 20.0, false);
  EXPECT_TRUE(showsImage());
  EXPECT_EQ(session_.settings.lens.fNumber, 8.0f);
  EXPECT_EQ(session_.settings.camera.distanceM, 9.0f) << "edited while the image was read";
  ASSERT_TRUE(session_.preferences.preset);
  EXPECT_TRUE(session_.centreCamera);
  EXPECT_EQ(session_.notices.text, "Preset: own");
  EXPECT_EQ(history.undo(session_), "Preset: own");
  EXPECT_FALSE(showsImage());
  EXPECT_EQ(session_.settings.lens.fNumber, before.lens.fNumber);
  EXPECT_EQ(session_.settings.camera.distanceM, 9.0f) << "undo takes one step";
}

TEST_F(OpeningTest, APresetThatIsDeletedWhileItsFilesAreReadHasNoName) {
  frame([&](SceneSettings& scene) {
    scene.kind = SceneKind::image;
    scene.image.file.text = image().string();
    scene.image.depth.text = depth().string();
    session_.preferences.preset = {"own", session_.settings};
  });
  finish();
  EXPECT_TRUE(showsImage());
  EXPECT_FALSE(session_.preferences.preset);
}

TEST_F(OpeningTest, AnEditThatNamesAFileThatCannotBeReadChangesNothing) {
  session_.settings.scene.kind = SceneKind::model;
  session_.settings.scene.model.environment.text = "old.hdr";
  const Settings before = session_.settings;
  const auto refuses = [&](const char* name, const auto& edit) {
    frame(edit);
    finish();
    EXPECT_EQ(session_.settings, before);
    EXPECT_THAT(error(), HasSubstr(name));
  };
  for (const bool frames : {false, true}) {
    refuses("missing.glb", [&](SceneSettings& scene) {
      scene.frame = frames;
      scene.model.file.text = "missing.glb";
    });
    refuses("missing.hdr", [&](SceneSettings& scene) {
      scene.frame = frames;
      scene.model.environment.text = "missing.hdr";
    });
  }
  refuses("missing.png", [&](SceneSettings& scene) {
    scene.kind = SceneKind::image;
    scene.image.file.text = "missing.png";
  });
  refuses("missing.exr", [&](SceneSettings& scene) {
    scene.kind = SceneKind::teapots;
    scene.model.environment.text = "missing.exr";
  });
}

TEST_F(OpeningTest, ATypedDepthJoinsTheImageThatLacksOne) {
  session_.settings.scene.kind = SceneKind::image;
  frame([&](SceneSettings& scene) { scene.image.file.text = image().string(); });
  finish();
  EXPECT_EQ(scene().image.file.text, image().string());
  frame([&](SceneSettings& scene) { scene.image.depth.text = depth().string(); });
  finish();
  EXPECT_EQ(error(), "");
  EXPECT_EQ(scene().image.file.text, image().string());
  EXPECT_EQ(scene().image.depth.text, depth().string());
}

TEST_F(OpeningTest, PathsOfFilesBecomeAbsolute) {
  const fs::path relative = fs::relative(image());
  ASSERT_TRUE(relative.is_relative());
  frame([&](SceneSettings& scene) {
    scene.kind = SceneKind::image;
    scene.image.file.text = relative.string();
    scene.image.depth.text = depth().string();
  });
  finish();
  EXPECT_EQ(scene().image.file.text, fs::canonical(image()).string());

  Settings builtIn;
  builtIn.scene.model.environment.text = "studio";
  const Settings before = builtIn;
  makePathsAbsolute(builtIn);
  EXPECT_EQ(builtIn, before) << "the name of no file";
}

TEST_F(OpeningTest, AnEditThatLeavesFilesNeedsNone) {
  session_.settings.scene.kind = SceneKind::image;
  session_.settings.scene.image.file.text = "old.png";
  frame([&](SceneSettings& scene) { scene = {}; });
  finish();
  EXPECT_EQ(scene(), SceneSettings());
  EXPECT_EQ(error(), "");
}

TEST_F(OpeningTest, AShotEndsWithItsScene) {
  const auto key = [&](bool keys) {
    Shot shot;
    if (keys) shot.tracks = {{"lens.fNumber", {{.timeS = 1, .value = 4}}}};
    session_.timeline.shot = std::make_shared<const Shot>(shot);
    session_.timeline.timeS = 1.0;
    session_.timeline.playing = true;
  };
  const auto keys = [&] { return keyCount(session_.shot()); };
  key(true);
  open({image("a.png")});
  EXPECT_EQ(keys(), 0u);
  EXPECT_EQ(session_.timeline.timeS, 0.0);
  EXPECT_FALSE(session_.timeline.playing);
  key(true);
  History history(session_);
  open({depth()});
  EXPECT_EQ(keys(), 1u) << "of the same photograph";
  session_.settings.scene.image.depth = {};
  drop({image("b.png")});
  EXPECT_EQ(keys(), 1u) << "while it is read";
  finish();
  EXPECT_EQ(keys(), 0u);
  history.observe(session_, 1.0, false);
  EXPECT_NE(history.undo(session_), "");
  EXPECT_EQ(keys(), 1u);
  EXPECT_EQ(session_.timeline.timeS, 1.0);
  frame([&](SceneSettings& scene) { scene.kind = SceneKind::bodies; });
  EXPECT_EQ(keys(), 0u);
}

TEST_F(OpeningTest, ADroppedShotOpensTheTimeline) {
  const Settings before = session_.settings;
  open({file("base_cam.json", R"({"path": [
    {"R": [0, 0, 0, 1], "T": [0, 1, -3], "fov": 40, "slice": 1, "scale": 1, "aperture_size": 0},
    {"R": [0, 0, 0, 1], "T": [1, 1, -3], "fov": 40, "slice": 1, "scale": 1, "aperture_size": 0}]})")});
  EXPECT_EQ(error(), "");
  EXPECT_TRUE(session_.timeline.shown);
  EXPECT_EQ(session_.shot().camera.size(), 2u);
  EXPECT_THAT(session_.notices.text, HasSubstr("a unit of the file is a metre"));
  EXPECT_EQ(session_.settings.camera.verticalFovDegrees, 40.0f) << "as at the start of the shot";
  EXPECT_EQ(session_.settings.scene, before.scene);
}

}  // namespace
}  // namespace satdof
