#pragma once
#include "app/core/settings.h"
#include "app/device/scene_facts.h"
#include "shaders/lens/radius_rule.h"

namespace satdof {

// How a lens computes the signed radius of the circle of confusion, in pixels, from depth.
struct BlurRule {
  bool linear;  // RadiusRule::linear of values()
  // Returns an upper bound of the absolute radius in the image.
  float (*largestRadiusPx)(const LensSettings& lens, const SceneFacts& scene);
  // Returns the parameters of shaders/lens/radius_rule.glsl.
  RadiusRule (*values)(const LensSettings& lens, const SceneFacts& scene);
};

// The thin lens, R = K (1 - S/z).
extern const BlurRule kThinLensRule;
// GPU Gems 3, 39.3.2: linear in the distance from the focus plane, full radius from gemsFocusRangeM on.
extern const BlurRule kLinearRule;

}  // namespace satdof
