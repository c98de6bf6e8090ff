#pragma once
#include <glm/vec2.hpp>

#include "app/core/settings.h"
#include "app/scene/scene_frame.h"
#include "shaders/lens/thin_lens.h"

namespace satdof {

// The thin lens of `lens` for images `heightPx` high and depths nearM / z: beta = K, alpha = -K S / nearM,
// K = f^2 heightPx / (2 N (S - f) h_sensor), for focus distance S, focal length f, f-number N and sensor
// height h_sensor. A focus distance at or below the focal length is moved just beyond it.
ThinLens thinLens(const LensSettings& lens, int heightPx, float nearM);

// Signed radius in pixels, before the near and far scale.
inline float radiusPx(const ThinLens& lens, float depth) { return lens.alpha * depth + lens.beta; }

// The largest |R|, before the scales, that geometry between nearestM and infinity can have.
float largestRadiusPx(const ThinLens& lens, const SceneFrame& scene);

// Half-width in pixels of the square with the area of the disc of radius |radiusPx|, boxHalfWidth() in
// shaders/lens/thin_lens.glsl.
float boxHalfWidthPx(float radiusPx);

// Where uint32 tables clip linear light: 64 as long as a step of 2^-12 fits beside it, less for wider boxes,
// never below 4. A step of 2^-12 errs by at most 0.4 of an 8-bit sRGB step in black. Continuous in
// halfWidthPx, so that lamps do not flicker as the focus moves. Boxes are `anamorphicRatio` times as wide as
// high.
float fixedPointCeiling(float halfWidthPx, glm::ivec2 size, float anamorphicRatio = 1.0f);

// The largest power of two `scale` such that (scale * ceiling + 1/2) * area < 2^32 and scale * ceiling <=
// 2^23, where area is that of the largest box of half-height `halfWidthPx` (2 ceil(halfWidthPx) + 3 high, (2
// ceil(halfWidthPx) + 2) anamorphicRatio + 1 wide) clamped to the image.
float fixedPointScale(float halfWidthPx, glm::ivec2 size, float ceiling, float anamorphicRatio = 1.0f);

}  // namespace satdof
