#include "app/run/window/depth/depth_estimator.h"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "tests/support/environment.h"
#include "tests/support/files_fixture.h"

namespace satdof {
namespace {

class DepthEstimatorTest : public FilesTest {
 protected:
  DepthEstimatorTest() {
    session_.settings.scene.kind = SceneKind::image;
    session_.settings.scene.image.file.text = file("photo.png", png()).string();
  }
  void estimate(const std::string& script) {
    session_.preferences.depthCommand = "sh " + file("tool.sh", script).string() + " {image} {depth.pfm}";
    maker_.estimate(session_);
  }
  template <class Holds>
  void until(const Holds& holds) {
    while (!holds()) {
      opening_.beginEdits(session_);
      maker_.serve(session_, opening_, true);
      opening_.endEdits(session_);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  bool isDone() const { return !maker_.busy() && !opening_.loading(); }

  const test::Environment cache_{"XDG_CACHE_HOME", folder_ / "cache"};
  Session session_;
  Opening opening_;
  DepthEstimator maker_{false};
};

TEST_F(DepthEstimatorTest, EstimatesAfterACancelledAndAFailedCommand) {
  estimate("echo begun; sleep 600");
  until([&] { return session_.estimating == "begun"; });
  maker_.cancel();
  EXPECT_TRUE(maker_.hasNews());
  until([&] { return isDone(); });
  EXPECT_EQ(session_.notices.text, "The depth of photo.png is cancelled");
  EXPECT_FALSE(session_.estimating);

  estimate("echo no model; exit 3");
  until([&] { return isDone(); });
  ASSERT_EQ(session_.notices.errors.size(), 1u);
  EXPECT_THAT(session_.notices.errors[0].text, testing::HasSubstr("sh failed (status 3): no model"));
  EXPECT_TRUE(session_.settings.scene.image.depth.none());

  estimate(R"(printf 'Pf\n2 1\n-1\n\000\000\200\077\000\000\000\100' > "$2")");
  until([&] { return isDone(); });
  EXPECT_TRUE(session_.notices.errors.empty());
  EXPECT_EQ(session_.notices.text, "Depth of photo.png estimated");
  EXPECT_TRUE(session_.settings.scene.image.depth.text.starts_with((folder_ / "cache").string()));
}

TEST_F(DepthEstimatorTest, EstimatesTheDepthOfNoPhotographBeforeItIsShown) {
  session_.preferences.depthCommand = "sh " + file("tool.sh", "sleep 600").string() + " {image} {depth.pfm}";
  session_.shown.lacksDepth = true;
  DepthEstimator maker(true);
  for (const bool isShown : {false, true}) {
    opening_.beginEdits(session_);
    maker.serve(session_, opening_, isShown);
    EXPECT_EQ(maker.busy(), isShown);
    opening_.endEdits(session_);
  }
  maker.cancel();
}

TEST_F(DepthEstimatorTest, SaysThatADepthIsTheSameEverywhere) {
  estimate(R"(printf 'Pf\n2 1\n-1\n\000\000\200\077\000\000\200\077' > "$2")");
  until([&] { return isDone(); });
  EXPECT_EQ(session_.notices.text, "Depth of photo.png estimated: it is the same everywhere, and so is the blur");
}

}  // namespace
}  // namespace satdof
