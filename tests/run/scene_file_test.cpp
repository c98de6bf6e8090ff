#include "app/scene/scene_files.h"

#include <gmock/gmock.h>

#include <thread>

#include "app/core/files/files.h"
#include "app/run/batch.h"
#include "app/run/command_line/listing.h"
#include "app/run/dropped.h"
#include "app/run/window/files/opening.h"
#include "app/scene/registry.h"
#include "app/scene/teapots/teapots.h"
#include "app/ui/history.h"
#include "tests/support/files_fixture.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/parsed.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsSupersetOf;

// A toy scene with a file, as a folder of app/scene would add it. It borrows the setting scene.model.file.
constexpr auto kToy = static_cast<SceneKind>(100);
std::string read;

std::shared_ptr<const void> loadToy(const SceneSettings& scene, const SceneSettings&, LoadProgress&) {
  read = readWholeFile(scene.model.file.text, 100);
  if (read != "toy") throw std::runtime_error("not a toy");
  return std::make_shared<std::string>(read);
}

constexpr SceneFile kToyFiles[] = {
    {"scene.model.file", "Toy", SceneFile::Drop::shows, [] { return std::vector<std::string>{".toyscene"}; }}};

SceneRow toyRow() {
  SceneRow row{.kind = kToy, .name = "toy", .summary = "a scene of a test", .capabilities = {}, .make = makeTeapots};
  row.load = loadToy;
  row.files = kToyFiles;
  return row;
}

class ToyScene : public FilesTest {
 protected:
  fs::path toy(const std::string& name = "a.toyscene", const std::string& bytes = "toy") const {
    return file(name, bytes);
  }
  void open(const fs::path& path) {
    opening_.beginEdits(session_);
    opening_.drop(session_, {path});
    opening_.endEdits(session_);
    do {
      opening_.beginEdits(session_);
      opening_.endEdits(session_);
      std::this_thread::yield();
    } while (opening_.loading());
  }

  const AddedScene added_{toyRow()};
  Session session_;
  Opening opening_;
};

class ToySceneRow : public GlTest {
 protected:
  const AddedScene added_{toyRow()};
};

TEST_F(ToySceneRow, IsListed) { EXPECT_THAT(listing(), HasSubstr("a scene of a test")); }

TEST_F(ToyScene, ItsFilesAreShownInTheBrowser) {
  EXPECT_STREQ(name(kToy), "toy");
  EXPECT_TRUE(opens("a.toyscene"));
  EXPECT_FALSE(opens("a.toys"));
  EXPECT_THAT(openedExtensions(), IsSupersetOf({".toyscene", ".jpg", ".obj", ".mkv", ".json"}));
}

TEST_F(ToyScene, ADroppedFileSelectsIt) {
  const Dropped found = dropped({}, {toy()});
  EXPECT_EQ(found.settings.scene.kind, kToy);
  EXPECT_EQ(shownFile(found.settings).text, (folder_ / "a.toyscene").string());
  EXPECT_TRUE(found.settings.scene.frame);
  EXPECT_EQ(found.notice, "Toy: a.toyscene");
  EXPECT_THROW(dropped({}, {file("a.other")}), std::runtime_error);
}

TEST_F(ToyScene, IsShownOnceItsFileIsRead) {
  open(toy());
  EXPECT_EQ(read, "toy");
  EXPECT_EQ(session_.settings.scene.kind, kToy);
  const Settings shown = session_.settings;
  open(toy("bad.toyscene", "bad"));
  EXPECT_EQ(session_.settings, shown);
  ASSERT_EQ(session_.notices.errors.size(), 1u);
  EXPECT_THAT(session_.notices.errors[0].text, HasSubstr("not a toy"));
}

TEST_F(ToyScene, AFolderOfItsFilesIsABatch) {
  toy("in/a.toyscene");
  toy("in/b.toyscene");
  const auto lines = batchOf(test::parsed({"--headless", "--model", folder_ / "in", "--scene", "toy"}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].settings().scene.kind, kToy);
  EXPECT_EQ(shownFile(lines[1].settings()).text, (folder_ / "in/b.toyscene").string());
}

TEST(SceneFiles, AreFieldsWithTheNameOfTheirScene) {
  for (const SceneRow& row : sceneRows()) {
    EXPECT_EQ(row.files.empty(), row.load == nullptr || row.sharedSettings != nullptr) << row.name;
    for (const SceneFile& each : row.files) {
      EXPECT_TRUE(std::string(each.field).starts_with(std::string("scene.") + row.name + ".")) << each.field;
      Settings settings;
      useFile(settings, row, each, "a file");
      EXPECT_EQ(settings.scene.kind, row.kind);
      EXPECT_EQ(shownFiles(settings) != shownFiles({}), &each == &row.files.front()) << each.field;
    }
  }
}

}  // namespace
}  // namespace satdof
