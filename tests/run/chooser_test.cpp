#include "app/run/window/files/chooser.h"

#include <gmock/gmock.h>

#include "tests/support/files_fixture.h"

namespace satdof {
namespace {

class ChooserTest : public FilesTest {
 protected:
  // The files that the chooser asks to save once `name` is chosen.
  std::vector<std::filesystem::path> saved(const std::string& name) {
    session_.browser.save(folder_ / name);
    return saved();
  }
  std::vector<std::filesystem::path> saved() {
    while (session_.browser.shown()) session_.browser.enter();
    Chooser().serve(session_);
    std::vector<std::filesystem::path> files;
    for (const CommandRequest& request : std::exchange(session_.commands, {}))
      if (request.command == Command::saveImage) files.push_back(request.files[0]);
    return files;
  }
  Session session_;
};

TEST_F(ChooserTest, AnExtensionThatIsAddedReplacesNoFile) {
  file("old.png");
  EXPECT_THAT(saved("new"), testing::ElementsAre(folder_ / "new.png"));
  EXPECT_THAT(saved("old"), testing::IsEmpty());
  EXPECT_THAT(session_.notices.text, testing::HasSubstr("old.png exists"));
  EXPECT_THAT(saved("old.png"), testing::ElementsAre(folder_ / "old.png")) << "as the user has agreed";
}

TEST_F(ChooserTest, TheExtensionThatIsTypedIsTheOneThatIsSaved) {
  const auto typed = [&](const char* name) {
    session_.browser.save(folder_ / "photo-refocused.jpg");
    for (const char* c = name; *c != 0; ++c) session_.browser.type(*c);
    return saved();
  };
  EXPECT_THAT(typed("cat.png"), testing::ElementsAre(folder_ / "cat.png"));
  EXPECT_THAT(typed("dog.jpg"), testing::ElementsAre(folder_ / "dog.jpg"));
  EXPECT_THAT(typed("1.5"), testing::ElementsAre(folder_ / "1.5.jpg"));
}

TEST_F(ChooserTest, NoFileThatTheImageIsMadeFromIsReplaced) {
  Settings& settings = session_.settings;
  settings.scene.kind = SceneKind::image;
  settings.scene.image.file.text = file("photo.jpg");
  settings.scene.image.depth.text = file("depth.png");
  settings.filter.mask.text = file("mask.json");
  std::filesystem::create_symlink(folder_ / "photo.jpg", folder_ / "link.jpg");
  session_.preferences.film = RecentImage{{(folder_ / "%d.png").string()}, {}};
  for (const char* const frame : {"1.png", "2.png"}) file(frame);
  session_.strip.photos = {{.file = file("strip.png"), .left = {}, .depth = file("of folder.png")}};
  for (const char* const depth : {"strip_depth.png", "strip.png.corrected-depth.exr"}) file(depth);
  for (const char* const name : {"photo.jpg", "depth.png", "mask.json", "link.jpg", "2.png", "strip.png",
                                 "strip_depth.png", "strip.png.corrected-depth.exr", "of folder.png"}) {
    session_.preferences.capture.folder = "before";
    EXPECT_THAT(saved(name), testing::IsEmpty()) << name;
    EXPECT_THAT(session_.notices.text, testing::HasSubstr(std::string("made from ") + name));
    EXPECT_EQ(session_.preferences.capture.folder, "before");
    EXPECT_TRUE(session_.browser.shown()) << "for another name";
    EXPECT_EQ(session_.browser.filter().text(), name);
    EXPECT_THAT(session_.browser.problem(), testing::HasSubstr("made from"));
  }
  file("other.jpg");
  EXPECT_THAT(saved("other.jpg"), testing::ElementsAre(folder_ / "other.jpg"));
  EXPECT_FALSE(session_.browser.shown());
}

TEST_F(ChooserTest, TheNameOfAPhotographIsNotKeptForOthers) {
  session_.settings.scene.kind = SceneKind::image;
  session_.settings.scene.image.file.text = "photo.jpg";
  saved("portrait.jpg");
  EXPECT_EQ(session_.preferences.capture.name, "");
  EXPECT_EQ(session_.preferences.capture.folder, folder_.string());
  session_.settings.scene.kind = SceneKind::teapots;
  saved("pots.jpg");
  EXPECT_EQ(session_.preferences.capture.name, "pots");
}

}  // namespace
}  // namespace satdof
