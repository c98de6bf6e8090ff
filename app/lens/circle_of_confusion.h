#pragma once
#include <glm/vec2.hpp>

#include "app/scene/scene_frame.h"
#include "app/settings.h"

namespace satdof {

// Signed circle-of-confusion radius in pixels, positive behind the focus plane, for depth d = nearM / z as in
// SceneFrame::depth: R = K (1 - S/z) = alpha d + beta with beta = K, alpha = -K S / nearM,
// K = f^2 heightPx / (2 N (S - f) h_sensor).
struct CircleOfConfusion {
  float alpha = 0.0f;
  float beta = 0.0f;
  float radiusPx(float depth) const { return alpha * depth + beta; }
};

// `heightPx` is the picture's height. A focus distance at or below the focal length is moved just beyond it.
CircleOfConfusion circleOfConfusion(const LensSettings& lens, int heightPx, float nearM);

// The largest |R| that geometry between nearestM and infinity can have.
float largestRadiusPx(const CircleOfConfusion& coc, const SceneFrame& scene);

// The largest power of two `scale` such that scale * ceiling * area < 2^32 and scale * ceiling <= 2^23, where
// area is that of the largest box of half-width `radiusPx` (2 ceil(radius) + 3 a side) clamped to the
// picture.
float fixedPointScale(float radiusPx, glm::ivec2 size, float ceiling);

}  // namespace satdof
