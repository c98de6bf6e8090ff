#pragma once

#include "app/core/settings.h"
#include "app/device/scene_facts.h"
#include "shaders/lens/thin_lens.h"

namespace satdof {

// The nearest focus distance of a lens of this focal length, in the unit of the focal length.
constexpr double nearestFocus(double focalLength) { return focalLength * 1.001; }

// Returns the thin lens for images `heightPx` high and depths nearM / z: beta = K, alpha = -K S / nearM, with
// K = f^2 heightPx / (2 N (S - f) h_sensor) for focus distance S, focal length f, f-number N and sensor height
// h_sensor. S is at least nearestFocus(f).
ThinLens thinLens(const LensSettings& lens, int heightPx, float nearM);

// Signed radius in pixels, before the near and far scale.
inline float radiusPx(const ThinLens& lens, float depth) { return lens.alpha * depth + lens.beta; }

// The largest |R| between nearestM and infinity, before the near and far scale.
float largestRadiusPx(const ThinLens& lens, const SceneFacts& scene);

}  // namespace satdof
