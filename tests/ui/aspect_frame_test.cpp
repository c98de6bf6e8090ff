#include "app/ui/image/aspect_frame.h"

#include <gtest/gtest.h>

#include <glm/common.hpp>

namespace satdof {
namespace {

class AspectFrameTest : public testing::Test {
 protected:
  AspectFrameTest() {
    settings.size = {1600, 900};
    settings.present.frame = AspectFrame::scope;
  }
  AspectFrameArea area() const { return aspectFrame(session).value(); }
  // In pixels of the window.
  glm::vec2 sizePx() const { return (area().to - area().from) * glm::vec2(settings.size); }

  Session session;
  Settings& settings = session.settings;
  CaptureSettings& capture = session.preferences.capture;
};

TEST_F(AspectFrameTest, FitsIntoTheWindowThatIsCaptured) {
  EXPECT_EQ(area().pixels, glm::ivec2(1600, 669));
  EXPECT_EQ(area().image, settings.size);
  EXPECT_NEAR(sizePx().x, 1600, 0.1f);
  EXPECT_NEAR(sizePx().y, 1600 / 2.39f, 0.1f);
  EXPECT_NEAR(area().from.y + area().to.y, 1.0f, 1e-5f) << "in the middle";
  settings.present.frame = AspectFrame::square;
  EXPECT_EQ(area().pixels, glm::ivec2(900));
  settings.present.frame = AspectFrame::none;
  EXPECT_FALSE(aspectFrame(session));
}

TEST_F(AspectFrameTest, FollowsTheSizeOfTheFile) {
  capture.windowSize = false;
  capture.size = {3840, 1080};
  settings.camera.shiftX = 0.1f;
  settings.present.frame = AspectFrame::wide;
  EXPECT_EQ(area().pixels, glm::ivec2(1920, 1080));
  EXPECT_EQ(area().image, capture.size);
  EXPECT_NEAR(sizePx().y, 900, 0.1f) << "the same height of the view";
  EXPECT_NEAR(sizePx().x, 1600, 0.1f);
  // The target is at 0.6 of the width of the window and of the file: the middle of the file lies 0.1 * 3200 pixels to
  // its left.
  EXPECT_NEAR(0.5f * (area().from.x + area().to.x) * 1600, 0.6f * 1600 - 0.1f * 3200, 0.1f);
}

TEST_F(AspectFrameTest, LiesInThePhotographAndGrowsWithTheZoom) {
  settings.scene.kind = SceneKind::image;
  settings.present.frame = AspectFrame::square;
  session.shown.fileSize = {3000, 2000};
  session.shown.areaFrom = {0.25f, 0.0f};
  session.shown.areaTo = {1.0f, 8.0f / 9};
  EXPECT_EQ(area().pixels, glm::ivec2(2000));
  EXPECT_NEAR(sizePx().x, 800, 0.1f);
  EXPECT_NEAR(area().from.x, 0.375f, 1e-5f);
  session.zoom = {2.0f, {0.25f, 0.25f}};
  EXPECT_NEAR(sizePx().x, 1600, 0.1f);
  session.zoom = {};
  capture.windowSize = false;
  capture.size = {1500, 9000};
  EXPECT_EQ(area().pixels, glm::ivec2(1000));
  EXPECT_EQ(area().image, glm::ivec2(1500, 1000));
}

}  // namespace
}  // namespace satdof
