#pragma once
#include <array>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "app/core/settings.h"

// The point that the autofocus tracks: a place on an object of the scene, or in a frame of a film.
namespace satdof {

// Whether the autofocus tracks a point.
inline bool tracks(const LensSettings& lens) { return lens.autofocus && lens.autofocusOn == AutofocusOn::tracked; }

inline bool hasTrackedPoint(const LensSettings& lens) { return lens.trackedObject != 0; }
inline void forgetTrackedPoint(LensSettings& lens) { lens.trackedObject = 0; }

// In a scene: the object of the tracked point, from 0 on (TrackedPoint::object); none: no point is set.
inline std::optional<int> trackedSceneObject(const LensSettings& lens) {
  return hasTrackedPoint(lens) ? std::optional(lens.trackedObject - 1) : std::nullopt;
}
// In a film: the frame of the tracked point, from 0 on; none: no point is set.
inline std::optional<int> trackedFrame(const LensSettings& lens) { return trackedSceneObject(lens); }

// Tracks a place in the space of `object`, from 0 on.
inline void trackInScene(LensSettings& lens, int object, const glm::vec3& at) {
  lens.trackedObject = object + 1;
  lens.trackedX = at.x;
  lens.trackedY = at.y;
  lens.trackedZ = at.z;
}
// Tracks what frame `frame` (from 0 on) of a film shows at `at`, 0 to 1 from the top left.
inline void trackInFilm(LensSettings& lens, int frame, glm::vec2 at) {
  lens.trackedObject = frame + 1;
  lens.trackedX = at.x;
  lens.trackedY = at.y;
}

// If tracks() and no point is set, tracks the point that `frame`, from 0 on, shows at the place of the autofocus.
inline void beginTracking(LensSettings& lens, int frame) {
  if (tracks(lens) && !hasTrackedPoint(lens)) trackInFilm(lens, frame, {lens.autofocusX, lens.autofocusY});
}

// Copies the place of the autofocus and the tracked point of `asked`.
inline void copyFocusPoint(LensSettings& lens, const LensSettings& asked) {
  lens.autofocusX = asked.autofocusX;
  lens.autofocusY = asked.autofocusY;
  lens.trackedObject = asked.trackedObject;
  lens.trackedX = asked.trackedX;
  lens.trackedY = asked.trackedY;
}

// The tracked point of a film, as a key: the number of its frame, from 1 on (0: no point is set), and its place in this
// frame, 0 to 1 from the top left.
inline std::array<float, 3> trackedPoint(const LensSettings& lens) {
  return {static_cast<float>(lens.trackedObject), lens.trackedX, lens.trackedY};
}

}  // namespace satdof
