#include "app/run/dropped.h"

#include <gmock/gmock.h>

#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/io/formats/exr.h"
#include "app/io/image_file.h"
#include "app/io/layer_file.h"
#include "app/lens/presets.h"
#include "app/scene/registry.h"
#include "tests/support/files_fixture.h"
#include "tests/support/parsed.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string hdr(const std::vector<ImageText>& texts = {}) { return encodeHdr({1, 1, 1}, {1, 1}, texts); }
const char* sceneOf(const Settings& settings) { return name(settings.scene.kind); }

using DroppedTest = FilesTest;

TEST_F(DroppedTest, SettingsAreSettings) {
  Settings wanted;
  wanted.lens.fNumber = 8.0f;
  for (const fs::path& path :
       {file("a.json", settingsToJson(wanted)), file("a.png", png({{kSettingsKeyword, settingsToJson(wanted)}})),
        file("a.hdr", hdr({{kSettingsKeyword, settingsToJson(wanted)}}))}) {
    const Dropped found = dropped({}, {path});
    EXPECT_EQ(found.settings, wanted);
    EXPECT_FALSE(found.showsFile);
    EXPECT_THAT(found.notice, HasSubstr("Settings of a."));
  }
  EXPECT_THROW(dropped({}, {file("bad.json", "{")}), UsageError);
}

TEST_F(DroppedTest, TheNoticeTellsWhatACaptureShowsBesidesItsSettings) {
  Settings wanted;
  wanted.scene.kind = SceneKind::image;
  wanted.scene.image.smoothFrames = 2;
  const auto noticeOf = [&](const std::string& image) {
    wanted.scene.image.file.text = image;
    const std::vector<ImageText> texts = {{kSettingsKeyword, settingsToJson(wanted)}, {kShutterKeyword, "90 degrees"}};
    return dropped({}, {file("c.hdr", hdr(texts))}).notice;
  };
  EXPECT_THAT(noticeOf(file("f.png", png()).string()),
              testing::AllOf(HasSubstr("\nc.hdr: its motion blur is not drawn again: 90 degrees"),
                             HasSubstr("\nf.png: its depth is not averaged over 2 earlier frames")));
  EXPECT_EQ(noticeOf((folder_ / "f%d.png").string()),
            "Settings of c.hdr\nc.hdr: its motion blur is not drawn again: 90 degrees");
  EXPECT_THAT(test::reasonOf<UsageError>([&] { noticeOf(std::string(32, 'a') + "/000003.png"); }),
              HasSubstr("it is frame 3 of a video"));
}

TEST_F(DroppedTest, AVideoIsAnImageOrADepth) {
  const Dropped film = dropped({}, {file("film.mp4")});
  EXPECT_STREQ(sceneOf(film.settings), "image");
  EXPECT_EQ(film.settings.scene.image.file.text, (folder_ / "film.mp4").string());
  EXPECT_TRUE(film.settings.scene.image.depth.none());
  EXPECT_TRUE(film.showsFile);
  EXPECT_EQ(film.notice, "Film: film.mp4");
  const fs::path depth = file("film_depth.mkv");
  EXPECT_EQ(dropped({}, {folder_ / "film.mp4"}).settings.scene.image.depth.text, depth.string());
  EXPECT_EQ(dropped(film.settings, {depth}).settings.scene.image.depth.text, depth.string());
  const Dropped both = dropped({}, {depth, folder_ / "film.mp4"});
  EXPECT_EQ(both.settings.scene.image, dropped({}, {folder_ / "film.mp4"}).settings.scene.image);
  EXPECT_EQ(both.notice, "Film: film.mp4, depth: film_depth.mkv");
}

TEST_F(DroppedTest, APrescriptionIsALens) {
  const Dropped found = dropped({}, {file("mine.txt", "stop 5 1 10\n50 4 1.5 20\n-50 0 1 20\n")});
  EXPECT_NEAR(found.settings.lens.fNumber, 5.0f, 0.2f);
  EXPECT_THAT(found.notice, testing::StartsWith("Lens: mine.txt\nmine.txt: a glass without Abbe number"));
  EXPECT_FALSE(found.showsFile);
  EXPECT_THROW(dropped({}, {file("bad.txt", "stop")}), UsageError);
}

TEST_F(DroppedTest, ASavedLensIsALens) {
  Settings mine;
  mine.lens.fNumber = 2.0f;
  saveLensPreset(mine, folder_ / "mine.json");
  const Dropped found = dropped({}, {folder_ / "mine.json"});
  EXPECT_EQ(found.settings, mine);
  EXPECT_EQ(found.notice, "Lens: mine.json");
}

