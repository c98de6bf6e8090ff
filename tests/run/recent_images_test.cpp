#include "app/run/window/files/recent_images.h"

#include "tests/support/environment.h"
#include "tests/support/files_fixture.h"

namespace satdof {
namespace {

using RecentImagesTest = FilesTest;

TEST_F(RecentImagesTest, AnEstimatedDepthIsReadAsTheOneBefore) {
  const test::Environment cache("XDG_CACHE_HOME", folder_);
  const std::string depths = (folder_ / "satdof/depth").string();
  ImageSettings relative;
  relative.meaning = DepthMeaning::relative;
  std::vector<RecentImage> recent = {
      {{"/a.png"}, {"/a_depth.png"}}, {{"/b.png"}, {depths + "/1.png"}, relative}, {{"/c.png"}, {depths + "/2.png"}}};
  ImageSettings image;
  image.file = {"/d.png"};
  image.depth = {depths + "/3.png"};
  EXPECT_EQ(withRememberedReading(image, recent).meaning, DepthMeaning::relative);
  EXPECT_EQ(withRememberedReading(image, recent).file, image.file);
  image.depth.text = "/d_depth.png";
  EXPECT_EQ(withRememberedReading(image, recent), image);
  rememberFiles(recent, {{"/b.png"}, {depths + "/1.png"}});
  EXPECT_EQ(recent.size(), 3u);
  EXPECT_EQ(recent[0].reading, DepthReading());
}

}  // namespace
}  // namespace satdof
