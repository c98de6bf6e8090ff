#include "app/run/window/depth/depth_corrector.h"

#include <gmock/gmock.h>

#include <thread>

#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/io/formats/exr.h"
#include "app/run/window/files/opening.h"
#include "app/scene/image/image.h"
#include "app/scene/registry.h"
#include "tests/support/files_fixture.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Brush strokes on photographs, with one frame a second.
class DepthCorrectorTest : public FilesTest {
 protected:
  DepthCorrectorTest() {
    session_.settings.scene.animate = false;
    open("a.png");
  }
  fs::path corrected(const std::string& name) const { return correctedDepthOf(folder_ / name); }
  template <class Edit>
  void frame(const Edit& edit) {
    opening_.beginEdits(session_);
    edit();
    corrector_.serve(session_, opening_, history_, ++nowS_);
    opening_.endEdits(session_);
    history_.observe(session_, nowS_, false);
    std::this_thread::yield();
  }
  template <class Holds>
  void until(const Holds& holds) {
    do frame([] {});
    while (!holds());
  }
  void open(const std::string& name) {
    frame([&] { opening_.drop(session_, {file(name, png())}); });
    do frame([&] { session_.brush.kind = BrushKind::nearer; });
    while (opening_.loading());
  }
  bool idle() const { return !corrector_.busy() && !opening_.loading(); }
  std::vector<float> depths() const { return correctionOf(session_.settings.scene.image)->depth()->map.depth; }
  // Undoes (`back`) or redoes a stroke or an edit, as the window does, and shows the photograph.
  void step(bool back) {
    frame([&] {
      if (corrector_.undoOrRedo(session_.settings, history_, back)) return;
      opening_.endEdits(session_);
      back ? history_.undo(session_) : history_.redo(session_);
      opening_.beginEdits(session_);
    });
    do {
      show();
      frame([] {});
    } while (!idle());
    frame([] {});
  }
  // Holds the shown photograph in memory, as the scene does.
  void show() {
    LoadProgress progress;
    const SceneSettings& shown = session_.settings.scene;
    scene_ = sceneRow(shown.kind).load(shown, shown, progress);
  }
  void stroke() {
    frame([&] {
      session_.brush.places = {{0.5f, 0.5f}};
      session_.brush.begins = session_.brush.ends = true;
    });
  }
  void strokeInVain(const std::string& name) {
    stroke();
    fs::create_directory(corrected(name));
    until([&] { return !session_.notices.errors.empty(); });
    EXPECT_THAT(session_.notices.errors[0].text, HasSubstr("cannot keep the corrected depth: "));
  }

  Session session_;
  History history_{session_};
  Opening opening_;
  DepthCorrector corrector_;
  std::shared_ptr<const void> scene_;
  double nowS_ = 0;
};

TEST_F(DepthCorrectorTest, AStrokeWhoseWritingFailsIsWrittenAgain) {
  strokeInVain("a.png");
  EXPECT_TRUE(corrector_.busy());
  session_.notices.errors.clear();
  for (int seconds = 0; seconds < 20; ++seconds) frame([] {});
  EXPECT_TRUE(session_.notices.errors.empty()) << "told once";
  fs::remove(corrected("a.png"));
  until([&] { return idle(); });
  EXPECT_TRUE(fs::is_regular_file(corrected("a.png")));
  EXPECT_EQ(session_.settings.scene.image.depth.text, corrected("a.png"));
  stroke();
  until([&] { return !corrector_.busy(); });
  EXPECT_TRUE(session_.notices.errors.empty());
}

