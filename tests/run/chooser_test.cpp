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
