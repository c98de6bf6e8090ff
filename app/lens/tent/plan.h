#pragma once
#include "app/lens/blur_rule.h"

namespace satdof {

// Parameters of one frame of the tent lens.
struct TentPlan {
  BlurValues blur;
  int shrink = 1;        // 2: the tables sum the image at half the size
  int widest = 1;        // tents have half-widths of up to widest + 1 cells
  float ceiling = 1.0f;  // the tables clip linear light at this value
  float scale = 1.0f;    // fixed-point units of linear light 1
};

TentPlan tentPlan(const LensSettings& lens, const SceneFacts& scene);

}  // namespace satdof
