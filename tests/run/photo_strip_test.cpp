#include "app/run/window/files/photo_strip.h"

#include <gmock/gmock.h>

#include <chrono>
#include <future>
#include <glm/gtc/packing.hpp>
#include <thread>

#include "app/core/files/file_timeout.h"
#include "app/core/settings_json.h"
#include "app/io/damage.h"
#include "app/run/window/depth/depth_estimator.h"
#include "app/run/window/files/recent_images.h"
#include "app/run/window/files/settings_edit.h"
#include "app/run/window/files/thumbnail_maker.h"
#include "app/run/window/histogram_meter.h"
#include "app/run/window/recording/recorder.h"
#include "app/scene/image/image.h"
#include "tests/support/environment.h"
#include "tests/support/file_work.h"
#include "tests/support/files_fixture.h"

namespace satdof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PhotoStripTest : public FilesTest {
 protected:
  PhotoStripTest() {
    for (const char* const name : {"a", "b", "c"}) {
      file(std::string(name) + ".png", png());
      file(std::string(name) + "_depth.pfm", kPfm);
    }
    file("b.png", "damaged");
    frame([&] { opening_.drop(session_, {folder_}); });
    finish();
  }
  // A frame with one edit. A photograph that is shown has been framed.
  template <class Edit>
  void frame(const Edit& edit) {
    opening_.beginEdits(session_);
    edit();
    strip_.serve(session_, opening_);
    depth_.serve(session_, opening_, true);
    opening_.endEdits(session_);
    if (!opening_.loading()) session_.settings.scene.frame = false;
  }
  void finish() {
    do {
      frame([] {});
      std::this_thread::yield();
    } while (opening_.loading());
  }
  void step(int photos) {
    frame([&] { strip_.step(session_.strip, photos); });
    finish();
  }
  void show(int at) { step(at - static_cast<int>(session_.strip.at)); }
  void open(const std::filesystem::path& folder) {
    frame([&] { opening_.drop(session_, {folder}); });
    finish();
  }
  std::filesystem::path otherFolder() const {
    std::filesystem::create_directory(folder_ / "other");
    for (const char* const name : {"other/1.png", "other/2.png"}) file(name, png());
    return folder_ / "other";
  }
  std::string shown() const {
    return std::filesystem::path(session_.settings.scene.image.file.text).filename().string();
  }
  // Exports all and returns the names of the files.
  std::vector<std::string> exported(const std::filesystem::path& cancelAt = {}) {
    std::vector<std::string> names;
    strip_.exportAll(session_);
    do {
      if (session_.strip.exporting) strip_.step(session_.strip, 1);  // which goes through all by itself
      finish();
      const auto depth = correctionOf(session_.settings.scene.image);
      session_.shown.depthDamage = depth ? depth->depth()->damage : "";
      session_.shown.lacksDepth = session_.settings.scene.image.depth.none() || !session_.shown.depthDamage.empty();
      const auto to = strip_.toWrite(session_, true);
      if (!to || strip_.estimates(session_, depth_)) continue;
      if (*to == cancelAt) {
        strip_.wrote(session_, {});
        continue;
      }
      names.push_back(to->filename().string());
      strip_.wrote(session_, *to);
    } while (strip_.exports());
    return names;
  }

  Session session_;
  Opening opening_;
  StripController strip_;
  DepthEstimator depth_{false};
};

TEST_F(PhotoStripTest, StepsThroughTheFolderAndPassesADamagedFile) {
  EXPECT_EQ(session_.strip.photos.size(), 3u);
  EXPECT_EQ(shown(), "a.png");
  show(1);
  EXPECT_EQ(shown(), "a.png");
  EXPECT_FALSE(session_.notices.errors.empty());
  EXPECT_EQ(session_.strip.at, 1u);
  EXPECT_TRUE(session_.strip.lacksImage());
  show(2);
  EXPECT_FALSE(session_.strip.lacksImage());
  EXPECT_EQ(shown(), "c.png");
  EXPECT_TRUE(session_.notices.errors.empty());
  step(1);
  EXPECT_EQ(shown(), "c.png") << "the last";
  frame([&] {
    for (int i = 0; i < 2; ++i) strip_.step(session_.strip, -1);
  });
  finish();
  EXPECT_EQ(shown(), "a.png");
}