TEST_F(DepthCorrectorTest, ResetsTheDepth) {
  ImageSettings& image = session_.settings.scene.image;
  const std::string depth = file("other.pfm", kPfm).string();
  frame([&] {
    image.depth.text = depth;
    image.meaning = DepthMeaning::disparity;
  });
  until([&] { return !opening_.loading(); });
  image.levelNear = 0.5f;
  session_.preferences.recentImages = {{image.file, image.depth, withReading({}, image)}};
  const auto reset = [&] {
    frame([&] { corrector_.reset(); });
    until([&] { return idle(); });
    EXPECT_TRUE(session_.notices.errors.empty());
    EXPECT_EQ(image.depth.text, depth);
    EXPECT_EQ(image.meaning, DepthMeaning::disparity);
    EXPECT_EQ(image.levelNear, 1.0f);
  };
  reset();
  for (const bool written : {true, false}) {
    stroke();
    if (written) until([&] { return !corrector_.busy() && image.depth.text == corrected("a.png"); });
    reset();
    EXPECT_FALSE(fs::exists(corrected("a.png")));
    EXPECT_EQ(session_.brush.undoable, 0) << written;
    history_.undo(session_);
    EXPECT_NE(image.depth.text, corrected("a.png"));
    history_.redo(session_);
  }
}

TEST_F(DepthCorrectorTest, UndoOfAllStrokesShowsTheDepthBefore) {
  ImageSettings& image = session_.settings.scene.image;
  frame([&] {
    image.depth.text = file("other.pfm", kPfm).string();
    image.meaning = DepthMeaning::relative;
    image.levelNear = 0.5f;
  });
  until([&] { return !opening_.loading(); });
  LoadProgress progress;
  const SceneSettings& shown = session_.settings.scene;
  const auto scene = sceneRow(shown.kind).load(shown, shown, progress);
  const ImageSettings original = image;
  const std::vector<float> depths = correctionOf(original)->depth()->map.depth;
  const std::size_t steps = history_.steps().size();
  stroke();
  stroke();
  until([&] { return idle(); });
  EXPECT_EQ(depthMeaning(image), DepthMeaning::inverseMetres);
  for (int times = 0; times < 2; ++times) {
    step(true);
    EXPECT_EQ(image.depth.text, corrected("a.png")) << "a stroke is left";
    step(true);
    EXPECT_EQ(image, original);
    EXPECT_EQ(history_.steps().size(), steps);
    EXPECT_EQ(depthMeaning(image), DepthMeaning::relative);
    EXPECT_EQ(correctionOf(image)->depth()->map.depth, depths);
    EXPECT_FALSE(fs::exists(corrected("a.png")));
    step(false);
    step(false);
    EXPECT_EQ(image.depth.text, corrected("a.png"));
    EXPECT_EQ(depthMeaning(image), DepthMeaning::inverseMetres);
    EXPECT_NE(correctionOf(image)->depth()->map.depth, depths);
    EXPECT_TRUE(fs::is_regular_file(corrected("a.png")));
  }
  EXPECT_TRUE(session_.notices.errors.empty());
}

TEST_F(DepthCorrectorTest, AnotherPhotographEndsTheReportOfADamagedDepth) {
  file("b.png.corrected-depth.exr", "v/1\x01");
  open("b.png");
  until([&] { return !session_.notices.errors.empty(); });
  EXPECT_THAT(session_.notices.errors[0].text, HasSubstr("b.png.corrected-depth.exr"));
  open("c.png");
  until([&] { return session_.notices.errors.empty(); });
}

TEST_F(DepthCorrectorTest, ResetDeletesNoFileOfOthers) {
  stroke();
  until([&] { return idle(); });
  file("a.png.corrected-depth.exr", "of another");
  frame([&] { corrector_.reset(); });
  until([&] { return !corrector_.busy(); });
  ASSERT_EQ(session_.notices.errors.size(), 1u);
  EXPECT_THAT(session_.notices.errors[0].text, HasSubstr("it was not written by the brush"));
  EXPECT_TRUE(fs::exists(corrected("a.png")));
}

TEST_F(DepthCorrectorTest, AStrokeIsWrittenThoughAnotherPhotographIsShown) {
  strokeInVain("a.png");
  open("b.png");
  stroke();
  until([&] { return fs::is_regular_file(corrected("b.png")); });
  EXPECT_TRUE(corrector_.busy());
  open("a.png");
  stroke();
  ASSERT_FALSE(session_.notices.errors.empty());
  EXPECT_THAT(session_.notices.errors[0].text, HasSubstr("its strokes before are not written yet"));
  fs::remove(corrected("a.png"));
  until([&] { return !corrector_.busy(); });
  EXPECT_TRUE(fs::is_regular_file(corrected("a.png")));
}

