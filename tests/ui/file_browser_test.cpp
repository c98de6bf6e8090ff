#include "app/ui/file_browser.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/run/files_test.h"

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
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : browser_.entries()) found.push_back(entry.path.filename().string());
    return found;
  }

  FileBrowser browser_;
};

TEST_F(FileBrowserTest, ListsRecentFilesThenFoldersThenFilesThatScenesRead) {
  const auto recent = folder_ / "sub/inside.exr";
  browser_.open(folder_, {recent, folder_ / "gone.png", recent});
  EXPECT_TRUE(browser_.shown());
  EXPECT_THAT(names(), testing::ElementsAre("inside.exr", "sub", "A.JPG", "b.png", "model.glb"));
  EXPECT_EQ(browser_.entries()[0].kind, FileBrowser::Kind::recent);
  EXPECT_EQ(browser_.enter(), folder_ / "sub/inside.exr");
  EXPECT_FALSE(browser_.shown());
}

TEST_F(FileBrowserTest, KeysGoDownAndUp) {
  browser_.open(folder_, {});
  EXPECT_EQ(browser_.enter(), std::nullopt);
  EXPECT_EQ(browser_.folder(), (folder_ / "sub").lexically_normal());
  EXPECT_THAT(names(), testing::ElementsAre("deeper", "inside.exr"));
  browser_.move(5);
  EXPECT_EQ(browser_.selected(), 1u);
  browser_.backspace();
  EXPECT_EQ(names()[browser_.selected()], "sub");
  browser_.move(-5);
  EXPECT_EQ(browser_.selected(), 0u);
}

TEST_F(FileBrowserTest, TypingFiltersWhateverTheCase) {
  browser_.open(folder_, {});
  for (const char c : {'a', '.', 'j'}) browser_.type(c);
  EXPECT_THAT(names(), testing::ElementsAre("A.JPG"));
  browser_.type('\n');
  EXPECT_EQ(browser_.filter(), "a.j");
  browser_.backspace();
  EXPECT_EQ(browser_.filter(), "a.");
  browser_.escape();
  EXPECT_EQ(names().size(), 4u);
  EXPECT_TRUE(browser_.shown());
  browser_.escape();
  EXPECT_FALSE(browser_.shown());
}

TEST_F(FileBrowserTest, SavesUnderATypedNameAndReplacesWhenToldTwice) {
  browser_.save(folder_ / "b.pn");
  EXPECT_TRUE(browser_.saves());
  EXPECT_THAT(names(), testing::ElementsAre("sub", "A.JPG", "b.png", "model.glb")) << "no filter";
  browser_.type('g');
  EXPECT_EQ(browser_.enter(), std::nullopt);
  EXPECT_THAT(browser_.problem(), testing::HasSubstr("\"b.png\" exists"));
  EXPECT_EQ(browser_.takeSaved(), std::nullopt);
  EXPECT_EQ(browser_.enter(), std::nullopt);
  EXPECT_EQ(browser_.takeSaved(), folder_ / "b.png");
  EXPECT_FALSE(browser_.shown());
  browser_.save(folder_ / "new.json");
  browser_.move(1);
  browser_.enter();
  EXPECT_EQ(browser_.folder(), (folder_ / "sub").lexically_normal());
  EXPECT_EQ(browser_.filter(), "new.json");
  browser_.enter();
  EXPECT_EQ(browser_.takeSaved(), folder_ / "sub/new.json");
  browser_.save(folder_ / "b.png/none/c");
  EXPECT_EQ(browser_.folder(), folder_.lexically_normal()) << "a file and a folder that is missing";
  browser_.save(folder_ / "c");
  browser_.backspace();
  browser_.enter();
  EXPECT_TRUE(browser_.shown()) << "the name is missing";
  browser_.escape();
  EXPECT_FALSE(browser_.shown());
  EXPECT_EQ(browser_.takeSaved(), std::nullopt);
}

TEST_F(FileBrowserTest, AnEmptyOrMissingFolderChoosesNothing) {
  browser_.open(folder_ / "sub/deeper", {});
  EXPECT_EQ(browser_.enter(), std::nullopt);
  EXPECT_EQ(browser_.problem(), "");
  browser_.open(folder_ / "gone", {});
  EXPECT_NE(browser_.problem(), "");
  EXPECT_EQ(browser_.enter(), std::nullopt);
}

}  // namespace
}  // namespace satdof
