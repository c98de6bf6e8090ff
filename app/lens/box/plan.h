#pragma once
#include "app/lens/blur_rule.h"

namespace satdof {

// What one frame of the box lens needs to know.
struct BoxPlan {
  BlurValues blur;
  float ceiling = 1.0f;  // where the table clips linear light
  float scale = 1.0f;    // of fixed point; see app/lens/fixed_point.h
};

BoxPlan boxPlan(const BlurRule& rule, const LensSettings& lens, const SceneFacts& scene);

}  // namespace satdof
