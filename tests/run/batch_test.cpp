#include "app/run/batch.h"

#include <gmock/gmock.h>

#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "app/scene/registry.h"
#include "tests/support/files_fixture.h"
#include "tests/support/parsed.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const char* sceneOf(const CommandLine& line) { return name(line.settings().scene.kind); }

class BatchTest : public FilesTest {
 protected:
  static CommandLine line(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "--headless");
    return test::parsed(std::move(arguments));
  }
};

TEST_F(BatchTest, OneFileIsNone) {
  EXPECT_FALSE(isBatch(line({})));
  const CommandLine one = line({"--image", "a.jpg", "--depth", "a.png"});
  EXPECT_FALSE(isBatch(one));
  EXPECT_EQ(one.settings().scene.image.file.text, "a.jpg");
  EXPECT_EQ(one.settings().scene.image.depth.text, "a.png");
  EXPECT_STREQ(sceneOf(one), "image");
  EXPECT_STREQ(sceneOf(line({"--image", "a.jpg", "--scene", "teapots"})), "teapots");
}

TEST_F(BatchTest, AnInputIsNotOverwritten) {
  const std::string image = file("a.png", png()).string();
  EXPECT_THROW(line({"--image", image, "--capture", image}), UsageError);
  EXPECT_THROW(line({"--image", "b.png", "--depth", image, "--capture", image}), UsageError);
  EXPECT_NO_THROW(line({"--image", image, "--capture", (folder_ / "b.png").string()}));
}

TEST_F(BatchTest, FilesAreNumberedByName) {
  const auto out = (folder_ / "out.png").string();
  const CommandLine all =
      line({"--image", "a.jpg", "x/b.jpg", "y/b.jpg", "--depth", "1.png", "2.png", "3.png", "--capture", out});
  ASSERT_TRUE(isBatch(all));
  const auto lines = batchOf(all);
  ASSERT_EQ(lines.size(), 3u);
  const char* const names[] = {"out-a.png", "out-b.png", "out-b-2.png"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(lines[i].capture, folder_ / names[i]);
    EXPECT_EQ(lines[i].settings().scene.image.depth.text, std::to_string(i + 1) + ".png");
    EXPECT_FALSE(isBatch(lines[i]));
  }
  EXPECT_EQ(lines[1].settings().scene.image.file.text, "x/b.jpg");
}

TEST_F(BatchTest, FoldersMatchByName) {
  for (const char* name : {"in/b.JPG", "in/a.png", "in/notes.txt", "d/a.pfm", "d/c.pfm"}) file(name);
  const auto lines = batchOf(line({"--image", (folder_ / "in").string(), "--depth", (folder_ / "d").string()}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].settings().scene.image.file.text, (folder_ / "in/a.png").string());
  EXPECT_EQ(lines[0].settings().scene.image.depth.text, (folder_ / "d/a.pfm").string());
  EXPECT_THAT(lines[1].settings().scene.image.depth.text, HasSubstr("d/b."));
}

TEST_F(BatchTest, FoldersHoldPicturesAndModels) {
  for (const char* name : {"in/a.PIC", "in/b.heic", "in/c.glb", "in/d.OBJ", "in/e.json", "in/._a.jpg"}) file(name);
  EXPECT_EQ(batchOf(line({"--image", (folder_ / "in").string()})).size(), 4u);
}

TEST_F(BatchTest, CapturesInAFolderAreLeftOutWithANote) {
  for (const char* name : {"in/a.jpg", "in/a-refocused.png", "in/a-refocused-0002.jpg", "in/b-refocused.png"})
    file(name);
  const CommandLine all = line({"--image", (folder_ / "in").string()});
  EXPECT_THAT(all.notes, testing::ElementsAre("2 captures of photographs in the same folder: left out"));
  const auto lines = batchOf(all);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].settings().scene.image.file.text, (folder_ / "in/a.jpg").string());
  EXPECT_EQ(lines[1].settings().scene.image.file.text, (folder_ / "in/b-refocused.png").string())
      << "its photograph is elsewhere";
}

