#pragma once
#include <glm/vec2.hpp>

#include "app/core/settings.h"
#include "app/scene/scene_frame.h"

namespace satdof {

// Signed circle-of-confusion radius in pixels, positive behind the focus plane, for depth d = nearM / z as in
// SceneFrame::depth: R = K (1 - S/z) = alpha d + beta with beta = K, alpha = -K S / nearM,
// K = f^2 heightPx / (2 N (S - f) h_sensor).
struct CircleOfConfusion {
  float alpha = 0.0f;
  float beta = 0.0f;
  float radiusPx(float depth) const { return alpha * depth + beta; }
};

// `heightPx` is the image's height. A focus distance at or below the focal length is moved just beyond it.
CircleOfConfusion circleOfConfusion(const LensSettings& lens, int heightPx, float nearM);

// The largest |R| that geometry between nearestM and infinity can have.
float largestRadiusPx(const CircleOfConfusion& coc, const SceneFrame& scene);

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
