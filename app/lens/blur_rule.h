#pragma once
#include "app/gl/program.h"
#include "app/scene/scene_frame.h"
#include "app/settings.h"

namespace satdof {

// How a lens turns depth into a signed radius, for programs that include shaders/blur_rule.glsl.
struct BlurRule {
  const char* define;  // the value of BLUR_RULE
  float (*largestRadiusPx)(const LensSettings& lens, const SceneFrame& scene);
  void (*setUniforms)(const gl::Program& program, const LensSettings& lens, const SceneFrame& scene);
};

// The thin lens: R = K (1 - S/z).
extern const BlurRule kThinLensRule;
// GPU Gems 3, 39.3.2: linear in distance, up to gemsMaxRadiusPx at gemsFocusRangeM from the focus plane.
extern const BlurRule kLinearRule;

}  // namespace satdof