TEST_F(DepthCorrectorTest, ACorrectionThatAnotherProgramReplacedStays) {
  const auto strokeToEnd = [&] {
    stroke();
    until([&] { return idle(); });
  };
  LoadProgress progress;
  const SceneSettings& shown = session_.settings.scene;
  const auto scene = sceneRow(shown.kind).load(shown, shown, progress);
  strokeToEnd();
  EXPECT_EQ(shown.image.depth.text, corrected("a.png"));
  const std::string other = "other strokes";
  file(corrected("a.png").filename(), other);
  strokeToEnd();
  const fs::path copy = copyPath(corrected("a.png"), 2);
  EXPECT_EQ(readWholeFile(corrected("a.png"), 1000), other);
  EXPECT_EQ(shown.image.depth.text, copy);
  ASSERT_FALSE(session_.notices.errors.empty());
  EXPECT_THAT(session_.notices.errors[0].text, HasSubstr("another program has replaced"));
  const std::string first = readWholeFile(copy, 1 << 20);
  strokeToEnd();
  EXPECT_NE(readWholeFile(copy, 1 << 20), first);
  EXPECT_FALSE(fs::exists(copyPath(corrected("a.png"), 3)));
  EXPECT_TRUE(session_.notices.errors.empty());
  EXPECT_EQ(photoOfDepth(copy), folder_ / "a.png");
}

TEST_F(DepthCorrectorTest, ACorrectionOfAnotherPhotographOfThisNameIsKept) {
  const auto paintedOn = [&](const fs::path& file) {
    return exrText(readWholeFile(file, 1 << 20), kPaintedOnKeyword).value_or("");
  };
  const auto strokeToEnd = [&] {
    stroke();
    until([&] { return idle(); });
  };
  const std::string own = hashed(png());
  strokeToEnd();
  EXPECT_EQ(paintedOn(corrected("a.png")), own);
  for (const std::string& of : {std::string("other"), std::string(), own}) {
    const std::string name = "of-" + of + ".png";
    const fs::path copy = copyPath(corrected(name), 2);
    std::vector<ImageText> texts{{kCorrectedKeyword, "by a brush"}};
    if (!of.empty()) texts.push_back({kPaintedOnKeyword, of});
    const std::string before = codecByExtension(copy)->layer(Layer::depth, {{1, 1}, 0.5f, {{0.5f}}}, texts);
    file(corrected(name).filename(), before);
    open(name);
    show();
    stroke();
    step(true);
    EXPECT_EQ(paintedOn(corrected(name)), of) << "the depth is as it was read";
    EXPECT_FALSE(fs::exists(copy)) << of;
    const std::string undone = readWholeFile(corrected(name), 1 << 20);
    for (int times = 0; times < 2; ++times) {
      strokeToEnd();
      EXPECT_EQ(paintedOn(corrected(name)), own);
      EXPECT_EQ(fs::exists(copy), of == "other") << of;
    }
    EXPECT_FALSE(fs::exists(copyPath(corrected(name), 3)));
    if (of == "other") {
      EXPECT_EQ(readWholeFile(copy, 1 << 20), undone);
    }
    EXPECT_EQ(session_.settings.scene.image.depth.text, corrected(name));
  }
  EXPECT_TRUE(session_.notices.errors.empty());
}

TEST_F(DepthCorrectorTest, APhotographThatIsReplacedBeforeItsStrokesAreWrittenIsNotTheirs) {
  show();
  file("a.png", png({{"Title", "another"}}));
  stroke();
  until([&] { return idle(); });
  EXPECT_FALSE(exrText(readWholeFile(corrected("a.png"), 1 << 20), kPaintedOnKeyword));
}

TEST_F(DepthCorrectorTest, APhotographThatIsOpenedTakesNoDepthOfTheOneBefore) {
  stroke();
  for (int seconds = 0; seconds < 2; ++seconds) frame([] {});
  while (!corrector_.hasNews(nowS_)) std::this_thread::yield();
  open("b.png");
  EXPECT_EQ(session_.settings.scene.image.file.text, folder_ / "b.png");
  EXPECT_TRUE(session_.settings.scene.image.depth.none());
  EXPECT_TRUE(fs::is_regular_file(corrected("a.png")));
}

