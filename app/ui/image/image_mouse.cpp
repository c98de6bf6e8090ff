#include "app/ui/image/image_mouse.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/core/tracking.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/image/zoom.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

namespace {

constexpr float kClickRadius = 4.0f;  // screen coordinates; a longer move is a drag
constexpr float kSplitReach = 6.0f;
constexpr float kOrbitDegrees = 0.3f;  // per screen coordinate
constexpr float kFocusReach = 12.0f;

bool onFocusPoint(const Session& session, glm::vec2 at, glm::vec2 size) {
  if (!showsFocusPoint(session)) return false;
  const glm::vec2 point = pointOf(session, *session.focus.point);
  return glm::distance(at, glm::vec2(point.x, 1.0f - point.y) * size) <= kFocusReach;
}

}  // namespace

bool ImageMouse::onSplit(const Session& session, glm::vec2 at, glm::vec2 size) const {
  return drag_ == Drag::split || (drag_ == Drag::none && session.settings.split.enabled &&
                                  std::abs(at.x - session.shownSplit() * size.x) <= kSplitReach);
}

void ImageMouse::press(Session& session, MouseButton button, const Held& held, glm::vec2 at, glm::vec2 size) {
  if (drag_ != Drag::none) return;
  if (session.zoom.active() &&
      (button == MouseButton::middle || (button == MouseButton::left && held.space && spaceIsFree(session))))
    drag_ = Drag::image;
  else if (button != MouseButton::left || held.shift)
    drag_ = Drag::pan;
  else if (session.brush.kind && showsPhoto(session.settings))
    drag_ = Drag::brush;
  else
    drag_ = onSplit(session, at, size) ? Drag::split : onFocusPoint(session, at, size) ? Drag::focusPoint : Drag::click;
  button_ = button;
  start_ = last_ = at;
  if (drag_ != Drag::brush) return;
  DepthTool& brush = session.brush;
  brush.places = {placeAt(session, {at.x / size.x, 1.0f - at.y / size.y})};
  brush.begins = true;
  brush.ends = false;
}

void ImageMouse::move(Session& session, glm::vec2 at, glm::vec2 size) {
  const auto delta = at - last_;
  last_ = at;
  if (drag_ == Drag::click && glm::distance(at, start_) > kClickRadius)
    drag_ = session.zoom.active() && !canTurnCamera(session) ? Drag::image : Drag::orbit;
  auto& settings = session.settings;
  const bool pans = drag_ == Drag::pan && checkCameraMoves(session, "pan");
  if (drag_ == Drag::orbit && checkCameraTurns(session))
    orbit(settings.camera, -kOrbitDegrees * delta.x, kOrbitDegrees * delta.y);
  if (pans) pan(settings.camera, glm::vec2(delta.x, -delta.y) / (session.zoom.scale * size.y));
  if (drag_ == Drag::image) panImage(session, glm::vec2(delta.x, -delta.y) / size);
  if (drag_ == Drag::focusPoint) focus(session, {at.x / size.x, 1.0f - at.y / size.y});
  if (drag_ == Drag::brush) session.brush.places.push_back(placeAt(session, {at.x / size.x, 1.0f - at.y / size.y}));
  if (drag_ == Drag::split) settings.split.position = std::clamp(at.x / size.x, session.visible.left, 1.0f);
}

void ImageMouse::release(Session& session, MouseButton button, glm::vec2 size) {
  if (button != button_) return;
  const bool moved = glm::distance(last_, start_) > 0.0f;  // the focus point has followed the mouse
  if (drag_ == Drag::click || (drag_ == Drag::focusPoint && !moved))
    focus(session, {start_.x / size.x, 1.0f - start_.y / size.y});
  if (drag_ == Drag::brush) session.brush.ends = true;
  drag_ = Drag::none;
}

void ImageMouse::focus(Session& session, glm::vec2 at) {
  const SplitSettings& split = session.settings.split;
  session.markFocus(at);
  if (session.focus.sharpPlaces || (split.enabled && split.ownLens && at.x > session.shownSplit()))
    return session.focus.measuredAt.push_back(at);
  LensSettings& lens = session.settings.lens;
  const glm::vec2 place = placeAt(session, at);
  const bool inside = place == glm::clamp(place, 0.0f, 1.0f);
  if (lens.autofocus && lens.autofocusOn != AutofocusOn::centre && inside) {
    lens.autofocusX = place.x;
    lens.autofocusY = 1.0f - place.y;
    if (session.inputFrames > 0)
      trackInFilm(lens, inputFrame(session), {lens.autofocusX, lens.autofocusY});
    else if (tracksPoint(session))
      session.focus.at = at;
    return;
  }
  session.focus.at = at;
  lens.autofocus = false;
  session.focus.point.reset();
  if (inside) session.focus.point = place;
  session.focus.pointM = 0.0f;
}

void ImageMouse::scroll(Session& session, float steps, const Held& held) {
  if (held.alt || (held.control && !canMoveCamera(session))) {
    zoomSteps_ += steps;
    const float whole = std::trunc(zoomSteps_);
    zoomSteps_ -= whole;
    if (whole != 0.0f) stepZoom(session, static_cast<int>(whole), session.input.mouseAt);
  } else if (held.control) {
    zoom(session.settings.camera, steps);
  } else if (DepthTool& brush = session.brush; brush.kind && showsPhoto(session.settings)) {
    brush.radius = std::clamp(brush.radius * std::pow(1.2f, steps), DepthTool::kMin, DepthTool::kMax);
  } else {
    moveFocus(session.settings.lens, held.shift ? kFineFocus * steps : steps);
  }
}

}  // namespace satdof
