#include "app/ui/image/zoom.h"

#include <gtest/gtest.h>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "app/ui/image/aspect_frame.h"
#include "app/ui/image/image_mouse.h"
#include "app/ui/keys.h"

namespace satdof {
namespace {

// A point of the window as a point of the whole image.
glm::vec2 inWhole(const Zoom& zoom, glm::vec2 at) { return zoom.from + at / zoom.scale; }

class ZoomTest : public testing::Test {
 protected:
  ZoomTest() { session.settings.size = {1000, 500}; }
  // A photograph that is as wide as the window beside the panels.
  void usePhotograph(glm::ivec2 size) {
    session.settings.scene.kind = SceneKind::image;
    session.shown.fileSize = size;
    session.visible.left = 0.2f;
    session.settings.camera.shiftX = 0.1f;
    const float high = 800.0f / 500.0f * static_cast<float>(size.y) / static_cast<float>(size.x);
    session.shown.areaFrom = {0.2f, 0.5f - 0.5f * high};
    session.shown.areaTo = {1.0f, 0.5f + 0.5f * high};
  }
  void wheel(float steps, Held held = {.alt = true}) { mouse.scroll(session, steps, held); }

  Session session;
  ImageMouse mouse;
};

TEST_F(ZoomTest, ThePointUnderTheMouseStays) {
  const glm::vec2 at(0.3f, 0.8f);
  session.input.mouseAt = at;
  glm::vec2 point = at;
  for (const float steps : {1.0f, 1.0f, 3.0f, -2.0f, 8.0f}) {
    wheel(steps);
    EXPECT_NEAR(glm::distance(inWhole(session.zoom, at), point), 0.0f, 1e-5f);
    point = inWhole(session.zoom, at);
  }
  EXPECT_EQ(session.zoom.scale, 16.0f);
  EXPECT_EQ(session.notices.text, "Zoom: 1600 %");
  Settings untouched;
  untouched.size = session.settings.size;
  EXPECT_EQ(session.settings, untouched) << "no setting";
}

TEST_F(ZoomTest, StepsGoUpAndDownTheSameWay) {
  wheel(1.0f);
  EXPECT_EQ(session.notices.text, "Zoom: 150 %");
  wheel(0.5f);
  EXPECT_EQ(session.zoom.scale, 1.5f) << "half a step of a touchpad";
  wheel(0.5f);
  EXPECT_EQ(session.zoom.scale, 2.0f);
  wheel(-2.0f);
  EXPECT_EQ(session.zoom, Zoom{});
  EXPECT_EQ(session.notices.text, "Zoom: fit");
  wheel(-1.0f);
  EXPECT_EQ(session.zoom, Zoom{}) << "nothing is smaller";
}

TEST_F(ZoomTest, ZTogglesOnePixelOfTheFileForEachOfTheWindow) {
  usePhotograph({4000, 2000});
  EXPECT_FLOAT_EQ(fullScale(session), 5.0f);
  EXPECT_EQ(zoomText(session), "fit, 20 %");
  session.input.mouseAt = {0.5f, 0.5f};
  typeCharacter(session, 'z', false);
  EXPECT_FLOAT_EQ(session.zoom.scale, 5.0f);
  EXPECT_EQ(session.notices.text, "Zoom: 100 %");
  const glm::ivec2 whole = wholeSize(session.zoom, session.settings.size);
  EXPECT_EQ(whole, glm::ivec2(5000, 2500));
  typeCharacter(session, 'Z', false);
  EXPECT_EQ(session.zoom, Zoom{});
  session.shown.fileSize = {400, 200};
  typeCharacter(session, 'z', false);
  EXPECT_EQ(session.zoom.scale, 2.0f) << "the file is smaller than the window";
  EXPECT_EQ(session.notices.text, "Zoom: 400 %");
}

TEST_F(ZoomTest, OtherScenesToggleTwoHundredPercent) {
  typeCharacter(session, 'z', false);
  EXPECT_EQ(session.notices.text, "Zoom: 200 %");
  typeCharacter(session, 'z', false);
  EXPECT_EQ(session.notices.text, "Zoom: fit");
}

TEST_F(ZoomTest, TheVisiblePartLiesInThePhotograph) {
  usePhotograph({4000, 2000});
  session.input.mouseAt = {0.95f, 0.95f};
  for (int step = 0; step < 12; ++step) {
    wheel(1.0f);
    for (const glm::vec2 by : {glm::vec2(9, 0), glm::vec2(0, 9), glm::vec2(-9, 0), glm::vec2(0, -9)}) {
      panImage(session, by);
      const VisiblePart part = visiblePart(session), whole = visibleWhole(session);
      for (int axis = 0; axis < 2; ++axis) {
        if (part.to[axis] - part.from[axis] > whole.to[axis] - whole.from[axis] + 1e-5f) {
          EXPECT_NEAR(part.from[axis] + part.to[axis], whole.from[axis] + whole.to[axis], 1e-5f);
          continue;
        }
        EXPECT_GE(part.from[axis], whole.from[axis] - 1e-5f);
        EXPECT_LE(part.to[axis], whole.to[axis] + 1e-5f);
      }
      const glm::ivec2 first = firstPixel(session.zoom, session.settings.size);
      EXPECT_GE(first.x, 0);
      EXPECT_LE(first.x + 1000, wholeSize(session.zoom, session.settings.size).x);
    }
  }
}

TEST_F(ZoomTest, PixelsStayWhenThePanelsAreHidden) {
  for (const glm::ivec2 file : {glm::ivec2(4000, 2000), glm::ivec2(2000, 4000)}) {
    session.zoom = {};
    usePhotograph(file);
    const glm::vec2 extent = file.x > file.y ? glm::vec2(0.8f, 0.8f) : glm::vec2(0.25f, 1.0f);
    session.shown.areaFrom = glm::vec2(0.6f, 0.5f) - 0.5f * extent;
    session.shown.areaTo = session.shown.areaFrom + extent;
    zoomTo(session, fullScale(session), {0.7f, 0.4f});
    const glm::vec2 from = placeAt(session, {0.4f, 0.3f}), to = placeAt(session, {0.9f, 0.8f});
    const CameraSettings before = session.settings.camera;
    session.settings.camera.shiftX = session.visible.left = 0.0f;
    keepPixels(session, before);
    keepZoomInside(session);
    EXPECT_NEAR(glm::distance(pointOf(session, from), glm::vec2(0.4f, 0.3f)), 0.0f, 1e-4f);
    EXPECT_NEAR(glm::distance(pointOf(session, to), glm::vec2(0.9f, 0.8f)), 0.0f, 1e-4f);
    EXPECT_FLOAT_EQ(session.zoom.scale, fullScale(session)) << "100 %";
  }
}

TEST_F(ZoomTest, AWindowOfAnotherShapeKeepsThePartInside) {
  wheel(2.0f);
  panImage(session, {-9.0f, 0.0f});
  EXPECT_FLOAT_EQ(visiblePart(session).to.x, 1.0f);
  session.visible.left = 0.5f;
  panImage(session, {9.0f, 0.0f});
  EXPECT_FLOAT_EQ(visiblePart(session).from.x, 0.5f) << "nothing from below the panels";
  session.visible.left = 0.0f;
  session.visible.bottom = 0.3f;
  keepZoomInside(session);
  EXPECT_GE(visiblePart(session).from.x, 0.0f);
  panImage(session, {0.0f, 9.0f});
  EXPECT_FLOAT_EQ(visiblePart(session).from.y, 0.3f) << "nothing from below the timeline";
}

TEST_F(ZoomTest, APlaceOfTheNavigatorComesToTheMiddle) {
  session.visible.left = 0.2f;
  wheel(5.0f);
  showPlace(session, {0.7f, 0.4f});
  const VisiblePart part = visiblePart(session);
  EXPECT_NEAR(0.5f * (part.from.x + part.to.x), 0.7f, 1e-5f);
  EXPECT_NEAR(0.5f * (part.from.y + part.to.y), 0.4f, 1e-5f);
  showPlace(session, {0.0f, 5.0f});
  EXPECT_NEAR(visiblePart(session).from.x, 0.2f, 1e-5f);
  EXPECT_NEAR(visiblePart(session).to.y, 1.0f, 1e-5f);
}

TEST_F(ZoomTest, TheMiddleButtonAndSpaceMoveTheImage) {
  const glm::vec2 size(1000.0f, 500.0f);
  const auto dragged = [&](MouseButton button, Held held) {
    session.zoom = {4.0f, {0.3f, 0.3f}};
    mouse.press(session, button, held, {500, 250}, size);
    mouse.move(session, {600, 300}, size);
    mouse.release(session, button, size);
    return session.zoom.from;
  };
  const glm::vec2 moved(0.3f - 0.1f / 4.0f, 0.3f + 0.1f / 4.0f);
  EXPECT_NEAR(glm::distance(dragged(MouseButton::middle, {}), moved), 0.0f, 1e-6f);
  EXPECT_EQ(session.settings.camera, CameraSettings{});
  EXPECT_EQ(dragged(MouseButton::left, {.space = true}), glm::vec2(0.3f)) << "Space pauses: the drag orbits";
  session.settings.camera = {};
  session.shown.whyStill = "the image stands still";
  EXPECT_NEAR(glm::distance(dragged(MouseButton::left, {.space = true}), moved), 0.0f, 1e-6f);
  EXPECT_EQ(session.settings.camera, CameraSettings{});
  EXPECT_FALSE(session.focus.at);
}

TEST_F(ZoomTest, TheTimelineShowsAllOfTheFilmBesideThePanels) {
  session.visible.left = 0.25f;
  session.visible.bottom = 0.3f;
  session.timeline.shown = true;
  for (const glm::ivec2 size : {glm::ivec2(0), glm::ivec2(500, 500), glm::ivec2(3000, 500)}) {
    session.preferences.capture.windowSize = size.x == 0;
    session.preferences.capture.size = size;
    keepZoomInside(session);
    const AspectFrameArea film = aspectFrame(session).value();
    EXPECT_EQ(film.image, size.x == 0 ? session.settings.size : size);
    EXPECT_GE(film.from.x, 0.25f);
    EXPECT_GE(film.from.y, 0.3f);
    EXPECT_LE(film.to.x, 1.0f);
    EXPECT_LE(film.to.y, 1.0f);
    const glm::vec2 filled = (film.to - film.from) / glm::vec2(0.75f, 0.7f);
    EXPECT_NEAR(std::max(filled.x, filled.y), 0.96f, 1e-4f);
    EXPECT_NEAR(glm::distance(0.5f * (film.from + film.to), centreShown(session)), 0.0f, 1e-5f);
  }
  session.preferences.capture.windowSize = true;
  keepZoomInside(session);
  const Zoom fits = session.zoom;
  wheel(1.0f);
  EXPECT_EQ(session.zoom.scale, 1.5f) << "closer";
  wheel(-1.0f);
  EXPECT_EQ(session.zoom, fits);
  session.sequence = Sequence{.ofShot = true};
  keepZoomInside(session);
  EXPECT_EQ(session.zoom, Zoom{}) << "while it is written";
  EXPECT_EQ(centreShown(session), glm::vec2(0.5f)) << "of the film, as in a run without a window";
}

TEST_F(ZoomTest, SurroundingsLeaveTheFilmAsItIs) {
  Settings settings;
  settings.camera.shiftX = 0.1f;
  settings.lens.autofocusX = 0.2f;
  const Zoom zoom{0.5f, {-0.4f, -0.7f}};
  const Settings around = withSurroundings(settings, zoom);
  // Where a point is at a slope off the axis, in a window twice as wide as high.
  const auto place = [](const Settings& of, glm::vec2 slope) {
    const CameraSettings& camera = of.camera;
    const float half = std::tan(glm::radians(camera.verticalFovDegrees) / 2);
    return glm::vec2(0.5f) + glm::vec2(camera.shiftX, camera.shiftY) + slope / (2 * half) * glm::vec2(0.5f, 1.0f);
  };
  for (const glm::vec2 slope : {glm::vec2(0), glm::vec2(0.3f, -0.2f)}) {
    const glm::vec2 expected = (place(settings, slope) - zoom.from) * zoom.scale;
    EXPECT_NEAR(glm::distance(place(around, slope), expected), 0.0f, 1e-5f);
  }
  EXPECT_FLOAT_EQ(around.lens.sensorHeightMm, 2 * settings.lens.sensorHeightMm) << "as large a disc of a point";
  EXPECT_NEAR(around.lens.autofocusX, 0.3f, 1e-5f);
  EXPECT_EQ(withSurroundings(settings, {}), settings);
}

}  // namespace
}  // namespace satdof