TEST_F(DepthCorrectorTest, UndoToAPhotographShowsItsStrokesAndThenUndoesThem) {
  const ImageSettings& image = session_.settings.scene.image;
  for (const bool closes : {false, true}) {
    const std::string name = closes ? "c.png" : "a.png", other = closes ? "d.png" : "b.png";
    open(name);
    stroke();
    open(other);
    if (closes)
      corrector_.finish(session_, history_);
    else
      until([&] { return idle(); });
    step(true);
    EXPECT_EQ(image.depth.text, corrected(name));
    EXPECT_TRUE(fs::is_regular_file(corrected(name)));
    step(true);
    EXPECT_EQ(fs::exists(corrected(name)), closes) << "strokes are final when the window closes";
    EXPECT_EQ(image.file.text == folder_ / name, !closes);
    EXPECT_EQ(image.depth.text, "");
    step(false);
    EXPECT_EQ(image.depth.text, corrected(name));
    EXPECT_TRUE(fs::is_regular_file(corrected(name)));
    step(false);
    EXPECT_EQ(image.file.text, folder_ / other);
    EXPECT_EQ(image.depth.text, "");
  }
  EXPECT_TRUE(session_.notices.errors.empty());
}

TEST_F(DepthCorrectorTest, StrokesAndEditsAreUndoneInTheirOrder) {
  for (const bool brushStays : {true, false}) {
    open(brushStays ? "b.png" : "c.png");
    show();
    const fs::path file = correctedDepthOf(session_.settings.scene.image.file.text);
    std::vector<std::vector<float>> depthsAt = {depths()};
    std::vector<float> stops = {session_.settings.lens.fNumber};
    const auto made = [&](bool strokes) {
      if (strokes) stroke();
      if (!strokes) frame([&] { session_.settings.lens.fNumber += 1.0f; });
      depthsAt.push_back(depths());
      stops.push_back(session_.settings.lens.fNumber);
    };
    for (const bool strokes : {false, true, true, false, false, true}) made(strokes);
    until([&] { return idle(); });
    show();
    if (!brushStays) frame([&] { session_.brush.kind.reset(); });
    const int last = static_cast<int>(stops.size()) - 1;
    for (const bool back : {true, false, true})
      for (int i = 1; i <= last; ++i) {
        step(back);
        const auto at = static_cast<std::size_t>(back ? last - i : i);
        EXPECT_EQ(session_.settings.lens.fNumber, stops[at]) << at;
        EXPECT_EQ(depths(), depthsAt[at]) << at;
        EXPECT_EQ(fs::exists(file), depthsAt[at] != depthsAt[0]) << at;
      }
    step(false);
    step(false);
    EXPECT_EQ(depths(), depthsAt[2]);
    made(false);
    until([&] { return idle(); });
    EXPECT_EQ(session_.brush.redoable, 0);
    step(false);
    EXPECT_EQ(depths(), depthsAt[2]) << "a new edit ends what could be redone";
  }
  EXPECT_TRUE(session_.notices.errors.empty());
}

TEST_F(DepthCorrectorTest, AnEditOfTheReadingIsOneStepBeforeAndAfterAStroke) {
  ImageSettings& image = session_.settings.scene.image;
  const auto means = [&](DepthMeaning meaning) {
    frame([&] { image.meaning = meaning; });
    do {
      show();
      frame([] {});
    } while (!idle());
  };
  for (const bool written : {true, false}) {
    open(written ? "b.png" : "c.png");
    show();
    const fs::path file = correctedDepthOf(image.file.text);
    const std::string first = image.depth.text;
    means(DepthMeaning::disparity);
    stroke();
    if (written) until([&] { return idle(); });
    for (int times = 0; times < 2; ++times) {
      frame([&] { corrector_.undoOrRedo(session_.settings, history_, true); });
      step(true);
      for (int seconds = 0; seconds < 5; ++seconds) step(true), step(false);
      EXPECT_EQ(image.meaning, DepthMeaning::automatic);
      EXPECT_FALSE(fs::exists(file));
      step(false);
      EXPECT_EQ(image.meaning, DepthMeaning::disparity);
      step(false);
      EXPECT_EQ(image.depth.text, file);
    }
    stroke();
    if (written) until([&] { return idle(); });
    means(DepthMeaning::relative);
    EXPECT_EQ(image.meaning, DepthMeaning::relative);
    step(true);
    EXPECT_EQ(image.depth.text, file);
    step(true);
    step(true);
    EXPECT_EQ(image.depth.text, first);
    EXPECT_EQ(image.meaning, DepthMeaning::disparity);
    EXPECT_FALSE(fs::exists(file));
  }
  EXPECT_TRUE(session_.notices.errors.empty());
}

