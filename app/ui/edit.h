#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "app/render/why_not.h"
#include "app/scene/registry.h"
#include "app/ui/session.h"

// Edits of the settings by keys and mouse. Needs no window.
namespace satdof {

// Clamps every number to its range in app/core/fields.h.
void clampToRanges(Settings& settings);

// Turns the camera around its target.
void orbit(CameraSettings& camera, float yawDegrees, float pitchDegrees);

// Moves the camera and its target. The image at the target's distance moves right and up by `fraction` of the
// image's height.
void pan(CameraSettings& camera, glm::vec2 fraction);

// Divides the camera distance by 1.1 for each step.
void zoom(CameraSettings& camera, float steps);

// Moves the focus away from the camera by 0.02 diopters for each step and stops the autofocus. Equal steps in
// diopters change the blur by equal amounts.
void moveFocus(LensSettings& lens, float steps);
constexpr float kFineFocus = 0.1f;  // of a step, with Shift

// The standard f-number, in third stops, nearest to `fNumber` in stops.
float nearestFNumber(float fNumber);
// Moves to the next standard f-number (1, 1.1, 1.2, 1.4, ...) for each step, within the range of the field.
void moveFNumber(LensSettings& lens, int steps);

// Raises a camera that went below the floor, y = 0, to just above it. A camera that was below may stay there.
void keepAboveFloor(CameraSettings& camera, const CameraSettings& before);

// Whether the camera can leave its place in the scene. If not, keys and mouse of its distance zoom the image.
bool cameraMoves(const Session& session);

// Whether the autofocus follows a point of an object, or of a film of images, which a click on the image chooses.
bool tracksPoint(const Session& session);
// Tracks what a film of images shows in a frame, from 0 on, at a place, from the top left.
void trackInFilm(LensSettings& lens, int frame, glm::vec2 at);
// Whether the focus point of a photograph is shown: the focus is still the one that was set there.
bool showsFocusPoint(const Session& session);
// Whether the Space key neither pauses nor resumes anything.
bool spaceIsFree(const Session& session);
// Whether the camera can leave its place in the scene; else says why there is no `action`.
bool viewpointMoves(Session& session, const char* action);

// Whether the camera cannot turn.
bool standsStill(const Session& session);
// Whether the camera can turn in the scene; else says why not.
bool viewpointTurns(Session& session);

// Returns what a value is called in the window: for all but views, the value of its option.
template <class E>
const char* shownName(E value) {
  return name(value);
}
const char* shownName(View value);

// Returns the shown name and the summary of a value; the name once, if the summary begins with it.
template <class E>
std::string described(E value) {
  const auto isOf = [&](const auto& entry) { return entry.value == value; };
  const std::string start = shownName(value) + std::string(": ");
  const std::string_view summary = std::ranges::find_if(entries(value), isOf)->summary;
  return start + std::string(summary.starts_with(start) ? summary.substr(start.size()) : summary);
}

// Whether a ready-made preset has this name, whatever the case of its letters.
bool isReadyMade(std::string_view name);

// Chooses no preset if the chosen one is neither ready-made nor an own preset.
void forgetMissingPreset(Session& session);

// Replaces by `auto` what cannot be drawn with the rest of the settings. Returns what and why as one line; empty if
// nothing was replaced. Needs a current context.
std::string replaceImpossible(Settings& settings);

// Returns the lens that blurs the near field in a layer of its own, if `lens` lets the outlines of near objects show
// through their blur instead. Needs a current context.
std::optional<LensKind> betterForNearObjects(LensKind lens);

// If both sides of the split would show the same at rest, B gets another lens model, or beside a photograph another f-number. Needs a
// current context.
void makeSidesDiffer(Settings& settings);

// Moves the split line to the middle of the visible image if nobody has moved it, or if it leaves a side out of sight.
void placeSplit(Session& session);

// The name of captures, before their number: the typed one, else after the photograph or film that is shown.
std::string captureName(const Session& session);
// "photo-refocused", of photo.jpg.
std::string refocusedName(const std::filesystem::path& photograph);

// Call when the split is switched on: B is another technique, and both sides are seen. Needs a current context.
void startComparison(Session& session);

// Answers a click of Session::measuredAt by the distance of the surface there. One of three that shall be sharp: the third one tilts
// the lens, or says why not. Else side B, with a lens of its own, focuses on it.
void useDistance(Session& session, glm::vec2 at, float distanceM);

// Side A had this focus before: side B, if it is shown with a lens of its own, follows unless it has another focus.
void followFocus(Settings& settings, float focusOfA);

// Call after the mask of the filter was `before` and is edited: puts it back, and reports why, if it cannot be read.
void keepReadableMask(Session& session, const MaskName& before);

// Exchanges the techniques of A and B.
void swapSides(Session& session);

// Starts to record a sequence, as a video if that is wanted and possible; or stops.
void toggleRecording(Session& session);

// Places the default camera, with its target in the middle of the visible image.
void resetCamera(Session& session);

// Whether the panel of a scene shows the field `path`: a field of this scene, or one of another scene that it reads.
bool showsControl(const SceneRow& scene, std::string_view path);

LeftScene leftScene(const Settings& settings);

// Call in every frame: keeps the camera and the lens of the scene that is shown, for placeCamera().
void rememberCamera(Session& session);

// Call when another scene has been chosen: gives it camera, focus distance and focal length as it was left. The first
// time, it gets the default ones, in the middle of the visible image of a session, and frames its file. Returns whether
// the scene was left before.
bool placeCamera(Settings& settings, const Preferences& preferences);
void placeCamera(Session& session);

// Camera bookmarks: store the camera, or return to it and say so.
void storeBookmark(Session& session, size_t index);
void useBookmark(Session& session, size_t index);

// Selects the next entry of a field that it can have, `automatic`, too, in the order of entries(); or with a `step` of -1,
// the one before. Needs a current context.
template <class E>
void cycle(const Settings& settings, std::string_view path, E& value, std::ptrdiff_t step = 1) {
  const auto all = entries(value);
  auto at = std::ranges::find_if(all, [&](const auto& entry) { return entry.value == value; });
  for (size_t tried = 0; tried < all.size(); ++tried) {
    at = all.begin() + (at - all.begin() + step + std::ssize(all)) % std::ssize(all);
    if (!whyNot(settings, path, at->value).empty()) continue;
    value = at->value;
    return;
  }
}

}  // namespace satdof