TEST_F(PhotoStripTest, SaysThatTheFirstPhotographIsDamaged) {
  file("0.png", "damaged");
  frame([&] { opening_.drop(session_, {folder_}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // a frame takes longer than reading
  finish();
  EXPECT_EQ(session_.strip.at, 0u);
  EXPECT_TRUE(session_.strip.lacksImage());
  frame([&] { session_.settings.scene.kind = SceneKind::teapots; });
  EXPECT_FALSE(session_.strip.lacksImage()) << "another scene";
}

TEST_F(PhotoStripTest, MarksWhatIsShownIfReadingIsCancelled) {
  frame([&] { strip_.step(session_.strip, 2); });
  EXPECT_TRUE(session_.strip.lacksImage());
  opening_.cancel(session_);
  finish();
  EXPECT_EQ(shown(), session_.strip.photos[session_.strip.at].file.filename());
  EXPECT_FALSE(session_.strip.lacksImage());
}

TEST_F(PhotoStripTest, ComesBackWithTheNextWindow) {
  std::vector<std::string> files;
  for (const auto& photo : session_.strip.photos) files.push_back(photo.file.string());
  std::filesystem::remove(folder_ / "c.png");
  const PhotoStrip strip = lastStrip(files, FilePath{files[0]}, {});
  ASSERT_EQ(strip.photos.size(), 2u) << "without the file that is gone";
  EXPECT_EQ(strip.photos[1].file, files[1]);
  EXPECT_TRUE(lastStrip(files, FilePath{"other.png"}, {}).photos.empty());
}

TEST_F(PhotoStripTest, SaysHowManyCapturesOfAFolderAreLeftOut) {
  file("a-refocused-0001.png", png());
  open(folder_);
  EXPECT_EQ(session_.strip.photos.size(), 3u);
  EXPECT_THAT(session_.notices.text, HasSubstr("Left out: 1 capture of these photographs"));
}

TEST_F(PhotoStripTest, OpensAFolderByARelativePath) {
  frame([&] { opening_.drop(session_, {std::filesystem::relative(folder_)}); });
  finish();
  EXPECT_EQ(session_.strip.photos.size(), 3u);
  EXPECT_EQ(shown(), "a.png");
}

TEST_F(PhotoStripTest, EachPhotographKeepsItsDepthAndHowItIsRead) {
  ImageSettings& image = session_.settings.scene.image;
  image.meaning = DepthMeaning::disparity;
  image.depth.text = file("other.pfm", kPfm).string();
  finish();
  std::filesystem::remove(folder_ / "a_depth.pfm");
  show(2);
  EXPECT_EQ(image.meaning, DepthMeaning::automatic);
  image.meaning = DepthMeaning::relative;
  finish();
  show(0);
  EXPECT_EQ(image.meaning, DepthMeaning::disparity);
  EXPECT_EQ(image.depth.text, (folder_ / "other.pfm").string());
  show(2);
  EXPECT_EQ(image.meaning, DepthMeaning::relative);
}

TEST_F(PhotoStripTest, ACorrectedDepthIsReadAsTheBrushWroteIt) {
  float& level = session_.settings.scene.image.levelNear;
  level = 0.5f;
  show(2);
  file("a.png.corrected-depth.exr");  // another window has written it
  show(0);
  EXPECT_THAT(session_.settings.scene.image.depth.text, testing::EndsWith("a.png.corrected-depth.exr"));
  EXPECT_EQ(level, 1.0f);
  level = 0.7f;
  show(2);
  show(0);
  EXPECT_EQ(level, 0.7f) << "levels of the correction";
}

TEST_F(PhotoStripTest, AFolderOfDepthsGivesThemToItsPhotographs) {
  const ImageSettings& image = session_.settings.scene.image;
  for (const char* const name : {"depths/a.pfm", "depths/c.pfm"}) file(name, kPfm);
  open(folder_ / "depths");
  EXPECT_EQ(session_.strip.photos.size(), 3u);
  EXPECT_EQ(session_.notices.text, "Depths of 2 photographs");
  EXPECT_EQ(shown(), "a.png");
  EXPECT_EQ(image.depth.text, (folder_ / "depths/a.pfm").string());
  show(2);
  EXPECT_EQ(image.depth.text, (folder_ / "depths/c.pfm").string());
  show(0);
  EXPECT_EQ(image.depth.text, (folder_ / "depths/a.pfm").string());
  const std::uint8_t red[] = {200, 9, 9};
  for (const char* const name : {"edited/a.png", "edited/c.png"}) file(name, encodePng(red, {1, 1}, 8, {}));
  open(folder_ / "edited");
  EXPECT_EQ(session_.strip.photos.size(), 2u) << "photographs of these names";
  EXPECT_EQ(image.file.text, (folder_ / "edited/a.png").string());
}

TEST_F(PhotoStripTest, EachPhotographKeepsItsShot) {
  Shot shot;
  shot.tracks = {{"lens.fNumber", {{.timeS = 1, .value = 4}}}};
  const auto left = std::make_shared<const Shot>(shot);
  session_.timeline.shot = left;
  session_.timeline.timeS = 2.0;
  finish();
  show(2);
  EXPECT_EQ(session_.shot(), Shot());
  EXPECT_EQ(session_.timeline.timeS, 0.0);
  show(0);
  EXPECT_EQ(session_.timeline.shot, left);
  EXPECT_EQ(session_.timeline.timeS, 2.0);
  exported();
  EXPECT_EQ(session_.timeline.shot, left);
}

TEST_F(PhotoStripTest, EachPhotographKeepsItsFocusAndItsOwnLook) {
  session_.settings.lens.fNumber = 2.0f;
  session_.settings.lens.focusDistanceM = 5.0f;
  show(2);
  EXPECT_EQ(session_.settings.lens.fNumber, 2.0f) << "one look for all";
  session_.settings.lens.fNumber = 4.0f;
  session_.settings.lens.focusDistanceM = 7.0f;
  show(0);
  EXPECT_EQ(session_.settings.lens.fNumber, 4.0f);
  EXPECT_EQ(session_.settings.lens.focusDistanceM, 5.0f);
  session_.strip.ownLooks = true;
  session_.settings.lens.fNumber = 8.0f;
  show(2);
  EXPECT_EQ(session_.settings.lens.fNumber, 4.0f);
  EXPECT_EQ(session_.settings.lens.focusDistanceM, 7.0f);
  show(0);
  EXPECT_EQ(session_.settings.lens.fNumber, 8.0f);
}

TEST_F(PhotoStripTest, OwnLooksOfPhotographsThatWereNotShownAreTheFirst) {
  session_.settings.lens.fNumber = 8.0f;
  session_.strip.ownLooks = true;
  finish();
  session_.settings.lens.fNumber = 2.0f;
  show(2);
  EXPECT_EQ(session_.settings.lens.fNumber, 8.0f);
  show(0);
  EXPECT_EQ(session_.settings.lens.fNumber, 2.0f);
}

TEST_F(PhotoStripTest, StaysIfAnotherFileCannotBeRead) {
  frame([&] { opening_.drop(session_, {file("broken.png", png().substr(0, 40))}); });
  finish();
  EXPECT_TRUE(session_.strip.shown());
  EXPECT_EQ(shown(), "a.png");
  frame([&] { opening_.drop(session_, {file("other.png", png())}); });
  finish();
  EXPECT_FALSE(session_.strip.shown());
  EXPECT_EQ(shown(), "other.png");
}

TEST_F(PhotoStripTest, PastesNoLookWhileItsPhotographIsRead) {
  session_.strip.unread = "next.png";
  const Settings before = session_.settings;
  Settings look = before;
  look.lens.fNumber = 8.0f;
  const SessionEdit paste = pastedLook(settingsToJson(look), before);
  paste(session_, opening_);
  EXPECT_EQ(session_.settings, before);
  EXPECT_THAT(session_.notices.text, HasSubstr("next.png is still being read"));
  session_.strip.unread.clear();
  paste(session_, opening_);
  EXPECT_EQ(session_.settings.lens.fNumber, 8.0f);
}

TEST_F(PhotoStripTest, MarksWhatIsShownThoughTheFirstOneIsGone) {
  strip_.exportAll(session_);
  do {
    finish();
    const auto to = strip_.toWrite(session_, true);
    if (to && session_.strip.exporting->at == 2) std::filesystem::remove(folder_ / "a.png");
    if (to) strip_.wrote(session_, *to);
  } while (strip_.exports());
  EXPECT_EQ(shown(), "c.png");
  EXPECT_EQ(session_.strip.at, 2u);
}

TEST_F(PhotoStripTest, OwnLooksComeBackWithTheFolder) {
  session_.strip.ownLooks = true;
  const auto leave = [&](int at, float fNumber, float focusM) {
    show(at);
    session_.settings.lens.fNumber = fNumber;
    session_.settings.lens.focusDistanceM = focusM;
    finish();
    rememberFiles(session_.preferences.recentImages, shownImage(session_));
  };
  const auto reopen = [&] {
    frame([&] { opening_.drop(session_, {file("other.png", png())}); });
    finish();
    EXPECT_FALSE(session_.strip.shown());
    rememberFiles(session_.preferences.recentImages, shownImage(session_));
    std::filesystem::remove(folder_ / "other.png");
    session_.strip = {};  // another window
    frame([&] { opening_.drop(session_, {folder_}); });
    finish();
  };
  leave(2, 4.0f, 7.0f);
  leave(0, 8.0f, 5.0f);
  session_.settings.lens = {};
  reopen();
  EXPECT_TRUE(session_.strip.ownLooks);
  EXPECT_EQ(shown(), "a.png");
  EXPECT_EQ(session_.settings.lens.fNumber, 8.0f);
  EXPECT_EQ(session_.settings.lens.focusDistanceM, 5.0f);
  show(2);
  EXPECT_EQ(session_.settings.lens.fNumber, 4.0f);
  EXPECT_EQ(session_.settings.lens.focusDistanceM, 7.0f);
  session_.strip.ownLooks = false;
  rememberFiles(session_.preferences.recentImages, shownImage(session_));
  reopen();
  EXPECT_FALSE(session_.strip.ownLooks);
  EXPECT_EQ(session_.settings.lens.fNumber, 4.0f) << "one look for all";
}

TEST_F(PhotoStripTest, TheFocusOfEachPhotographComesBackInTheNextWindow) {
  const auto focus = [&](int at, float focusM) {
    show(at);
    session_.settings.lens.focusDistanceM = focusM;
    finish();
    rememberFiles(session_.preferences.recentImages, shownImage(session_));
  };
  focus(2, 7.0f);
  focus(0, 5.0f);
  std::vector<std::string> files;
  for (const auto& photo : session_.strip.photos) files.push_back(photo.file.string());
  session_.strip = lastStrip(files, FilePath{files[0]}, session_.preferences.recentImages);
  EXPECT_FALSE(session_.strip.ownLooks);
  session_.settings.lens.fNumber = 3.0f;
  show(2);
  EXPECT_EQ(session_.settings.lens.focusDistanceM, 7.0f);
  EXPECT_EQ(session_.settings.lens.fNumber, 3.0f) << "one look for all";

  session_.strip = {};
  frame([&] { opening_.drop(session_, {folder_}); });
  finish();
  EXPECT_EQ(shown(), "a.png");
  EXPECT_EQ(session_.settings.lens.focusDistanceM, 5.0f);
  session_.strip.ownLooks = true;
  finish();
  show(2);
  EXPECT_EQ(session_.settings.lens.focusDistanceM, 7.0f);
  EXPECT_EQ(session_.settings.lens.fNumber, 3.0f) << "the look that all shared";
}

TEST_F(PhotoStripTest, FocusAndLookStayWhileAnotherFolderIsShown) {
  const std::filesystem::path other = otherFolder();
  session_.strip.ownLooks = true;
  const auto expect = [&](int at, float fNumber, float focusM) {
    show(at);
    EXPECT_EQ(session_.settings.lens.fNumber, fNumber);
    EXPECT_EQ(session_.settings.lens.focusDistanceM, focusM);
  };
  const auto leave = [&](int at, float fNumber, float focusM) {
    show(at);
    session_.settings.lens.fNumber = fNumber;
    session_.settings.lens.focusDistanceM = focusM;
    finish();
  };
  leave(2, 4.0f, 7.0f);
  leave(0, 2.0f, 5.0f);
  open(other);
  EXPECT_TRUE(session_.strip.ownLooks);
  leave(1, 16.0f, 9.0f);
  open(folder_);
  EXPECT_TRUE(session_.strip.ownLooks);
  expect(0, 2.0f, 5.0f);
  expect(2, 4.0f, 7.0f);
  session_.strip.ownLooks = false;
  open(other);
  EXPECT_FALSE(session_.strip.ownLooks);
  expect(1, 4.0f, 9.0f);
}

TEST_F(PhotoStripTest, AFolderThatIsOpenedTakesNoLookFromTheListOfRecentImages) {
  session_.strip.ownLooks = true;
  session_.settings.lens.fNumber = 8.0f;
  finish();
  auto& recent = session_.preferences.recentImages;
  rememberFiles(recent, shownImage(session_));
  frame([&] { opening_.drop(session_, {otherFolder()}); });
  rememberFiles(recent, shownImage(session_));  // while the photograph before is shown
  finish();
  ASSERT_TRUE(recent[0].left);
  EXPECT_EQ(recent[0].left->lens.fNumber, 8.0f);
}

TEST_F(PhotoStripTest, FollowsUndoToTheStripBefore) {
  PhotoStrip& strip = session_.strip;
  const std::filesystem::path first = folder_ / "a.png", other = otherFolder();
  open(other);
  strip.follow(first);
  EXPECT_EQ(strip.photos.size(), 3u);
  strip.follow(folder_ / "alone.png");
  EXPECT_TRUE(strip.photos.empty());
  strip.follow(other / "1.png");
  EXPECT_EQ(strip.photos.size(), 2u);
  strip.closes = true;
  strip.replaceBy({});
  strip.follow(other / "1.png");
  EXPECT_TRUE(strip.photos.empty()) << "the user has closed it";
}

TEST_F(PhotoStripTest, AnExportEstimatesMissingDepths) {
  const test::Environment cache("XDG_CACHE_HOME", folder_ / "cache");
  const std::string tool = R"(case $1 in *a.png) echo no model; exit 3;; esac
printf 'Pf\n1 1\n-1\n\000\000\200\077' > "$2")";
  for (const char* const name : {"a_depth.pfm", "c_depth.pfm"}) std::filesystem::remove(folder_ / name);
  session_.strip = {};
  open(folder_);
  session_.preferences.depthCommand = "sh " + file("tool.sh", tool).string() + " {image} {depth.pfm}";
  EXPECT_THAT(exported(), ElementsAre("a-refocused.png", "c-refocused.png"));
  EXPECT_THAT(session_.notices.text, HasSubstr("Exported 2 of 3 photographs, 1 of them without depth"));
  ASSERT_EQ(session_.notices.errors.size(), 2u);
  EXPECT_THAT(session_.notices.errors[1].text, HasSubstr("\"a.png\": sh failed (status 3): no model"));
}

TEST_F(PhotoStripTest, AnExportNamesADamagedDepth) {
  file("c_depth.pfm", "damaged");
  EXPECT_THAT(exported(), ElementsAre("a-refocused.png", "c-refocused.png"));
  EXPECT_THAT(session_.notices.text, HasSubstr("Exported 2 of 3 photographs, 1 of them without depth"));
  ASSERT_EQ(session_.notices.errors.size(), 2u);
  EXPECT_THAT(session_.notices.errors[1].text,
              testing::AllOf(HasSubstr("Exported without depth:\ncannot read depth"), HasSubstr("c_depth.pfm")));
}

TEST_F(PhotoStripTest, AnExportMakesItsFolderOrDoesNotBegin) {
  session_.preferences.capture.folder = (folder_ / "new" / "out").string();
  EXPECT_THAT(exported(), ElementsAre("a-refocused.png", "c-refocused.png"));
  EXPECT_TRUE(isFolder(folder_ / "new/out"));
  session_.preferences.capture.folder = (file("taken") / "out").string();
  EXPECT_THROW(strip_.exportAll(session_), std::runtime_error);
  EXPECT_FALSE(strip_.exports());
}

TEST_F(PhotoStripTest, ExportsAllButADamagedFileAndComesBack) {
  show(2);
  const Settings before = session_.settings;
  EXPECT_THAT(exported(), ElementsAre("a-refocused.png", "c-refocused.png"));
  EXPECT_EQ(session_.settings, before);
  EXPECT_EQ(session_.strip.at, 2u);
  EXPECT_FALSE(session_.strip.exporting);
  EXPECT_THAT(session_.notices.text, HasSubstr("Exported 2 of 3 photographs"));
  ASSERT_EQ(session_.notices.errors.size(), 1u);
  EXPECT_THAT(session_.notices.errors[0].text, HasSubstr("Not exported:\nb.png: "));
}

TEST_F(PhotoStripTest, AnExportCountsWhatIsWrittenLateOnceItIs) {
  std::promise<void> go;
  const std::shared_future<void> until = go.get_future().share();
  strip_.exportAll(session_);
  while (!strip_.toWrite(session_, true)) finish();
  {
    const FileTimeoutScope impatient;
    writeWithTimeout("a.png", [until]() -> std::filesystem::path {
      until.wait();
      throw std::runtime_error("no room");
    });
  }
  strip_.wrote(session_, "a.png");
  frame([] {});
  EXPECT_FALSE(strip_.toWrite(session_, true));
  EXPECT_EQ(session_.strip.exporting->written, 0);
  go.set_value();
  test::waitForFileWork();
  for (const auto& [file, failure] : takeLateWrites()) session_.report("capture", failure);
  while (strip_.exports()) {
    finish();
    if (const auto to = strip_.toWrite(session_, true)) strip_.wrote(session_, *to);
  }
  EXPECT_THAT(session_.notices.text, HasSubstr("Exported 1 of 3 photographs"));
  ASSERT_EQ(session_.notices.errors.size(), 1u);
  EXPECT_THAT(session_.notices.errors[0].text, HasSubstr("a.png: no room\nb.png: "));
}

TEST_F(PhotoStripTest, AnExportCountsPhotographsThatLackPixels) {
  session_.shown.notes = {"a.png: it is grey", "a.png: " + std::string(kDamagedNote)};
  exported();
  EXPECT_THAT(session_.notices.text, HasSubstr("Exported 2 of 3 photographs, 2 of them damaged"));
}

TEST_F(PhotoStripTest, SaysTheNamesOfAnExportFirst) {
  file("c-refocused-0007.png", "taken");
  session_.preferences.capture.folder = folder_.string();
  StripController::plan(session_);
  ASSERT_TRUE(session_.strip.planned);
  EXPECT_EQ(session_.strip.planned->folder, folder_);
  EXPECT_THAT(session_.strip.planned->names,
              ElementsAre("a-refocused-0001.png", "b-refocused-0001.png", "c-refocused-0008.png"));
  session_.preferences.capture.format = "OpenEXR, 16 bit";
  step(0);
  EXPECT_THAT(session_.strip.planned->names,
              ElementsAre("a-refocused-0001.exr", "b-refocused-0001.exr", "c-refocused-0001.exr"));
  session_.strip.photos[1].file = folder_ / "other/a.jpg";
  StripController::plan(session_);
  EXPECT_THAT(session_.strip.planned->names,
              ElementsAre("a-refocused-0001.exr", "a-refocused-0002.exr", "c-refocused-0001.exr"));
  strip_.cancel(session_);
  EXPECT_FALSE(session_.strip.planned);
}

TEST_F(PhotoStripTest, ACancelledExportKeepsTheFirstFiles) {
  EXPECT_THAT(exported("c-refocused.png"), ElementsAre("a-refocused.png"));
  EXPECT_THAT(session_.notices.text, HasSubstr("Exported 1 of 3 photographs, then cancelled"));
  EXPECT_EQ(shown(), "a.png");
}

TEST_F(PhotoStripTest, AnExportEndsWhenOtherPhotographsAreOpened) {
  strip_.exportAll(session_);
  frame([] {});
  frame([&] { opening_.drop(session_, {folder_ / "a.png", folder_ / "c.png"}); });
  finish();
  EXPECT_FALSE(strip_.exports());
  EXPECT_FALSE(strip_.toWrite(session_, true));
  EXPECT_EQ(session_.strip.photos.size(), 2u);
}

TEST(CaptureFile, IsInTheFolderOfTheSettings) {
  CaptureSettings capture;
  EXPECT_EQ(captureFile(capture, "a"), "a.png");
  capture.folder = "out";
  EXPECT_EQ(captureFile(capture, "a"), std::filesystem::path("out") / "a.png");
}

TEST(Thumbnail, IsTheMeanOfItsPixels) {
  Picture picture{{8, 4}, {}, true, {}};
  for (int i = 0; i < 32; ++i)
    for (const float v : {i % 8 < 4 ? 1.0f : 0.0f, i % 2 == 0 ? 1.0f : 0.0f, 0.0f, 1.0f})
      picture.rgba.push_back(glm::packHalf1x16(v));
  const SmallImage small = reduced(picture, 2);
  EXPECT_EQ(small.size, glm::ivec2(2, 1));
  EXPECT_THAT(small.rgba, ElementsAre(255, 188, 0, 255, 0, 188, 0, 255)) << "188: half the light in sRGB";
  EXPECT_EQ(reduced(picture, 100).size, picture.size);
}

TEST(Histogram, CountsTheValuesInTheAreaAndWhatIsClipped) {
  const std::vector<unsigned char> rgb{9, 9, 9, 0, 10, 20, 10, 20, 255, 0, 0, 255, 9, 9, 9, 9, 9, 9};
  const Histogram histogram = histogramOf(rgb, {3, 2}, {0, 0}, {3, 1});
  EXPECT_EQ(histogram.pixels, 3u);
  EXPECT_EQ(histogram.black, 1u);
  EXPECT_EQ(histogram.white, 1u);
  EXPECT_EQ(histogram.counts[0][9], 1u);
  EXPECT_EQ(histogram.counts[2][255], 1u);
  EXPECT_EQ(histogramOf(rgb, {3, 2}, {0, 1}, {1, 2}).black, 1u);
}

}  // namespace
}  // namespace satdof
