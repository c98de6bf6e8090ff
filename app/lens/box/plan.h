#pragma once
#include "app/lens/blur_rule.h"

namespace satdof {

// Parameters of one frame of the box lens.
struct BoxPlan {
  BlurValues blur;
  float ceiling = 1.0f;  // the table clips linear light at this value
  float scale = 1.0f;    // fixed-point units of linear light 1; see app/lens/fixed_point.h
};

BoxPlan boxPlan(const BlurRule& rule, const LensSettings& lens, const SceneFacts& scene);

}  // namespace satdof
