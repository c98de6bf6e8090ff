#pragma once
#include "app/core/settings.h"
#include "app/scene/scene_frame.h"
#include "shaders/lens/near_scatter.h"

namespace satdof {

// What one frame of the layered lens needs to know. Radii in pixels.
struct LayeredPlan {
  ThinLens lens;
  bool anyNear = false;      // something is in front of the focus plane
  bool secondLayer = false;  // the scene behind the nearest surface is drawn
  ScatterRule scatter;
  // The fill: its largest box, where it clips linear light, the scales of colour and radius in fixed point at
  // half the resolution, and how much nearer than the focus plane a pixel may be that fills.
  int largestFillPx = 16;
  float fillCeiling = 1.0f, fillScale = 1.0f, fillRadiusScale = 1.0f, fillRangePx = 2.5f;
  // The far field's table.
  float farCeiling = 1.0f, farScale = 1.0f;
};

// `canRedraw`: the scene can be drawn again, for the second layer.
LayeredPlan layeredPlan(const LensSettings& lens, const SceneFacts& scene, bool canRedraw);

}  // namespace satdof
