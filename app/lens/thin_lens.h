#pragma once

#include "app/core/settings.h"
#include "app/device/scene_facts.h"
#include "shaders/lens/thin_lens.h"

namespace satdof {

// The nearest distance on which a lens of this focal length can focus, in its unit.
constexpr double nearestFocus(double focalLength) { return focalLength * 1.001; }

// Returns the thin lens for images `heightPx` high and depths nearM / z: beta = K, alpha = -K S / nearM. K =
// f^2 heightPx / (2 N (S - f) h_sensor), for focus distance S, focal length f, f-number N and sensor height
// h_sensor. A focus distance at or below the focal length is moved just beyond it.
ThinLens thinLens(const LensSettings& lens, int heightPx, float nearM);

// Signed radius in pixels, before the near and far scale.
inline float radiusPx(const ThinLens& lens, float depth) { return lens.alpha * depth + lens.beta; }

// The largest |R| of geometry between nearestM and infinity, before the near and far scale.
float largestRadiusPx(const ThinLens& lens, const SceneFacts& scene);

}  // namespace satdof
