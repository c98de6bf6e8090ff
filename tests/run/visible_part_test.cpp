#include "app/run/window/visible_part.h"

#include <gmock/gmock.h>

#include "app/io/damage.h"
#include "app/scene/image/depth_map.h"

namespace satdof {
namespace {

class NewFileWatchTest : public testing::Test {
 protected:
  NewFileWatchTest() { session_.settings.scene.kind = SceneKind::image; }
  // What is said once the file is shown.
  std::string saidOf(const std::string& file, const Notes& notes) {
    session_.notices = {};
    session_.settings.scene.image.file.text = file;
    session_.shown.notes = notes;
    watch_.update(session_, true, false);
    return session_.notices.text;
  }
  void beginFilm(const std::string& file) {
    session_.inputFrames = 3;
    session_.preferences.film = RecentImage{{file}, {}};
  }
  const Notes kGuess{kGuessNote + std::string("relative: assumed")};
  Session session_;
  NewFileWatch watch_;
};

TEST_F(NewFileWatchTest, SaysOnceWhatAFilmLacks) {
  beginFilm("/films/clip.mp4");
  const auto names = [](const char* film) {
    return testing::StartsWith(film + std::string(": its depth is taken for relative"));
  };
  EXPECT_EQ(saidOf("/cache/000001.png", {}), "");
  EXPECT_THAT(saidOf("/cache/000002.png", kGuess), names("clip.mp4"));
  EXPECT_EQ(saidOf("/cache/000003.png", kGuess), "");
  EXPECT_EQ(saidOf("/cache/000001.png", kGuess), "");
  beginFilm("/films/f%d.png");
  EXPECT_THAT(saidOf("/films/f1.png", kGuess), names("f%d.png"));
  EXPECT_EQ(saidOf("/films/f2.png", kGuess), "");
}

TEST_F(NewFileWatchTest, SaysWhatEachPhotographLacks) {
  EXPECT_EQ(saidOf("a.png", {}), "");
  EXPECT_EQ(saidOf("a.png", kGuess), "") << "once it is read";
  EXPECT_THAT(saidOf("b.png", kGuess), testing::StartsWith("b.png: its depth"));
  EXPECT_THAT(saidOf("c.png", {kDamagedNote}), testing::StartsWith("c.png: it is truncated"));
}

}  // namespace
}  // namespace satdof
