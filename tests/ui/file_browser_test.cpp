#include "app/ui/photographs/file_browser.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gmock/gmock.h>

#include <fstream>

#include "app/core/system/platform.h"
#include "tests/support/files_fixture.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;

class FileBrowserTest : public FilesTest {
 protected:
  void SetUp() override {
    for (const char* name : {"b.png", "A.JPG", "model.glb", "notes.txt", ".hidden.png"}) write(name);
    fs::create_directories(folder_ / "sub/deeper");
    write("sub/inside.exr");
  }
  void write(const char* name) { std::ofstream(folder_ / name) << "x"; }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& entry : browser().entries()) found.push_back(entry.path.filename().string());
    return found;
  }

  // The browser, after it has read all folders that it waits for.
  FileBrowser& browser() {
    while (browser_.waits()) browser_.serve();
    return browser_;
  }

 private:
  FileBrowser browser_;
};

TEST_F(FileBrowserTest, ListsRecentFilesThenFoldersThenFilesThatScenesRead) {
  const auto recent = folder_ / "sub/inside.exr";
  browser().open(folder_, {recent, folder_ / "gone.png", recent});
  EXPECT_TRUE(browser().shown());
  EXPECT_THAT(names(), testing::ElementsAre("inside.exr", "sub", "A.JPG", "b.png", "model.glb"));
  EXPECT_EQ(browser().entries()[0].kind, FileBrowser::Kind::recent);
  EXPECT_EQ(browser().enter(), folder_ / "sub/inside.exr");
  EXPECT_FALSE(browser().shown());
}

TEST_F(FileBrowserTest, LeavesOutDepthsOfPhotographs) {
  for (const char* name : {"b_depth.png", "b.png.corrected-depth.exr", "notes_depth.png"}) write(name);
  browser().open(folder_, {});
  EXPECT_THAT(names(), testing::ElementsAre("sub", "A.JPG", "b.png", "model.glb", "notes_depth.png"));
  browser().open(folder_, {}, true);
  EXPECT_EQ(names().size(), 7u) << "to choose a depth";
}

TEST_F(FileBrowserTest, OpensAPathThatIsTyped) {
  const auto enter = [&](const fs::path& path) {
    for (const char character : path.string()) browser().type(character);
    EXPECT_EQ(browser().enter(), std::nullopt);
    return browser().takeChosen();
  };
  browser().open(folder_, {});
  EXPECT_EQ(enter(folder_ / "gone.png"), std::nullopt);
  EXPECT_TRUE(browser().shown());
  EXPECT_EQ(browser().problem(), "No such file");
  browser().erase(-1);
  EXPECT_EQ(browser().problem(), "");
  browser().escape();
  EXPECT_EQ(enter(folder_ / "sub"), std::nullopt);
  EXPECT_EQ(browser().folder(), (folder_ / "sub").lexically_normal());
  EXPECT_EQ(enter(folder_ / "b.png"), folder_ / "b.png");
  EXPECT_FALSE(browser().shown());
  browser().open(folder_, {});
  EXPECT_EQ(enter(folder_ / "f%04d.png"), folder_ / "f%04d.png") << "numbered files";
}

TEST_F(FileBrowserTest, KeysGoDownAndUp) {
  browser().open(folder_, {});
  EXPECT_EQ(browser().enter(), std::nullopt);
  EXPECT_EQ(browser().folder(), (folder_ / "sub").lexically_normal());
  EXPECT_THAT(names(), testing::ElementsAre("deeper", "inside.exr"));
  browser().move(5);
  EXPECT_EQ(browser().selected(), 1u);
  browser().erase(-1);
  EXPECT_EQ(browser().folder(), (folder_ / "sub").lexically_normal()) << "erases, even nothing";
  browser().up();
  EXPECT_EQ(names()[browser().selected()], "sub");
  browser().move(-5);
  EXPECT_EQ(browser().selected(), 0u);
}

TEST_F(FileBrowserTest, TypingFiltersWhateverTheCase) {
  browser().open(folder_, {});
  for (const char c : {'a', '.', 'j'}) browser().type(c);
  EXPECT_THAT(names(), testing::ElementsAre("A.JPG"));
  browser().type('\n');
  EXPECT_EQ(browser().filter().text(), "a.j");
  browser().erase(-1);
  EXPECT_EQ(browser().filter().text(), "a.");
  browser().escape();
  EXPECT_EQ(names().size(), 4u);
  EXPECT_TRUE(browser().shown());
  browser().escape();
  EXPECT_FALSE(browser().shown());
}