TEST_F(DepthCorrectorTest, StrokesBeforeLevelsThatAnotherStrokeAppliesAreFinal) {
  ImageSettings& image = session_.settings.scene.image;
  show();
  frame([&] { session_.settings.lens.fNumber = 8.0f; });
  stroke();
  until([&] { return idle(); });
  frame([&] { image.levelNear = 0.5f; });
  do {
    show();
    frame([] {});
  } while (!idle());
  stroke();
  until([&] { return idle(); });
  EXPECT_EQ(image.levelNear, 1.0f) << "in the file";
  for (int times = 0; times < 4 && session_.settings.lens.fNumber == 8.0f; ++times) step(true);
  EXPECT_NE(session_.settings.lens.fNumber, 8.0f);
  EXPECT_EQ(image.depth.text, corrected("a.png")) << "the file is shown";
  EXPECT_TRUE(fs::is_regular_file(corrected("a.png")));
}

TEST_F(DepthCorrectorTest, TheNextWindowShowsTheStrokesInAllSteps) {
  frame([&] { session_.settings.lens.fNumber = 8.0f; });
  stroke();
  until([&] { return idle(); });
  History next = history_;
  corrector_.endUndo(next);
  next.undo(session_);
  EXPECT_NE(session_.settings.lens.fNumber, 8.0f);
  EXPECT_EQ(session_.settings.scene.image.depth.text, corrected("a.png"));
}

TEST_F(DepthCorrectorTest, AnUndoneStrokeDoesNotComeBack) {
  stroke();
  until([&] { return idle(); });
  frame([&] { session_.brush.kind.reset(); });
  step(true);
  EXPECT_FALSE(fs::exists(corrected("a.png")));
  open("b.png");
  open("a.png");
  EXPECT_EQ(session_.settings.scene.image.depth.text, "");
}

TEST_F(DepthCorrectorTest, RedoGoesOnWhenThePhotographIsShownAgain) {
  const ImageSettings& image = session_.settings.scene.image;
  for (const int undone : {1, 2})
    for (const bool written : {true, false}) {
      const std::string name = std::string("of") + (written ? "ten" : "fen") + std::to_string(undone) + ".png";
      open(name);
      show();
      stroke();
      stroke();
      until([&] { return idle(); });
      const std::vector<float> before = depths();
      for (int i = 0; i < undone; ++i)
        if (written)
          step(true);
        else
          frame([&] { corrector_.undoOrRedo(session_.settings, history_, true); });
      if (undone == 2) {
        step(true);
        EXPECT_NE(image.file.text, folder_ / name);
        step(false);
      }
      EXPECT_EQ(image.file.text, folder_ / name);
      EXPECT_EQ(fs::exists(corrected(name)), undone == 1);
      EXPECT_EQ(session_.brush.redoable, undone);
      for (int i = 0; i < undone; ++i) step(false);
      EXPECT_EQ(depths(), before);
      EXPECT_EQ(image.depth.text, corrected(name));
      EXPECT_TRUE(fs::is_regular_file(corrected(name)));
    }
  EXPECT_TRUE(session_.notices.errors.empty());
}

TEST_F(DepthCorrectorTest, AStrokeIsWrittenWhenTheWindowCloses) {
  strokeInVain("a.png");
  open("b.png");
  stroke();
  fs::remove(corrected("a.png"));
  corrector_.finish(session_, history_);
  for (const char* const name : {"a.png", "b.png"}) EXPECT_TRUE(fs::is_regular_file(corrected(name))) << name;
  EXPECT_TRUE(session_.notices.errors.empty());
}

}  // namespace
}  // namespace satdof
