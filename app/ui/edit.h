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

// Edits of the settings by keys, mouse and panels. Needs no window.
namespace satdof {

// Turns the camera around its target; it stays above the floor.
void orbit(CameraSettings& camera, float yawDegrees, float pitchDegrees);

// Moves the camera and its target such that the image at the distance of the target moves right and up by `fraction` of
// its height.
void pan(CameraSettings& camera, glm::vec2 fraction);

// Divides the camera distance by 1.1 for each step.
void zoom(CameraSettings& camera, float steps);

// Moves the focus away from the camera by 0.02 diopters for each step, and ends the autofocus. Equal steps in diopters
// change the blur by equal amounts.
void moveFocus(LensSettings& lens, float steps);
constexpr float kFineFocus = 0.1f;  // a step with Shift, in steps

// Returns the standard f-number, in third stops, that is nearest to `fNumber` in stops.
float nearestFNumber(float fNumber);
// Moves to the next standard f-number (1, 1.1, 1.2, 1.4, ...) for each step, within the range of the field.
void moveFNumber(LensSettings& lens, int steps);

// Raises a camera that went below the floor, y = 0, to just above it. A camera that was below the floor `before` may
// stay there.
void keepAboveFloor(CameraSettings& camera, const CameraSettings& before);

// Whether the scene can be seen from other viewpoints. If not, keys and mouse wheel for the camera distance zoom the
// image.
bool canMoveCamera(const Session& session);
// The same; if not, says why `action` is not possible.
bool checkCameraMoves(Session& session, const char* action);

// Whether the camera can turn: a photograph without parallax stands still.
bool canTurnCamera(const Session& session);
// The same; if not, says why.
bool checkCameraTurns(Session& session);

// Whether the autofocus tracks a point, which a click on the image chooses: of an object, or of a film of images.
bool tracksPoint(const Session& session);
// Whether to show the focus point of a photograph: the focus is still the one that was set there.
bool showsFocusPoint(const Session& session);
// Whether the Space key is free for dragging the image: there is nothing to pause or resume.
bool spaceIsFree(const Session& session);

// Returns the name of a value in the window: the title of a view, else the value of the option.
template <class E>
const char* shownName(E value) {
  return name(value);
}
const char* shownName(View value);

// Returns "name: summary" of a value; the summary alone if it begins with the name.
template <class E>
std::string described(E value) {
  const auto isOf = [&](const auto& entry) { return entry.value == value; };
  const std::string start = shownName(value) + std::string(": ");
  const std::string_view summary = std::ranges::find_if(entries(value), isOf)->summary;
  return start + std::string(summary.starts_with(start) ? summary.substr(start.size()) : summary);
}

// Whether a ready-made preset has this name, ignoring case.
bool isReadyMade(std::string_view name);

// Forgets the chosen preset if it is neither ready-made nor one of the user's presets.
void forgetMissingPreset(Session& session);

// Replaces by `auto` each value that the other settings make impossible. Returns a line with the reason for each; empty
// if nothing was replaced. Needs a current context.
std::string replaceImpossible(Settings& settings);

// Returns a lens that blurs near objects in a layer of their own; none if `lens` does so, or samples the aperture. With
// other lenses, sharp outlines of near objects show through their blur. Needs a current context.
std::optional<LensKind> betterForNearObjects(LensKind lens);

// If both sides of the split would show the same image at rest, changes B: another lens model, or for a photograph a
// lens of its own, with another f-number. Needs a current context.
void makeSidesDiffer(Settings& settings);

// Moves the split line to the middle of the visible image if it was never moved, or if a side would be out of sight.
void placeSplit(Session& session);

// Returns the name of captures before their number: the typed name, else the name of the shown photograph or film.
std::string captureName(const Session& session);
// Returns "photo-refocused" for photo.jpg.
std::string refocusedName(const std::filesystem::path& photograph);

// Call when the split is switched on. Makes the sides differ and the split line visible. Needs a current context.
void startComparison(Session& session);

// Uses the distance of the surface at `at`, a click of FocusTools::measuredAt: as one of three places to be sharp, of
// which the third tilts the lens, or says why not; else as the focus of side B, which has a lens of its own.
void useDistance(Session& session, glm::vec2 at, float distanceM);

// Call after an edit of the focus of side A, which was `focusBefore`. If side B has a lens of its own and had the same
// focus, B follows, also while it is not shown: another photograph has another focus.
void followFocus(Settings& settings, float focusBefore);

// Call after an edit of the filter mask, which was `before`. Restores and reports a mask that cannot be read.
void keepReadableMask(Session& session, const MaskName& before);

// Exchanges the techniques of A and B, and their lens settings if B has its own.
void swapSides(Session& session);

// Starts to record a sequence, as a video if chosen and possible; or stops.
void toggleRecording(Session& session);

// Places the default camera, with its target in the middle of the visible image.
void resetCamera(Session& session);

// Whether the panel of a scene shows the field: a field of the scene, or a field of another scene that it also reads.
bool showsControl(const SceneRow& scene, std::string_view path);

// Returns camera and lens of the current scene, for Preferences::leftScenes.
LeftScene leftScene(const Settings& settings);

// Call in every frame. Remembers camera and lens of the current scene for placeCamera().
void rememberCamera(Session& session);

// Call when another scene has been chosen. Restores camera, focus distance and focal length that the scene was left
// with. A scene that is shown for the first time gets the default ones, and frames its file. Returns whether the scene
// was shown before.
bool placeCamera(Settings& settings, const Preferences& preferences);
// The same; the camera of a new scene is centred in the visible image.
void placeCamera(Session& session);

// Camera bookmarks: store the camera, or go to it. Both say so.
void storeBookmark(Session& session, std::size_t index);
void useBookmark(Session& session, std::size_t index);

// Selects the next possible entry of a field, in the order of entries(), including `automatic`; with a `step` of -1,
// the previous one. Needs a current context.
template <class E>
void cycle(const Settings& settings, std::string_view path, E& value, std::ptrdiff_t step = 1) {
  const auto all = entries(value);
  auto at = std::ranges::find_if(all, [&](const auto& entry) { return entry.value == value; });
  for (std::size_t tried = 0; tried < all.size(); ++tried) {
    at = all.begin() + (at - all.begin() + step + std::ssize(all)) % std::ssize(all);
    if (!whyNot(settings, path, at->value).empty()) continue;
    value = at->value;
    return;
  }
}

}  // namespace satdof
