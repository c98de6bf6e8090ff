#include "app/ui/image/zoom.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/trigonometric.hpp>

#include "app/scene/image/image.h"
#include "app/scene/registry.h"
#include "app/ui/image/aspect_frame.h"

namespace satdof {

namespace {

constexpr float kMax = 16.0f;    // relative to fullScale()
constexpr float kSame = 1.001f;  // ratio of scales that count as equal
// Steps relative to fullScale(). A step at which the image is smaller than the window shows the whole image.
constexpr std::array kSteps = {0.125f, 0.25f, 1.0f / 3, 0.5f, 2.0f / 3, 1.0f,  1.5f,
                               2.0f,   3.0f,  4.0f,     6.0f, 8.0f,     12.0f, kMax};

// The area of the photograph in the whole image, 0 to 1.
struct Area {
  glm::dvec2 from, extent;
};

Area photographArea(const Session& session, const CameraSettings& camera) {
  const glm::dvec2 file(session.shown.fileSize), size(session.settings.size);
  const glm::dvec2 extent = file / texelsPerPixel(session.shown.fileSize, session.settings.size, camera) / size;
  const glm::dvec2 centred = 0.5 * (1.0 - extent) + glm::dvec2(camera.shiftX, camera.shiftY);
  return {glm::clamp(centred, glm::dvec2(0.0), 1.0 - extent), extent};
}

float largestScale(const Session& session) { return std::max(kMax * fullScale(session), 2.0f); }

// Returns the start of the shown part along an axis, moved such that the visible part lies between `low` and `high`;
// centred between them if it is larger. `covered`: part of the window before the visible part that the panels cover.
float inside(float from, float scale, float covered, float low, float high) {
  const float first = low - covered / scale, last = high - 1.0f / scale;
  return first <= last ? std::clamp(from, first, last) : 0.5f * (first + last);
}

// Returns the zoom that shows the whole film in the centre of the visible image.
Zoom filmZoom(const Session& session) {
  constexpr float kPart = 0.96f, kMin = 0.05f;
  const auto [from, to, pixels] = capturedArea(session);
  const glm::vec2 fits = kPart * (1.0f - session.visible.from()) / (to - from);
  Zoom zoom{.scale = std::clamp(std::min(fits.x, fits.y), kMin, 1.0f)};
  zoom.from = 0.5f * (from + to) - session.visible.centre() / zoom.scale;
  return zoom;
}

}  // namespace

float fullScale(const Session& session) {
  if (session.shown.fileSize == glm::ivec2(0)) return 1.0f;
  return static_cast<float>(texelsPerPixel(session.shown.fileSize, session.settings.size, session.settings.camera));
}

std::string zoomText(const Session& session) {
  std::string text = std::to_string(std::lround(100.0f * session.zoom.scale / fullScale(session))) + " %";
  if (session.zoom.active()) return text;
  return session.shown.fileSize == glm::ivec2(0) ? "fit" : "fit, " + text;
}

void zoomTo(Session& session, float scale, glm::vec2 at) {
  Zoom& zoom = session.zoom;
  const glm::vec2 point = zoom.from + at / zoom.scale;
  zoom.scale = std::clamp(scale, 1.0f, largestScale(session));
  zoom.from = point - at / zoom.scale;
  keepZoomInside(session);
  session.say("Zoom: " + zoomText(session));
}

void stepZoom(Session& session, int steps, glm::vec2 at) {
  const float full = fullScale(session);
  float scale = std::max(session.zoom.scale, 1.0f);
  for (; steps > 0; --steps) {
    const auto next = std::ranges::find_if(kSteps, [&](float step) { return step * full > scale * kSame; });
    scale = next == kSteps.end() ? largestScale(session) : *next * full;
  }
  for (; steps < 0; ++steps) {
    const auto next =
        std::find_if(kSteps.rbegin(), kSteps.rend(), [&](float step) { return step * full * kSame < scale; });
    scale = next == kSteps.rend() ? 1.0f : std::max(*next * full, 1.0f);
  }
  zoomTo(session, scale, at);
}

void toggleZoom(Session& session, glm::vec2 at) {
  const float full = fullScale(session);
  zoomTo(session, session.zoom.active() ? 1.0f : full > kSame ? full : 2.0f, at);
}

void panImage(Session& session, glm::vec2 by) {
  session.zoom.from -= by / session.zoom.scale;
  keepZoomInside(session);
}

void showPlace(Session& session, glm::vec2 place) {
  session.zoom.from = place - session.visible.centre() / session.zoom.scale;
  keepZoomInside(session);
}

void keepPixels(Session& session, const CameraSettings& before) {
  Zoom& zoom = session.zoom;
  if (!zoom.active() || session.shown.fileSize == glm::ivec2(0)) return;
  const Area from = photographArea(session, before), to = photographArea(session, session.settings.camera);
  const glm::dvec2 ratio = to.extent / from.extent;
  zoom.from = to.from + (glm::dvec2(zoom.from) - from.from) * ratio;
  zoom.scale /= static_cast<float>(ratio.x);
  session.shown.areaFrom = to.from;
  session.shown.areaTo = to.from + to.extent;
}

void keepZoomInside(Session& session) {
  Zoom& zoom = session.zoom;
  if (!zoom.active()) {
    zoom = framesFilm(session) ? filmZoom(session) : Zoom{};
    return;
  }
  zoom.scale = std::min(zoom.scale, largestScale(session));
  const VisiblePart whole = visibleWhole(session);
  zoom.from.x = inside(zoom.from.x, zoom.scale, session.visible.left, whole.from.x, whole.to.x);
  zoom.from.y = inside(zoom.from.y, zoom.scale, session.visible.bottom, whole.from.y, whole.to.y);
}

bool framesFilm(const Session& session) {
  const Settings& settings = session.settings;
  const SceneRow& row = sceneRow(settings.scene.kind);
  const bool willBePlaced = settings.scene.frame && !row.files.empty();
  return session.timeline.shown && settings.present.showUi && !session.sequence && !row.showsPhotographs() &&
         !willBePlaced && !session.preferences.capture.recordsPanels();
}

Settings withSurroundings(Settings settings, const Zoom& zoom) {
  if (zoom.scale >= 1.0f) return settings;
  const auto inWindow = [&](glm::vec2 point) { return (point - zoom.from) * zoom.scale; };
  CameraSettings& camera = settings.camera;
  LensSettings& lens = settings.lens;
  const float half = std::tan(glm::radians(camera.verticalFovDegrees) / 2.0f);
  camera.verticalFovDegrees = glm::degrees(2.0f * std::atan(half / zoom.scale));
  const glm::vec2 target = inWindow({0.5f + camera.shiftX, 0.5f + camera.shiftY}),
                  focus = inWindow({lens.autofocusX, 1.0f - lens.autofocusY});
  camera.shiftX = target.x - 0.5f;
  camera.shiftY = target.y - 0.5f;
  lens.sensorHeightMm /= zoom.scale;
  lens.gemsMaxRadiusPx *= zoom.scale;
  lens.autofocusX = focus.x;
  lens.autofocusY = 1.0f - focus.y;
  lens.autofocusSize *= zoom.scale;
  return settings;
}

glm::vec2 centreShown(const Session& session) {
  const bool films = session.filmsShot() && !session.preferences.capture.recordsPanels() &&
                     !sceneRow(session.settings.scene.kind).showsPhotographs();
  if (films) return glm::vec2(0.5f);
  if (session.zoom.scale >= 1.0f) return session.visible.centre();
  const auto [from, to, pixels] = capturedArea(session);
  return pointOf(session, 0.5f * (from + to));
}

VisiblePart visiblePart(const Session& session) {
  const Zoom& zoom = session.zoom;
  return {zoom.from + session.visible.from() / zoom.scale, zoom.from + 1.0f / zoom.scale};
}

VisiblePart visibleWhole(const Session& session) {
  return {glm::max(session.shown.areaFrom, session.visible.from()), session.shown.areaTo};
}

glm::vec2 placeAt(const Session& session, glm::vec2 point) {
  const glm::vec2 whole = session.zoom.from + point / session.zoom.scale;
  return (whole - session.shown.areaFrom) / (session.shown.areaTo - session.shown.areaFrom);
}

glm::vec2 pointOf(const Session& session, glm::vec2 place) {
  const glm::vec2 whole = glm::mix(session.shown.areaFrom, session.shown.areaTo, place);
  return (whole - session.zoom.from) * session.zoom.scale;
}

glm::ivec2 wholeSize(const Zoom& zoom, glm::ivec2 size) {
  return glm::max(glm::ivec2(glm::round(zoom.scale * glm::vec2(size))), size);
}

glm::ivec2 firstPixel(const Zoom& zoom, glm::ivec2 size) {
  const glm::ivec2 whole = wholeSize(zoom, size);
  return glm::clamp(glm::ivec2(glm::round(zoom.from * glm::vec2(whole))), glm::ivec2(0), whole - size);
}

}  // namespace satdof
