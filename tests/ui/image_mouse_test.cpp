#include "app/ui/image/image_mouse.h"

#include <gtest/gtest.h>

#include <utility>

#include "app/scene/registry.h"
#include "app/ui/edit.h"

namespace satdof {
namespace {

constexpr glm::vec2 kSize{800.0f, 400.0f};

class ImageMouseTest : public testing::Test {
 protected:
  void drag(MouseButton button, bool shift, glm::vec2 from, glm::vec2 to) {
    mouse.press(session, button, {.shift = shift}, from, kSize);
    mouse.move(session, to, kSize);
    mouse.release(session, button, kSize);
  }

  Session session;
  ImageMouse mouse;
};

TEST_F(ImageMouseTest, AClickFocusesAndStopsTheAutofocus) {
  session.settings.lens.autofocus = true;
  drag(MouseButton::left, false, {200, 100}, {203, 100});
  ASSERT_TRUE(session.focus.at.has_value());
  EXPECT_FLOAT_EQ(session.focus.at->x, 0.25f);
  EXPECT_FLOAT_EQ(session.focus.at->y, 0.75f);
  EXPECT_EQ(session.focus.marker, *session.focus.at);
  EXPECT_EQ(session.focus.markerAgeS, 0.0f);
  EXPECT_FALSE(session.settings.lens.autofocus);
  EXPECT_EQ(session.settings.camera, CameraSettings{});
}

TEST_F(ImageMouseTest, AClickMovesThePlaceOfTheAutofocus) {
  LensSettings& lens = session.settings.lens;
  for (const AutofocusOn on : {AutofocusOn::point, AutofocusOn::area, AutofocusOn::nearest, AutofocusOn::tracked}) {
    session = {};
    lens.autofocus = true;
    lens.autofocusOn = on;
    drag(MouseButton::left, false, {200, 100}, {203, 100});
    EXPECT_TRUE(lens.autofocus);
    EXPECT_FLOAT_EQ(lens.autofocusX, 0.25f);
    EXPECT_FLOAT_EQ(lens.autofocusY, 0.25f) << "from the top";
    EXPECT_EQ(session.focus.at.has_value(), on == AutofocusOn::tracked);
  }
}

TEST_F(ImageMouseTest, AClickWaitsForTheRelease) {
  mouse.press(session, MouseButton::left, {}, {200, 100}, kSize);
  EXPECT_FALSE(session.focus.at);
  mouse.release(session, MouseButton::right, kSize);
  EXPECT_FALSE(session.focus.at) << "another button";
  mouse.release(session, MouseButton::left, kSize);
  EXPECT_TRUE(session.focus.at);
}

TEST_F(ImageMouseTest, ALeftDragOrbits) {
  drag(MouseButton::left, false, {200, 100}, {220, 110});
  EXPECT_FALSE(session.focus.at);
  EXPECT_NEAR(session.settings.camera.yawDegrees, CameraSettings{}.yawDegrees - 6.0f, 1e-4f);
  EXPECT_NEAR(session.settings.camera.pitchDegrees, CameraSettings{}.pitchDegrees + 3.0f, 1e-4f);
  EXPECT_EQ(session.settings.camera.targetYM, CameraSettings{}.targetYM);
  mouse.move(session, {300, 100}, kSize);
  EXPECT_NEAR(session.settings.camera.yawDegrees, CameraSettings{}.yawDegrees - 6.0f, 1e-4f)
      << "a move after the release";
}

TEST_F(ImageMouseTest, RightMiddleAndShiftDragsPan) {
  const std::pair<MouseButton, bool> ways[] = {
      {MouseButton::right, false}, {MouseButton::middle, false}, {MouseButton::left, true}};
  for (const auto& [button, shift] : ways) {
    session = {};
    drag(button, shift, {200, 100}, {200, 140});
    EXPECT_FALSE(session.focus.at);
    EXPECT_EQ(session.settings.camera.yawDegrees, CameraSettings{}.yawDegrees);
    EXPECT_GT(session.settings.camera.targetYM, CameraSettings{}.targetYM) << "the image moves down";
  }
}

TEST_F(ImageMouseTest, AnImageExplainsItsFixedViewpoint) {
  session.settings.scene.kind = SceneKind::image;
  drag(MouseButton::right, false, {200, 100}, {260, 120});
  EXPECT_EQ(session.notices.text, "No pan: an image with depth has one viewpoint; the left button turns it");
  session.shown.whyStill = "an image without parallax stands still";
  mouse.scroll(session, 1.0f, {.control = true});
  EXPECT_EQ(session.notices.text, "Zoom: 150 %");
  session.zoom = {};
  drag(MouseButton::left, false, {200, 100}, {260, 120});
  EXPECT_EQ(session.notices.text, "No orbit: an image without parallax stands still");
  EXPECT_EQ(session.settings.camera, CameraSettings{}) << "nothing to undo";
  mouse.scroll(session, 1.0f, {});
  EXPECT_NE(session.settings.lens.focusDistanceM, LensSettings{}.focusDistanceM);
}

TEST_F(ImageMouseTest, ALeftDragMovesAZoomedPhotograph) {
  session.settings.scene.kind = SceneKind::image;
  session.shown.whyStill = "an image without parallax stands still";
  session.zoom = {.scale = 4.0f, .from = {0.4f, 0.4f}};
  drag(MouseButton::left, false, {200, 100}, {280, 60});
  EXPECT_FLOAT_EQ(session.zoom.from.x, 0.375f);
  EXPECT_FLOAT_EQ(session.zoom.from.y, 0.375f);
  EXPECT_EQ(session.notices.text, "");
  EXPECT_FALSE(session.focus.at);
}

TEST_F(ImageMouseTest, ASecondButtonDoesNotChangeADrag) {
  mouse.press(session, MouseButton::right, {}, {200, 100}, kSize);
  mouse.press(session, MouseButton::left, {}, {200, 100}, kSize);
  mouse.move(session, {200, 140}, kSize);
  EXPECT_EQ(session.settings.camera.pitchDegrees, CameraSettings{}.pitchDegrees);
  EXPECT_NE(session.settings.camera.targetYM, CameraSettings{}.targetYM);
}

TEST_F(ImageMouseTest, TheSplitLineFollowsItsDrag) {
  session.settings.split.enabled = true;
  drag(MouseButton::left, false, {403, 50}, {600, 300});
  EXPECT_FLOAT_EQ(session.settings.split.position, 0.75f);
  EXPECT_EQ(session.settings.camera, CameraSettings{});
  EXPECT_FALSE(session.focus.at);
  drag(MouseButton::left, false, {600, 50}, {-70, 50});
  EXPECT_EQ(session.settings.split.position, 0.0f);
  drag(MouseButton::left, false, {0, 50}, {900, 50});
  EXPECT_EQ(session.settings.split.position, 1.0f);
}

TEST_F(ImageMouseTest, TheSplitLineNeedsTheSplitAlone) {
  EXPECT_FALSE(mouse.onSplit(session, {400, 50}, kSize));
  session.settings.split.enabled = true;
  EXPECT_TRUE(mouse.onSplit(session, {400, 50}, kSize));
  EXPECT_TRUE(mouse.onSplit(session, {405, 50}, kSize));
  EXPECT_FALSE(mouse.onSplit(session, {410, 50}, kSize));
  session.settings.present.showUi = false;
  EXPECT_TRUE(mouse.onSplit(session, {400, 50}, kSize));
}

TEST_F(ImageMouseTest, TheSplitLineStaysWhereItCanBeGrabbed) {
  session.settings.split.enabled = true;
  session.visible.left = 0.25f;
  drag(MouseButton::left, false, {400, 50}, {10, 50});
  EXPECT_EQ(session.settings.split.position, 0.25f);
  session.settings.split.position = 0.1f;
  EXPECT_TRUE(mouse.onSplit(session, {200, 50}, kSize)) << "shown at the edge of the panels";
  EXPECT_FALSE(mouse.onSplit(session, {80, 50}, kSize));
  drag(MouseButton::left, false, {200, 50}, {480, 50});
  EXPECT_FLOAT_EQ(session.settings.split.position, 0.6f);
}

TEST_F(ImageMouseTest, ADragKeepsTheSplitLineWhereverTheMouseIs) {
  session.settings.split.enabled = true;
  mouse.press(session, MouseButton::left, {}, {400, 50}, kSize);
  EXPECT_TRUE(mouse.onSplit(session, {10, 50}, kSize));
  mouse.release(session, MouseButton::left, kSize);
  EXPECT_FALSE(mouse.onSplit(session, {10, 50}, kSize));
}

TEST_F(ImageMouseTest, TheWheelMovesTheFocus) {
  session.settings.lens.focusDistanceM = 2.0f;
  mouse.scroll(session, 1.0f, {});
  EXPECT_NEAR(1.0f / session.settings.lens.focusDistanceM, 0.48f, 1e-5f);
  mouse.scroll(session, -1.0f, {.shift = true});
  EXPECT_NEAR(1.0f / session.settings.lens.focusDistanceM, 0.482f, 1e-5f) << "Shift: a tenth of a step";
  EXPECT_EQ(session.settings.camera, CameraSettings{});
}

TEST_F(ImageMouseTest, TheWheelWithControlZooms) {
  mouse.scroll(session, 1.0f, {.control = true});
  EXPECT_LT(session.settings.camera.distanceM, CameraSettings{}.distanceM);
  EXPECT_EQ(session.settings.lens, LensSettings{});
}

TEST_F(ImageMouseTest, TheFocusPointOfAPhotographIsDragged) {
  session.settings.scene.kind = SceneKind::image;
  session.settings.scene.image.file = {"photo.png"};
  session.shown.areaFrom = {0.5f, 0.0f};
  drag(MouseButton::left, false, {600, 100}, {600, 100});
  ASSERT_TRUE(session.focus.point);
  EXPECT_EQ(*session.focus.point, glm::vec2(0.5f, 0.75f));
  session.focus.at.reset();
  session.focus.pointM = session.settings.lens.focusDistanceM;
  drag(MouseButton::left, false, {605, 103}, {700, 200});
  ASSERT_TRUE(session.focus.at);
  EXPECT_EQ(*session.focus.at, glm::vec2(0.875f, 0.5f));
  EXPECT_EQ(*session.focus.point, glm::vec2(0.75f, 0.5f));
  EXPECT_EQ(session.settings.camera, CameraSettings{});

  session.focus.at.reset();
  session.focus.pointM = session.settings.lens.focusDistanceM;
  drag(MouseButton::left, false, {704, 200}, {704, 200});
  EXPECT_EQ(session.focus.at, glm::vec2(0.88f, 0.5f)) << "a click";

  drag(MouseButton::left, false, {704, 200}, {700, 200});
  session.focus.at.reset();
  session.focus.pointM = session.settings.lens.focusDistanceM;
  session.settings.lens.focusDistanceM *= 2.0f;  // by the wheel: the point is no longer in focus
  drag(MouseButton::left, false, {700, 200}, {750, 200});
  EXPECT_FALSE(session.focus.at);
}

TEST_F(ImageMouseTest, AClickRightOfTheSplitFocusesBWithALensOfItsOwn) {
  session.settings.split = {.enabled = true, .ownLens = true, .b = {}};
  session.input.cursorM = 9.0f;  // of where the mouse was
  const float focusM = session.settings.lens.focusDistanceM;
  drag(MouseButton::left, false, {600, 100}, {600, 100});
  EXPECT_FALSE(session.focus.at);
  ASSERT_EQ(session.focus.measuredAt, std::vector<glm::vec2>({{0.75f, 0.75f}}));
  useDistance(session, session.focus.measuredAt[0], 4.0f);
  EXPECT_EQ(session.settings.split.focusDistanceM, 4.0f);
  EXPECT_EQ(session.settings.lens.focusDistanceM, focusM);
  drag(MouseButton::left, false, {200, 100}, {200, 100});
  EXPECT_TRUE(session.focus.at);
}

TEST_F(ImageMouseTest, ABrushPaintsInPlaceOfTheFocus) {
  for (const SceneRow& row : sceneRows())
    if (row.imageSize != nullptr) session.settings.scene.kind = row.kind;
  session.settings.scene.image.file.text = "photo.png";
  session.brush.kind = BrushKind::nearer;
  session.shown.areaFrom = {0.5f, 0.0f};
  const CameraSettings camera = session.settings.camera;
  drag(MouseButton::left, false, {600, 100}, {800, 300});
  EXPECT_FALSE(session.focus.at.has_value());
  EXPECT_EQ(session.settings.camera, camera);
  EXPECT_TRUE(session.brush.begins && session.brush.ends);
  EXPECT_EQ(session.brush.places, (std::vector<glm::vec2>{{0.5f, 0.75f}, {1.0f, 0.25f}}));
  const float focus = session.settings.lens.focusDistanceM, radius = session.brush.radius;
  mouse.scroll(session, 2.0f, {});
  EXPECT_EQ(session.settings.lens.focusDistanceM, focus);
  EXPECT_FLOAT_EQ(session.brush.radius, 1.44f * radius);
  mouse.scroll(session, 100.0f, {});
  EXPECT_EQ(session.brush.radius, DepthTool::kMax);
}

}  // namespace
}  // namespace satdof
