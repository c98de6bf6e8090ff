#pragma once
#include "app/lens/blur_rule.h"

namespace satdof {

// What one frame of the tent lens needs to know.
struct TentPlan {
  BlurValues blur;
  int shrink = 1;        // 2: the tables are those of the image at half the size
  int widest = 1;        // tents have half-widths of up to widest + 1 cells
  float ceiling = 1.0f;  // where the tables clip linear light
  float scale = 1.0f;    // of fixed point
};

TentPlan tentPlan(const LensSettings& lens, const SceneFacts& scene);

}  // namespace satdof
