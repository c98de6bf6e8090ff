#include "app/run/film/frame_files.h"

#include <gmock/gmock.h>

#include "app/core/usage_error.h"
#include "tests/support/files_fixture.h"
#include "tests/support/parsed.h"

namespace satdof {
namespace {

using test::parsed;

class FrameFilesTest : public FilesTest {
 protected:
  void films() {
    for (const int number : {3, 4, 5, 7}) file(frameFile("in/%04d.png", number), png());
    for (const char* const other :
         {"in/3.png", "in/0a04.png", "in/0006.jpg", "in/00002.png", "in/x0002.png", "in/-001.png"})
      file(other, png());
    for (const int number : {0, 1, 2}) file(frameFile("depth/z%d.pfm", number));
  }
  std::string image() const { return folder_ / "in/%04d.png"; }
  std::string depth() const { return folder_ / "depth/z%d.pfm"; }
};

TEST(FrameFiles, NamesHaveOneNumber) {
  for (const char* const name : {"%d", "a%d.png", "/b/%04d.png", "%09d", "/50%/a%d.png", "/a%d/b%d.png"})
    EXPECT_TRUE(isFrameName(name)) << name;
  for (const char* const name :
       {"", "a.png", "100%.png", "%s.png", "%4d.png", "%010d", "%-4d", "%d%d", "%0xd", "/a%d/b.png", "/50%done/b.png"})
    EXPECT_FALSE(isFrameName(name)) << name;
  EXPECT_EQ(frameFile("a%03d.png", 7), "a007.png");
  EXPECT_EQ(frameFile("a%d.png", 1234), "a1234.png");
  EXPECT_EQ(frameFile("/50%/a%d.png", 1), "/50%/a1.png");
}

TEST(FrameFiles, NotesNameTheFilm) {
  ImageSettings frame, film;
  frame.file.text = "/cache/1/000007.png";
  frame.depth.text = "/cache/2/000007.png";
  film.file.text = "clip.mp4";
  film.depth.text = "clip-depth.mkv";
  const auto note = [&](const FilePath& file) { return ofFilm(file.text + ": a note", frame, film); };
  EXPECT_EQ(note(frame.file), "clip.mp4: a note");
  EXPECT_EQ(note(frame.depth), "clip-depth.mkv: a note");
  EXPECT_EQ(note({"other.png"}), "other.png: a note");
  film.depth = {};
  EXPECT_EQ(note(frame.depth), "clip.mp4: a note") << "its depth is estimated";
}

TEST_F(FrameFilesTest, AFileWithSuchANameIsNoFilm) {
  films();
  const std::string named = file("in/%04d.png");
  EXPECT_EQ(named, image());
  EXPECT_TRUE(hasFrameNumber(named));
  EXPECT_FALSE(isFrameName(named));
  Settings settings;
  settings.scene.image.file.text = named;
  settings.scene.image.depth.text = depth();
  EXPECT_EQ(atFrame(settings, 1).scene.image.file.text, named);
  EXPECT_EQ(parsed({"--headless", "--image", named, "--capture", folder_ / "out.png"}).frames, 0);
  EXPECT_NO_THROW(parsed({"--image", named, "--sequence", folder_ / "out.png"}));
}

TEST_F(FrameFilesTest, FilesEndAtTheFirstGap) {
  films();
  const FrameRange found = findFrames("--image", image());
  EXPECT_EQ(found.first, 3);
  EXPECT_EQ(found.count, 3);
  EXPECT_THROW(findFrames("--image", folder_ / "in/y%d.png"), UsageError);
}

TEST_F(FrameFilesTest, EachFrameHasItsImageAndItsDepth) {
  films();
  Settings settings;
  settings.scene.image.file.text = image();
  settings.scene.image.depth.text = depth();
  const Settings second = atFrame(settings, 1);
  EXPECT_EQ(second.scene.image.file.text, folder_ / "in/0004.png");
  EXPECT_EQ(second.scene.image.depth.text, folder_ / "depth/z1.pfm");
  EXPECT_THROW(atFrame(settings, 3), UsageError);
  settings.scene.image.depth.text = "all.png";
  EXPECT_EQ(atFrame(settings, 2).scene.image.depth.text, "all.png");
}

TEST_F(FrameFilesTest, TheyAreTheFramesOfASequence) {
  films();
  const std::string out = folder_ / "out.png";
  EXPECT_EQ(parsed({"--headless", "--image", image(), "--depth", depth(), "--sequence", out}).frames, 3);
  EXPECT_EQ(parsed({"--headless", "--image", image(), "--sequence", out, "--frames", "2"}).frames, 2);
  EXPECT_EQ(parsed({"--headless", "--image", image(), "--capture", out}).frames, 0);
  EXPECT_THROW(parsed({"--headless", "--image", image(), "--sequence", out, "--frames", "4"}), UsageError);
  EXPECT_THROW(parsed({"--image", image(), "--sequence", out}), UsageError);
}

}  // namespace
}  // namespace satdof
