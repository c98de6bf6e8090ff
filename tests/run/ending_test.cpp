#include "app/run/window/ending.h"

#include <gmock/gmock.h>

namespace satdof {
namespace {

using testing::HasSubstr;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

TEST(Ending, IsAtTheFirstRequestOrDuringACaptureAtTheSecond) {
  Ending ending;
  EXPECT_FALSE(ending.ends(0, false));
  EXPECT_FALSE(ending.ends(0, true));
  EXPECT_TRUE(ending.ends(1, false));
  EXPECT_TRUE(ending.ends(2, true));
}

TEST(Ending, SaysOnceThatACaptureIsFinished) {
  Ending ending;
  CaptureStderr();
  EXPECT_FALSE(ending.ends(1, true));
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("ends when the capture is written"));
  CaptureStderr();
  EXPECT_FALSE(ending.ends(1, true));
  EXPECT_TRUE(ending.ends(1, false));
  EXPECT_EQ(GetCapturedStderr(), "");
}

TEST(FileWait, EndsAtTheNextRequestOrForImagesAfterSomeSeconds) {
  FileWait wait(1, 100.0);
  CaptureStderr();
  EXPECT_FALSE(wait.gaveUp("a.png", false, 1, 101.0));
  EXPECT_EQ(GetCapturedStderr(), "");
  CaptureStderr();
  EXPECT_FALSE(wait.gaveUp("a.png", false, 1, 103.0));
  EXPECT_FALSE(wait.gaveUp("a.png", false, 1, 109.0));
  EXPECT_THAT(GetCapturedStderr(), "satdof: ends when a.png is written; close or interrupt again to abandon it\n");
  EXPECT_TRUE(wait.gaveUp("a.png", false, 1, 111.0));
  EXPECT_FALSE(wait.gaveUp("the video", true, 1, 111.0));
  EXPECT_TRUE(wait.gaveUp("the video", true, 2, 111.0));
}

}  // namespace
}  // namespace satdof