TEST_F(DroppedTest, AModelChoosesItsSceneAndAnEnvironmentLightsIt) {
  const Dropped model = dropped({}, {file("a.GLB")});
  EXPECT_STREQ(sceneOf(model.settings), "model");
  EXPECT_EQ(model.settings.scene.model.file.text, (folder_ / "a.GLB").string());
  EXPECT_TRUE(model.settings.scene.frame);
  EXPECT_EQ(model.notice, "Model: a.GLB");

  Settings shown = model.settings;
  shown.scene.frame = false;
  const Dropped lit = dropped(shown, {file("sky.hdr")});
  EXPECT_EQ(lit.settings.scene.model.environment.text, (folder_ / "sky.hdr").string());
  EXPECT_EQ(lit.settings.scene.model.file, model.settings.scene.model.file);
  Settings exposed = lit.settings;
  exposed.camera.yawDegrees = 50.0f;
  Framing framing;
  framing.focusDistanceM = 9.0f;
  framing.exposureStops = 2.0f;
  applyFraming(exposed, framing);
  EXPECT_EQ(exposed.present.exposureStops, 2.0f);
  EXPECT_EQ(exposed.camera.yawDegrees, 50.0f) << "only the exposure";
  EXPECT_EQ(exposed.lens.focusDistanceM, shown.lens.focusDistanceM);
  EXPECT_STREQ(sceneOf(dropped({}, {file("photo.hdr", hdr())}).settings), "image");
}

TEST_F(DroppedTest, AnImageAloneHasItsDepthInside) {
  Settings current;
  current.scene.image.depth = {"old.pfm"};
  current.scene.frame = false;
  const Dropped found = dropped(current, {file("a.png", png())});
  EXPECT_STREQ(sceneOf(found.settings), "image");
  EXPECT_EQ(found.settings.scene.image.file.text, (folder_ / "a.png").string());
  EXPECT_TRUE(found.settings.scene.image.depth.none());
  EXPECT_TRUE(found.settings.scene.frame);
}

TEST_F(DroppedTest, AnImageAloneTakesTheDepthBesideIt) {
  const auto image = file("photo.png", png());
  for (const char* const name :
       {"photo_depth.jpg", "photo_depth.png", "photo.depth.exr", "photo.corrected-depth.exr"}) {
    file("other_depth.exr");
    const auto depth = file(name, png());
    EXPECT_EQ(dropped({}, {image}).settings.scene.image.depth.text, depth.string());
    EXPECT_EQ(dropped({}, {image}).notice, std::string("Image: photo.png, depth: ") + name);
    fs::remove(depth);
  }
  file("photo_depth.png", png());
  const auto corrected = file("photo.png.corrected-depth.exr", png());
  EXPECT_EQ(correctedDepthOf(image), corrected);
  EXPECT_EQ(dropped({}, {image}).settings.scene.image.depth.text, corrected.string()) << "preferred to other depths";
  fs::remove(folder_ / "photo_depth.png");
  fs::remove(corrected);
  EXPECT_TRUE(dropped({}, {image}).settings.scene.image.depth.none());
  const auto exported = file("shot-colour.png", png()), depth = file("shot-depth.png", png());
  EXPECT_EQ(dropped({}, {exported}).settings.scene.image.depth.text, depth.string());
  EXPECT_EQ(photosOf({image, exported, depth}), (std::vector{image, exported}));
}

TEST_F(DroppedTest, PhotographsOfAFolderAreOpenedTogetherWithoutTheirDepths) {
  for (const char* const name : {"b.png", "b_depth.png", "a.jpg", "a.depth.exr", "b.png.corrected-depth.exr",
                                 "c-depth.png", ".a.png", "notes.txt"})
    file(name, png());
  file("B2.png", png());
  EXPECT_EQ(photosOf({folder_})[2], folder_ / "B2.png") << "by name, whatever the case";
  fs::remove(folder_ / "B2.png");
  const std::vector<fs::path> all{folder_ / "a.jpg", folder_ / "b.png", folder_ / "c-depth.png"};
  EXPECT_EQ(photosOf({folder_}), all);
  EXPECT_EQ(photosOf({all[1], folder_ / "b_depth.png", all[0]}), (std::vector<fs::path>{all[1], all[0]}));
  EXPECT_EQ(photosOf({all[0], all[1]}), (std::vector<fs::path>{all[0], all[1]}));
  EXPECT_THAT(photosOf({all[0]}), testing::IsEmpty());
  EXPECT_THAT(photosOf({all[1], folder_ / "b_depth.png"}), testing::IsEmpty());
  EXPECT_THAT(photosOf({all[1], all[2]}), testing::IsEmpty()) << "of two, one may be the depth";
  const auto coloured = [](std::uint8_t red) {
    const std::vector<std::uint8_t> rgb{red, 9, 9};
    return encodePng(rgb.data(), {1, 1}, 8, {});
  };
  const fs::path red = file("red.png", coloured(200)), grey = file("grey.png", coloured(9));
  EXPECT_THAT(photosOf({all[1], grey}), testing::IsEmpty()) << "its depth, whatever its name";
  EXPECT_EQ(photosOf({all[1], red}), (std::vector{all[1], red})) << "a colour image is no depth";
  fs::create_directory(folder_ / "empty");
  EXPECT_THROW(photosOf({folder_ / "empty"}), UsageError);
  EXPECT_EQ(droppedPhoto({}, all[0]).settings.scene.image.depth.text, (folder_ / "a.depth.exr").string());
}

