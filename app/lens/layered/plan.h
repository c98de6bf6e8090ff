#pragma once
#include <memory>

#include "app/core/settings.h"
#include "app/device/scene_facts.h"
#include "app/lens/graph.h"
#include "shaders/lens/layered/focus.h"
#include "shaders/lens/layered/middle.h"

namespace satdof {

class CpuBlur;  // app/lens/run/cpu_graph.h

// Parameters of one frame of the layered lens. Radii in pixels.
struct LayeredPlan {
  ThinLens lens;
  Aperture aperture;
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

// The rules of two passes. `blended`: the blended surfaces are layers of their own. `show`: see shaders/lens/layered/compose.glsl.
glsl::BackgroundRule backgroundRule(const LayeredPlan& plan, bool blended);
glsl::ComposeRule composeRule(const LayeredPlan& plan, bool blended, int show);

// Returns the plan of a frame. `canRedraw`: the scene can be drawn again, for the second layer.
LayeredPlan layeredPlan(const LensSettings& lens, const SceneFacts& scene, bool canRedraw);

// Draws the scene in layers, back to front: the far field (gathered from a table), two middle layers, the focus layer, blended
// surfaces behind the focus plane, the hidden near field, the near field, its foremost part, blended surfaces in front of the
// focus plane. All but the far field and the focus layer are scattered. docs/architecture.md describes the layers.
LensGraph layeredGraph(const LensFacts& facts);
// The same in main memory.
std::unique_ptr<CpuBlur> makeCpuLayeredBlur(int threads);

}  // namespace satdof