TEST_F(BatchTest, APhotographHasTheDepthBesideIt) {
  const auto depthIn = [](const CommandLine& of) { return of.settings().scene.image.depth.text; };
  const std::string alone = file("in/a.png").string(), image = file("in/b.png").string(),
                    depth = file("in/b_depth.png").string();
  const auto lines = batchOf(line({"--image", (folder_ / "in").string()}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(depthIn(lines[0]), "");
  EXPECT_EQ(depthIn(lines[1]), depth);
  EXPECT_EQ(depthIn(line({"--image", image})), depth);
  EXPECT_EQ(depthIn(line({"--image", image, "--depth", "c.png"})), "c.png");
  Settings last;
  last.scene.image.depth.text = depth;
  EXPECT_EQ(line({"--image", alone}).settings(last).scene.image.depth.text, "")
      << "the depth of the last photograph is not used";
}

TEST_F(BatchTest, ACorrectedDepthIsReadAsTheBrushWroteIt) {
  const auto isReadByDefault = [](const ImageSettings& image) { return image == withReading(image, {}); };
  const auto with = [](std::vector<std::string> arguments) {
    for (const char* const word : {"--depth-means", "metres", "--depth-scale", "0.001", "--f-number", "2"})
      arguments.emplace_back(word);
    return line(arguments);
  };
  const auto isNoted = testing::Contains(testing::AllOf(
      HasSubstr("a.png.corrected-depth.exr: read as the brush wrote it, without --depth-means, --depth-scale"),
      testing::Not(HasSubstr("--f-number"))));
  const std::string image = file("in/a.png").string(), other = file("in/b.png").string(),
                    corrected = file("in/a.png.corrected-depth.exr").string(),
                    look = file("look.json", R"({"scene": {"image": {"levelGamma": 3}}})").string();
  file("in/b_depth.png");
  for (const bool withSettings : {false, true}) {
    std::vector<std::string> arguments;
    if (withSettings) arguments = {"--settings", look};
    arguments.insert(arguments.end(), {"--image", image});
    const CommandLine one = with(arguments);
    EXPECT_EQ(one.settings().scene.image.depth.text, corrected);
    EXPECT_TRUE(isReadByDefault(one.settings().scene.image));
    EXPECT_EQ(one.settings().lens.fNumber, 2.0f);
    EXPECT_THAT(one.notes, isNoted);
    arguments.push_back(other);
    const CommandLine both = with(arguments);
    EXPECT_THAT(both.notes, isNoted);
    const auto lines = batchOf(both);
    EXPECT_TRUE(isReadByDefault(lines[0].settings().scene.image));
    EXPECT_EQ(lines[1].settings().scene.image.meaning, DepthMeaning::metres);
    EXPECT_EQ(lines[1].settings().scene.image.levelGamma, withSettings ? 3.0f : 1.0f);
  }
  const CommandLine named = with({"--image", image, "--depth", corrected});
  EXPECT_EQ(named.settings().scene.image.meaning, DepthMeaning::metres);
  EXPECT_THAT(named.notes, testing::IsEmpty());
  EXPECT_THAT(line({"--image", image}).notes, testing::IsEmpty());
  Settings last;
  last.scene.image.levelNear = 0.5f;
  EXPECT_EQ(line({"--image", image}).settings(last).scene.image.levelNear, 0.5f) << "of a window";
}

TEST_F(BatchTest, TheDepthOfSettingsBelongsToTheirPhotograph) {
  const auto depthIn = [](const CommandLine& of) { return of.settings().scene.image.depth.text; };
  const std::string own = file("own.pfm").string(), shown = file("in/a.png").string(),
                    other = file("in/b.png").string(), depth = file("in/b_depth.png").string(),
                    alone = file("in/c.png").string();
  file("in/a_depth.png");
  Settings captured;
  captured.scene.image.file.text = shown;
  captured.scene.image.depth.text = own;
  const std::string look = file("look.json", settingsToJson(captured)).string(),
                    others = file("teapots.json", settingsToJson({})).string();
  EXPECT_EQ(depthIn(line({"--settings", look})), own);
  EXPECT_EQ(depthIn(line({"--settings", look, "--image", shown})), own);
  EXPECT_EQ(depthIn(line({"--settings", look, "--image", other})), depth);
  EXPECT_EQ(depthIn(line({"--settings", look, "--image", alone})), "");
  EXPECT_EQ(depthIn(line({"--settings", look, "--image", other, "--depth", own})), own);
  EXPECT_EQ(depthIn(line({"--settings", others, "--image", other})), depth);
  const auto lines = batchOf(line({"--settings", look, "--image", shown, other, alone}));
  EXPECT_EQ(depthIn(lines[0]), own);
  EXPECT_EQ(depthIn(lines[1]), depth);
  EXPECT_EQ(depthIn(lines[2]), "");
}

TEST_F(BatchTest, ALoopOfLinksInAFolderIsPassedOver) {
  file("in/a.png");
  fs::create_symlink("loop.png", folder_ / "in/loop.png");
  const auto lines = batchOf(line({"--image", (folder_ / "in").string(), "--depth", "d.pfm"}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].settings().scene.image.file.text, (folder_ / "in/a.png").string());
}

TEST_F(BatchTest, OneDepthServesAll) {
  const auto lines = batchOf(line({"--image", "a.jpg", "b.jpg", "--depth", "d.pfm"}));
  for (const CommandLine& one : lines) EXPECT_EQ(one.settings().scene.image.depth.text, "d.pfm");
}

TEST_F(BatchTest, BadBatchesAreRefused) {
  EXPECT_THROW(batchOf(line({"--image", "a", "b", "c", "--depth", "1", "2"})), UsageError);
  file("empty/readme.txt");
  EXPECT_THROW(batchOf(line({"--image", (folder_ / "empty").string()})), UsageError);
  EXPECT_NO_THROW(test::parsed({"--image", "a.jpg", "b.jpg"})) << "a strip of a window";
}

TEST_F(BatchTest, FocusAtIsAPlaceInTheImage) {
  const auto at = line({"--focus-at", "0.25,0.75"}).focusAt;
  ASSERT_TRUE(at);
  EXPECT_EQ(*at, glm::vec2(0.25f, 0.25f));
  for (const char* bad : {"0.5", "0.5,", "0.5,1.5", "-1,0", "a,b", "0.1,0.2,0.3"})
    EXPECT_THROW(line({"--focus-at", bad}), UsageError) << bad;
}

TEST_F(BatchTest, OptionsCountForAPhotographThatIsNamedAlone) {
  const std::string photo = file("photo.png", png()), depth = file("other.pfm", kPfm);
  const auto imageOf = [](const CommandLine& window) { return window.settings().scene.image; };
  const CommandLine both = test::parsed({photo, "--depth", depth, "--depth-means", "disparity"});
  EXPECT_TRUE(both.opened.empty());
  EXPECT_STREQ(sceneOf(both), "image");
  EXPECT_EQ(imageOf(both).file.text, photo);
  EXPECT_EQ(imageOf(both).depth.text, depth);
  EXPECT_EQ(imageOf(both).meaning, DepthMeaning::disparity);
  const ImageSettings pair = imageOf(test::parsed({depth, photo, "--depth-means", "metres"}));
  EXPECT_EQ(pair.file.text, photo);
  EXPECT_EQ(pair.depth.text, depth);
  EXPECT_EQ(pair.meaning, DepthMeaning::metres);
  const std::string beside = file("photo_depth.png", png());
  EXPECT_EQ(imageOf(test::parsed({photo, "--depth-scale", "0.001"})).depth.text, beside);
  EXPECT_EQ(imageOf(test::parsed({photo, "--view", "depth"})).file.text, photo);
  EXPECT_EQ(test::parsed({photo}).opened.size(), 1u);
  EXPECT_EQ(test::parsed({photo, "--f-number", "2"}).opened.size(), 1u);
}

TEST_F(BatchTest, OptionsOfADepthNeedOnePhotograph) {
  const std::string photo = file("photo.png", png()), other = file("other.png", png()), look = file("look.json", "{}");
  const auto refusal = [](std::vector<std::string> files) {
    for (const char* const word : {"--depth-means", "metres"}) files.emplace_back(word);
    return test::reasonOf([&] { test::parsed(files); });
  };
  const std::string several = "--depth-means: it does not apply to several photographs in a window; name one";
  file("sub/a.png", png());
  EXPECT_THAT(refusal({photo, other, file("third.png", png())}), HasSubstr(several));
  EXPECT_THAT(refusal({(folder_ / "sub").string()}), HasSubstr(several));
  EXPECT_THAT(refusal({look}), HasSubstr("--depth-means: look.json is no photograph; name one photograph by --image"));
}

}  // namespace
}  // namespace satdof