TEST_F(DroppedTest, CapturesAmongThePhotographsOfAFolderAreLeftOut) {
  for (const char* const name : {"a-refocused-0001.png", "a-refocused.jpg", "a.jpg", "b-refocused-0001.png", "a-2.jpg"})
    file(name, png());
  std::size_t captures = 0;
  const std::vector<fs::path> photos{folder_ / "a-2.jpg", folder_ / "a.jpg", folder_ / "b-refocused-0001.png"};
  EXPECT_EQ(photosOf({folder_}, &captures), photos) << "b is not here";
  EXPECT_EQ(captures, 2u);
  const std::vector<fs::path> chosen{folder_ / "a.jpg", folder_ / "a-refocused.jpg", folder_ / "a-2.jpg"};
  EXPECT_EQ(photosOf(chosen), chosen);
}

TEST_F(DroppedTest, AFileOfAnotherKindIsRefused) {
  for (const char* name : {"notes.txt", "script", "archive.zip"}) EXPECT_THROW(dropped({}, {file(name)}), UsageError);
  const std::string reason = test::reasonOf<UsageError>([&] { dropped({}, {folder_ / "notes.txt"}); });
  for (const char* const usable : {"notes.txt", "shot", "camera path", ".png", ".mp4", ".glb", ".hdr"})
    EXPECT_THAT(reason, HasSubstr(usable));
  EXPECT_STREQ(sceneOf(dropped({}, {file("no extension", png())}).settings), "image");
  EXPECT_EQ(test::reasonOf<UsageError>([&] { dropped({}, {file("none", "")}); }), "cannot use \"none\": it is empty");
}

TEST_F(DroppedTest, OfTwoFilesTheDepthIsRecognised) {
  const fs::path image = file("a.png", png()), pfm = file("b.pfm", kPfm),
                 named = file("a_depth.exr", encodeExr({{1, 1}, {{"Y", false, {1.0f}}}, {}}));
  for (const fs::path& depth : {pfm, named})
    for (const auto& order : {std::vector{image, depth}, std::vector{depth, image}}) {
      const ImageSettings found = dropped({}, order).settings.scene.image;
      EXPECT_EQ(found.file.text, image.string());
      EXPECT_EQ(found.depth.text, depth.string());
    }
  EXPECT_THROW(dropped({}, {image, pfm, named}), UsageError);
  EXPECT_THROW(dropped({}, {}), UsageError);
}

TEST_F(DroppedTest, ADepthAloneJoinsTheImage) {
  const fs::path image = file("a.png", png()), depth = file("b.pfm", kPfm);
  const Settings shown = dropped({}, {image}).settings;
  const ImageSettings found = dropped(shown, {depth}).settings.scene.image;
  EXPECT_EQ(found.file.text, image.string());
  EXPECT_EQ(found.depth.text, depth.string());
  EXPECT_EQ(dropped({}, {depth}).settings.scene.image.file.text, depth.string());
}

TEST_F(DroppedTest, APhotographWithDepthInItsNameIsAPhotograph) {
  const std::uint8_t grey = 9, rgb[] = {200, 9, 9};
  const std::string coloured = encodePng(rgb, {1, 1}, 8, {});
  const Settings shown = dropped({}, {file("a.png", coloured)}).settings;
  const auto imageOf = [&](const fs::path& file) { return dropped(shown, {file}).settings.scene.image; };
  for (const char* const name : {"depth-of-field.png", "nodepth-street.png", "disparity of views.png"}) {
    const fs::path photograph = file(name, coloured);
    EXPECT_EQ(imageOf(photograph).file.text, photograph.string());
    EXPECT_TRUE(imageOf(photograph).depth.none());
  }
  for (const fs::path& depth :
       {file("depth of a.png", encodePng(&grey, {1, 1}, 8, {}, 1)), file("a_depth.png", coloured)})
    EXPECT_EQ(imageOf(depth).depth.text, depth.string()) << depth;
}

TEST_F(DroppedTest, AnExportedDepthJoinsTheImageButNoOtherScene) {
  Settings wanted;
  wanted.lens.fNumber = 8.0f;
  const LayerImage layer{.size = {1, 1}, .nearM = 0.5f, .planes = {{0.25f}}};
  const std::vector<ImageText> texts{{kSettingsKeyword, settingsToJson(wanted)}};
  const Settings shown = dropped({}, {file("photo.png", png())}).settings;
  for (const char* const name : {"a.png", "a.exr"}) {
    const fs::path depth = file(name, writerOf(name).layer(Layer::depth, layer, texts));
    const Dropped found = dropped(shown, {depth});
    EXPECT_EQ(found.settings.scene.image.file, shown.scene.image.file);
    EXPECT_EQ(found.settings.scene.image.depth.text, depth.string());
    EXPECT_EQ(found.settings.lens, shown.lens);
    EXPECT_EQ(dropped({}, {depth}).settings, wanted);
  }
  const fs::path capture = file("capture.png", png(texts));
  EXPECT_EQ(dropped(shown, {capture}).settings.lens, wanted.lens);
}

}  // namespace
}  // namespace satdof
