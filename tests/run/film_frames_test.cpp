#include "app/run/window/film_frames.h"

#include <gmock/gmock.h>

#include <random>
#include <thread>

#include "app/core/tracking.h"
#include "app/io/formats/png.h"
#include "app/run/window/files/recent_images.h"
#include "app/scene/image/depth_map.h"
#include "app/ui/edit.h"
#include "app/ui/timeline/timeline.h"
#include "tests/support/environment.h"
#include "tests/support/files_fixture.h"

namespace satdof {
namespace {

using testing::EndsWith;

constexpr glm::ivec2 kFilmSize{160, 100};
constexpr int kFilmFrames = 6, kStepPx = 4;

// Six frames with a texture that moves to the right, and a depth of noise.
class FilmFramesTest : public FilesTest {
 protected:
  void SetUp() override {
    const std::size_t pixels = static_cast<std::size_t>(kFilmSize.x) * kFilmSize.y;
    std::vector<std::uint8_t> texture(pixels);
    for (std::uint8_t& value : texture) value = static_cast<std::uint8_t>(random_() % 256);
    for (int frame = 0; frame < kFilmFrames; ++frame) {
      std::vector<std::uint8_t> rgb(3 * pixels);
      for (int y = 0; y < kFilmSize.y; ++y)
        for (int x = 0; x < kFilmSize.x; ++x)
          for (int c = 0; c < 3; ++c)
            rgb[static_cast<std::size_t>(3 * (y * kFilmSize.x + x) + c)] =
                texture[static_cast<std::size_t>(y * kFilmSize.x + std::max(x - kStepPx * frame, 0))];
      file("f" + std::to_string(frame + 3) + ".png", encodePng(rgb.data(), kFilmSize, 8, {}));
      std::string depth = "Pf\n" + std::to_string(kFilmSize.x) + " " + std::to_string(kFilmSize.y) + "\n-1\n";
      for (std::size_t i = 0; i < pixels; ++i) {
        const float metres = 2.0f + static_cast<float>(random_() % 100) * 0.002f;
        depth.append(reinterpret_cast<const char*>(&metres), sizeof metres);
      }
      file("d" + std::to_string(frame) + ".pfm", depth);
    }
    Settings& settings = session_.settings;
    settings.scene.kind = SceneKind::image;
    settings.scene.image.edgeRadiusPx = 0;
    settings.scene.image.file.text = (folder_ / "f3.png").string();
    settings.scene.image.depth.text = (folder_ / "d0.pfm").string();
    film_.begin(session_, openFilm(kAsked, {}), history_);
    history_ = History(session_);
  }

  template <class Edit>
  void frame(const Edit& edit) {
    opening_.beginEdits(session_);
    edit();
    film_.serve(session_, opening_, history_);
    opening_.endEdits(session_);
    history_.observe(session_, timeS_ += 1.0, false);
  }
  template <class Edit>
  void finish(const Edit& edit) {
    frame(edit);
    while (film_.busy(session_) || opening_.loading()) {
      frame([] {});
      std::this_thread::yield();
    }
  }
  void scrubTo(int number) {
    finish([&] { scrub(session_, number / static_cast<double>(frameRate(session_))); });
  }
  void track(float x) {
    finish([&] {
      LensSettings& lens = session_.settings.lens;
      lens.autofocus = true;
      lens.autofocusOn = AutofocusOn::tracked;
      lens.autofocusX = x;
    });
  }
  std::string shown() const { return session_.settings.scene.image.file.text; }