TEST_F(FileBrowserTest, SavesUnderATypedNameAndReplacesWhenToldTwice) {
  browser().save(folder_ / "b.pn");
  browser().line().moveToEnd(false);
  EXPECT_TRUE(browser().saves());
  EXPECT_THAT(names(), testing::ElementsAre("sub", "A.JPG", "b.png", "model.glb")) << "no filter";
  browser().type('g');
  EXPECT_EQ(browser().enter(), std::nullopt);
  EXPECT_THAT(browser().problem(), testing::HasSubstr("\"b.png\" exists"));
  EXPECT_EQ(browser().takeChosen(), std::nullopt);
  EXPECT_EQ(browser().enter(), std::nullopt);
  EXPECT_EQ(browser().takeChosen(), folder_ / "b.png");
  EXPECT_FALSE(browser().shown());
  browser().save(folder_ / "new.json");
  browser().move(1);
  browser().enter();
  EXPECT_EQ(browser().folder(), (folder_ / "sub").lexically_normal());
  EXPECT_EQ(browser().filter().text(), "new.json");
  browser().enter();
  EXPECT_EQ(browser().takeChosen(), folder_ / "sub/new.json");
  browser().save(folder_ / "b.png/none/c");
  EXPECT_EQ(browser().folder(), folder_.lexically_normal()) << "a file and a folder that is missing";
  browser().save(folder_ / "c");
  browser().erase(-1);
  browser().erase(-1);
  browser().enter();
  EXPECT_EQ(browser().folder(), folder_.lexically_normal());
  EXPECT_TRUE(browser().shown()) << "the name is missing";
  browser().escape();
  EXPECT_FALSE(browser().shown());
  EXPECT_EQ(browser().takeChosen(), std::nullopt);
}

TEST_F(FileBrowserTest, ReplacesNoFileThatIsRefused) {
  const auto refusal = [](const fs::path& file) { return file.filename() == "b.png" ? "it is read" : ""; };
  browser().save(folder_ / "b.png", refusal);
  for (int times = 0; times < 2; ++times) {
    browser().enter();
    EXPECT_EQ(browser().problem(), "it is read");
    EXPECT_EQ(browser().takeChosen(), std::nullopt);
  }
  browser().save(folder_ / "A.JPG", refusal);
  browser().enter();
  EXPECT_THAT(browser().problem(), testing::HasSubstr("exists: once more"));
}

TEST_F(FileBrowserTest, SavesUnderAPathThatIsTyped) {
  const auto typed = [&](const std::string& path) {
    browser().save(folder_ / "sub/photo.jpg");
    for (const char c : path) browser().type(c);
    browser().enter();
    return browser().takeChosen();
  };
  const fs::path folder = folder_.lexically_normal();
  EXPECT_EQ(typed((folder / "y.jpg").string()), folder / "y.jpg");
  EXPECT_EQ(typed((folder / "y").string()), folder / "y.jpg");
  EXPECT_EQ(typed((folder / "y.png").string()), folder / "y.png");
  EXPECT_EQ(typed("../y.jpg"), folder / "y.jpg");
  EXPECT_EQ(typed("~/no such folder/y.jpg"), std::nullopt);
  EXPECT_THAT(browser().problem(), testing::HasSubstr((userHome() / "no such folder").string()));
  EXPECT_TRUE(browser().shown());
  EXPECT_EQ(typed((folder / "none/y.jpg").string()), std::nullopt);
  EXPECT_THAT(browser().problem(), testing::HasSubstr((folder / "none").string()));
  EXPECT_EQ(typed(folder.string() + "/"), std::nullopt);
  EXPECT_EQ(browser().folder(), folder) << "a folder is shown";
  EXPECT_EQ(browser().filter().text(), "photo.jpg");
}

TEST_F(FileBrowserTest, TypingReplacesTheStemOfTheNameToSave) {
  browser().save(folder_ / "photo.1.png");
  browser().type('n');
  EXPECT_EQ(browser().filter().text(), "n.png");
  browser().save(folder_ / "photo.png");
  const auto press = [&](int key, bool control = false, bool shift = false) {
    browser().press({.kind = InputEvent::Kind::key, .code = key, .shift = shift, .control = control});
    return browser().filter().text();
  };
  press(GLFW_KEY_END);
  EXPECT_EQ(press(GLFW_KEY_BACKSPACE), "photo.pn");
  press(GLFW_KEY_HOME);
  EXPECT_EQ(press(GLFW_KEY_DELETE), "hoto.pn");
  press(GLFW_KEY_RIGHT);
  press(GLFW_KEY_RIGHT, false, true);
  EXPECT_EQ(press(GLFW_KEY_BACKSPACE), "hto.pn");
  press(GLFW_KEY_A, true);
  EXPECT_EQ(press(GLFW_KEY_BACKSPACE), "");
  EXPECT_EQ(press(GLFW_KEY_BACKSPACE), "");
  EXPECT_EQ(browser().folder(), folder_.lexically_normal());
}

TEST_F(FileBrowserTest, AnEmptyOrMissingFolderChoosesNothing) {
  browser().open(folder_ / "sub/deeper", {});
  EXPECT_EQ(browser().enter(), std::nullopt);
  EXPECT_EQ(browser().problem(), "");
  browser().open(folder_ / "gone", {});
  EXPECT_NE(browser().problem(), "");
  EXPECT_EQ(browser().enter(), std::nullopt);
}

}  // namespace
}  // namespace satdof
