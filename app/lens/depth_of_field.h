#pragma once
#include <string>

#include "app/core/settings.h"

namespace satdof {

// The range in front of the camera that looks sharp.
struct DepthOfField {
  float confusionMm;  // largest circle of confusion on the sensor that counts as sharp: its diagonal / 1500
  float hyperfocalM;  // focus here: sharp to infinity
  float nearM, farM;  // farM may be infinity
};

// Returns the depth of field. Circle of confusion c: the diagonal of a 3:2 sensor of this height / 1500. Hyperfocal
// distance H = f^2 / (N c) + f. For the focus distance s: near = s (H - f) / (H + s - 2 f), far = s (H - f) / (H - s),
// infinity for s >= H. Source: S. Ray, Applied Photographic Optics, 2002.
DepthOfField depthOfField(const LensSettings& lens);

// Returns the diameter in millimetres of the circle of confusion on the sensor for a point at `distanceM`, which may be
// infinity.
float confusionMm(const LensSettings& lens, float distanceM);

// Returns a diameter in millimetres in plain form: "0.808 mm", "12.3 mm" or "< 0.001 mm".
std::string millimetresText(float millimetres);

// Returns the diameter of the circle of confusion, see confusionMm(), on the sensor and in an image of this height:
// "0.808 mm, 24.2 px".
std::string confusionText(const LensSettings& lens, float distanceM, int heightPx);

constexpr float kNearestFocusM = 0.25f;  // nearest focus of slider and wheel
constexpr float kInfinityM = 9999.0f;    // distances from here on are shown as infinity

// Converts a focus distance to a position, 0 (kNearestFocusM) to 1 (infinity), linear in diopters; and back.
float focusPosition(float distanceM);
float focusAtPosition(float position);

// Returns "1.70 m", "0.250 m" or "infinity".
std::string distanceText(float distanceM);

// Converts a focal length to a vertical field of view, and back.
float fieldOfViewDegrees(float focalLengthMm, float sensorHeightMm);
float focalLengthMm(float fieldOfViewDegrees, float sensorHeightMm);

// Call after an edit of `settings`. If field of view and focal length are linked, updates the one that was not edited.
void linkFieldOfView(const Settings& before, Settings& settings);

}  // namespace satdof
