#pragma once
#include "app/core/settings.h"
#include "app/device/scene_frame.h"
#include "app/lens/lens.h"
#include "shaders/lens/layered/focus.h"
#include "shaders/lens/layered/middle.h"

namespace satdof {

// Parameters of one frame of the layered lens. Radii in pixels.
struct LayeredPlan {
  ThinLens lens;
  bool anyNear = false;      // the largest near radius is above 1/2 pixel
  bool secondLayer = false;  // draw the scene behind the nearest surface
  ScatterRule scatter;
  float nearPx = 0.0f;  // largest radius that is scattered
  // The foremost layer: surfaces so far in front of the focus plane that they cover the rest of the near field.
  bool anyForemost = false;      // scatter it apart
  ScatterRule foremost, others;  // the two parts of `scatter`
  bool anyHidden = false;        // the second layer may have near surfaces
  MiddleRule middle;
  bool anyMiddle = false;
  ScatterRule middleScatter[glsl::kMiddleLayers];
  // Clip value and fixed-point scale of the far table.
  float farCeiling = 1.0f, farScale = 1.0f;
  FocusDiscs focus;
};

// What compose() in shaders/lens/layered/compose.glsl draws for an image of the lens.
int shownLayer(LensImage image);

// Returns the plan of a frame. `canRedraw`: the scene can be drawn again, for the second layer.
LayeredPlan layeredPlan(const LensSettings& lens, const SceneFacts& scene, bool canRedraw);

}  // namespace satdof