  const test::Environment cache_{"XDG_CACHE_HOME", folder_ / "cache"};
  const RecentImage kAsked{{(folder_ / "f%d.png").string()}, {(folder_ / "d%d.pfm").string()}};
  std::mt19937 random_{7};
  Session session_;
  Opening opening_;
  History history_{session_};
  FilmFrames film_;
  double timeS_ = 0.0;
};

TEST_F(FilmFramesTest, ShowsTheFrameAtThePlayheadWhichIsNoEdit) {
  EXPECT_FALSE(film_.busy(session_));
  EXPECT_EQ(lengthS(session_), kFilmFrames / static_cast<double>(frameRate(session_)));
  finish([&] { session_.settings.lens.fNumber = 8.0f; });
  scrubTo(4);
  EXPECT_THAT(shown(), EndsWith("f7.png"));
  EXPECT_THAT(session_.settings.scene.image.depth.text, EndsWith("d4.pfm"));
  scrubTo(100);
  EXPECT_THAT(shown(), EndsWith("f8.png"));
  finish([&] { EXPECT_EQ(history_.undo(session_), "Aperture"); });
  EXPECT_THAT(shown(), EndsWith("f3.png")) << "the playhead is where it was";
  frame([&] { EXPECT_EQ(history_.undo(session_), ""); });
}

TEST_F(FilmFramesTest, AFilmThatIsOpenedAgainHasItsLastFocus) {
  Settings& settings = session_.settings;
  const auto openAgain = [&] {
    rememberFiles(session_.preferences.recentImages, shownImage(session_));
    frame([&] { settings.scene.image.file.text = (folder_ / "other.png").string(); });
    settings.scene.image.file.text = (folder_ / "f3.png").string();
    settings.lens.focusDistanceM = 9.0f;
    settings.scene.frame = true;
    film_.begin(session_, openFilm(kAsked, {}), history_);
  };
  settings.lens.focusDistanceM = 2.5f;
  openAgain();
  EXPECT_EQ(settings.lens.focusDistanceM, 2.5f);
  EXPECT_FALSE(settings.scene.frame);
  settings.lens.focusDistanceM = 3.5f;
  scrubTo(2);
  openAgain();
  EXPECT_EQ(settings.lens.focusDistanceM, 3.5f);
  EXPECT_EQ(session_.preferences.recentImages.size(), 1u);
}

TEST_F(FilmFramesTest, TheAutofocusFollowsTheClickedPoint) {
  LensSettings& lens = session_.settings.lens;
  lens.autofocusY = 0.3f;
  track(0.4f);
  scrubTo(5);
  EXPECT_NEAR(lens.autofocusX, 0.4f + 5.0f * kStepPx / kFilmSize.x, 0.01f);
  EXPECT_NEAR(lens.autofocusY, 0.3f, 0.01f);
  scrubTo(2);
  EXPECT_NEAR(lens.autofocusX, 0.4f + 2.0f * kStepPx / kFilmSize.x, 0.01f);
  finish([&] { trackInFilm(lens, 2, {lens.autofocusX = 0.6f, lens.autofocusY}); });
  scrubTo(4);
  EXPECT_NEAR(lens.autofocusX, 0.6f + 2.0f * kStepPx / kFilmSize.x, 0.01f);
}

TEST_F(FilmFramesTest, ARecordingTracksWhatTheFirstFrameShows) {
  LensSettings& lens = session_.settings.lens;
  lens.autofocusOn = AutofocusOn::tracked;
  lens.autofocusX = 0.4f;
  frame([] {});
  session_.sequence.emplace();
  finish([&] {
    lens.autofocus = true;
    scrub(session_, 3 / static_cast<double>(frameRate(session_)));
  });
  EXPECT_NEAR(lens.autofocusX, 0.4f + 3.0f * kStepPx / kFilmSize.x, 0.01f);
  EXPECT_EQ(lens.trackedObject, 0);
}

TEST_F(FilmFramesTest, EachKeyOfATrackedPointIsFollowedFromItsOwnFrame) {
  LensSettings& lens = session_.settings.lens;
  track(0.3f);
  EXPECT_EQ(lens.trackedObject, 1) << "the first frame";
  finish([&] { toggleKey(session_, "lens.trackedObject"); });
  scrubTo(3);
  finish([&] {
    trackInFilm(lens, 3, {lens.autofocusX = 0.6f, lens.autofocusY});
    toggleKey(session_, "lens.trackedObject");
  });
  const float step = static_cast<float>(kStepPx) / kFilmSize.x;
  const float places[] = {0.3f, 0.3f + step, 0.3f + 2 * step, 0.6f, 0.6f + step, 0.6f + 2 * step};
  for (const int frame : {4, 1, 5, 2, 0, 3}) {
    scrubTo(frame);
    EXPECT_NEAR(lens.autofocusX, places[frame], 0.01f) << frame;
    for (int other = 0; other < kFilmFrames; ++other) {
      const double timeS = other / static_cast<double>(frameRate(session_));
      const Settings then = settingsAt(session_.shot(), session_.settings, timeS);
      EXPECT_NEAR(film_.at(then, other, false, [] {}).lens.autofocusX, places[other], 0.01f) << other;
    }
  }
}

TEST_F(FilmFramesTest, GivesTheSettingsOfOtherFrames) {
  LensSettings& lens = session_.settings.lens;
  lens.autofocus = true;
  lens.autofocusOn = AutofocusOn::tracked;
  lens.autofocusX = 0.4f;
  scrubTo(1);
  const auto at = [&](long number) { return film_.at(session_.settings, number, true, [] {}); };
  const Settings last = at(5);
  EXPECT_THAT(last.scene.image.file.text, EndsWith("f8.png"));
  EXPECT_NEAR(last.lens.autofocusX, lens.autofocusX + 4.0f * kStepPx / kFilmSize.x, 0.01f);
  EXPECT_EQ(at(1), session_.settings);
  EXPECT_NEAR(at(0).lens.autofocusX, 0.4f, 0.001f);
  EXPECT_THAT(shown(), EndsWith("f4.png"));
  file("d2.pfm", "damaged");
  EXPECT_THROW(at(2), std::runtime_error);
  scrubTo(4);
  EXPECT_NEAR(lens.autofocusX, 0.4f + 4.0f * kStepPx / kFilmSize.x, 0.01f);
}

TEST_F(FilmFramesTest, SmoothsTheDepth) {
  ImageSettings& image = session_.settings.scene.image;
  image.levelGamma = 2.0f;
  finish([&] { image.smoothFrames = 3; });
  scrubTo(5);
  const auto readDepth = [&] { return withReadDepth(image).depth.text; };
  const std::string smoothed = readDepth();
  EXPECT_THAT(smoothed, testing::HasSubstr("cache/satdof/steady/"));
  EXPECT_THAT(image.depth.text, EndsWith("d5.pfm")) << "the settings name what was smoothed";
  finish([&] { image.levelGamma = 3.0f; });
  EXPECT_EQ(readDepth(), smoothed) << "levels come after";
  finish([&] { image.scale = 2.0f; });
  EXPECT_THAT(readDepth(), testing::AllOf(testing::HasSubstr("steady/"), testing::Ne(smoothed)));
  finish([&] { image.smoothFrames = 0; });
  EXPECT_THAT(readDepth(), EndsWith("d5.pfm"));
}

TEST_F(FilmFramesTest, EstimatesTheDepthOfFramesThatAreRecorded) {
  const std::string tool = file("tool.sh", "printf 'Pf\\n1 1\\n-1\\nabcd' > $2\n").string();
  film_ = FilmFrames(true);
  session_.preferences.depthCommand = "sh " + tool + " {image} {depth.pfm}";
  Settings& settings = session_.settings;
  settings.scene.image.depth.text = "";
  film_.begin(session_, openFilm({kAsked.file, {}}, {}), history_);
  scrubTo(2);
  EXPECT_EQ(settings.scene.image.depth.text, "") << "the window answers before its depth is there";
  const auto isEstimate = testing::HasSubstr("cache/satdof/depth/");
  EXPECT_THAT(film_.at(settings, 4, true, [] {}).scene.image.depth.text, isEstimate);
  session_.sequence.emplace();
  for (const int frame : {2, 3}) {
    scrubTo(frame);
    EXPECT_THAT(settings.scene.image.depth.text, isEstimate);
  }
}

TEST_F(FilmFramesTest, ADamagedFrameIsReportedAndLeftOut) {
  file("f6.png", "damaged");
  EXPECT_THROW(scrubTo(3), std::runtime_error);
  EXPECT_THAT(shown(), EndsWith("f3.png"));
  scrubTo(4);
  EXPECT_THAT(shown(), EndsWith("f7.png"));
}

TEST_F(FilmFramesTest, AnotherImageEndsTheFilmAndUndoShowsItAgain) {
  file("photo.png", png());
  file("photo.pfm", kPfm);
  scrubTo(4);
  const auto keys = [&] { return keyCount(session_.shot()); };
  finish([&] { toggleKey(session_, "lens.fNumber"); });
  finish([&] {
    session_.settings.scene.image.file = kAsked.file;
    session_.settings.scene.image.depth = kAsked.depth;
  });
  EXPECT_EQ(keys(), 1u) << "the same film";
  scrubTo(4);
  finish([&] {
    session_.settings.scene.image.file.text = (folder_ / "photo.png").string();
    session_.settings.scene.image.depth.text = (folder_ / "photo.pfm").string();
  });
  scrubTo(3);
  EXPECT_THAT(shown(), EndsWith("photo.png"));
  EXPECT_EQ(session_.inputFrames, 0);
  EXPECT_FALSE(session_.preferences.film);
  EXPECT_EQ(keys(), 0u);
  opening_.endEdits(session_);
  history_.undo(session_);
  opening_.beginEdits(session_);
  finish([] {});
  EXPECT_THAT(shown(), EndsWith("f3.png")) << "the playhead is where it was";
  EXPECT_EQ(session_.inputFrames, kFilmFrames);
  EXPECT_EQ(session_.preferences.film, kAsked);
  EXPECT_EQ(keys(), 1u);
}

TEST_F(FilmFramesTest, ANameOfFramesOpensThemAsAnEdit) {
  file("g1.png", png());
  file("g2.png", png());
  file("g1_depth.pfm", kPfm);
  file("g2_depth.pfm", kPfm);
  scrubTo(4);
  finish([&] { session_.settings.scene.image.file.text = (folder_ / "g%d.png").string(); });
  EXPECT_TRUE(session_.notices.errors.empty());
  EXPECT_THAT(shown(), EndsWith("g1.png"));
  EXPECT_EQ(session_.inputFrames, 2);
  EXPECT_EQ(session_.timeline.timeS, 0.0);
  const RecentImage opened{{(folder_ / "g%d.png").string()}, {(folder_ / "g%d_depth.pfm").string()}};
  EXPECT_EQ(session_.preferences.film, opened);
  const auto& recent = session_.preferences.recentImages;
  ASSERT_EQ(recent.size(), 2u);
  EXPECT_EQ(std::pair(recent[0].file, recent[0].depth), std::pair(opened.file, opened.depth));
  EXPECT_EQ(std::pair(recent[1].file, recent[1].depth), std::pair(kAsked.file, kAsked.depth));
  scrubTo(1);
  EXPECT_THAT(session_.settings.scene.image.depth.text, EndsWith("g2_depth.pfm"));
  finish([&] { session_.settings.scene.image.file.text = (folder_ / "none%d.png").string(); });
  ASSERT_EQ(session_.notices.errors.size(), 1u);
  EXPECT_THAT(session_.notices.errors[0].text, testing::HasSubstr("none%d.png: no file has such a name"));
  EXPECT_EQ(session_.inputFrames, 2);
}

TEST_F(FilmFramesTest, APatternOfFramesOpensLikeAFile) {
  for (const char* const name : {"g1.png", "g2.png"}) file(name, png());
  for (const char* const name : {"g1_depth.pfm", "g2_depth.pfm"}) file(name, kPfm);
  finish([&] { opening_.drop(session_, {folder_ / "g%d.png"}); });
  EXPECT_TRUE(session_.notices.errors.empty());
  EXPECT_EQ(session_.inputFrames, 2);
  EXPECT_EQ(session_.notices.text, "Film: g%d.png, depth: g%d_depth.pfm");
  EXPECT_THAT(session_.settings.scene.image.depth.text, EndsWith("g1_depth.pfm"));
}

TEST_F(FilmFramesTest, ADepthOfNumberedFilesJoinsTheFilm) {
  for (int frame = 0; frame < kFilmFrames; ++frame)
    std::filesystem::copy_file(folder_ / ("d" + std::to_string(frame) + ".pfm"),
                               folder_ / ("h" + std::to_string(frame) + ".pfm"));
  finish([&] { session_.settings.scene.image.depth.text = (folder_ / "h%d.pfm").string(); });
  EXPECT_TRUE(session_.notices.errors.empty());
  EXPECT_EQ(session_.inputFrames, kFilmFrames);
  scrubTo(2);
  EXPECT_THAT(session_.settings.scene.image.depth.text, EndsWith("h2.pfm"));
}

TEST_F(FilmFramesTest, TheFilmOfTheLastWindowIsOpenedAgainWhichIsNoEdit) {
  scrubTo(2);
  Session next;
  next.settings = session_.settings;
  next.preferences.film = session_.preferences.film;
  session_ = std::move(next);
  history_ = History(session_);
  FilmFrames film;
  std::swap(film_, film);
  finish([] {});
  EXPECT_EQ(session_.inputFrames, kFilmFrames);
  EXPECT_THAT(shown(), EndsWith("f3.png"));
  frame([&] { EXPECT_EQ(history_.undo(session_), ""); });
  scrubTo(4);
  EXPECT_THAT(shown(), EndsWith("f7.png"));
}

TEST_F(FilmFramesTest, AnImageInPlaceOfTheFilmOfTheLastWindowStays) {
  Session next;
  next.settings = session_.settings;
  next.settings.scene.kind = SceneKind::teapots;
  next.preferences.film = session_.preferences.film;
  session_ = std::move(next);
  FilmFrames film;
  std::swap(film_, film);
  finish([] {});
  EXPECT_EQ(session_.preferences.film, kAsked);
  file("photo.png", png());
  finish([&] {
    session_.settings.scene.kind = SceneKind::image;
    session_.settings.scene.image.file.text = (folder_ / "photo.png").string();
    session_.settings.scene.image.depth.text = "";
  });
  EXPECT_THAT(shown(), EndsWith("photo.png"));
  EXPECT_FALSE(session_.preferences.film);
}

}  // namespace
}  // namespace satdof
