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
  bool secondLayer = false;  // use the second layer of depth: the scene behind the nearest surfaces
  ScatterRule scatter;
  float nearPx = 0.0f;  // largest radius that is scattered
  // The foremost layer: surfaces far enough in front of the focus plane to hide the rest of the near field. Scattered
  // separately.
  bool anyForemost = false;
  ScatterRule foremost, others;  // without a foremost layer, `others` is `scatter`
  bool anyHidden = false;        // the second layer may have near surfaces
  MiddleRule middle;
  bool anyMiddle = false;
  ScatterRule middleScatter[glsl::kMiddleLayers];
  float farCeiling = 1.0f, farScale = 1.0f;  // clip value and fixed-point scale of the far table
  FocusDiscs focus;
};

// Returns the parameters of the background pass and of the compose pass. `blended`: LensFacts::blended. `show`: see
// shaders/lens/layered/compose.glsl.
glsl::BackgroundRule backgroundRule(const LayeredPlan& plan, bool blended);
glsl::ComposeRule composeRule(const LayeredPlan& plan, bool blended, int show);

// Returns the plan of a frame. `canRedraw`: the scene can be drawn again for a second layer of depth.
LayeredPlan layeredPlan(const LensSettings& lens, const SceneFacts& scene, bool canRedraw);

// The graph of the layered lens. Its layers, back to front: the far field (gathered from a table), two middle layers,
// the focus layer (gathered directly), blended surfaces behind the focus plane, the hidden near field, the near field,
// the foremost layer, blended surfaces in front of the focus plane. All other layers are scattered.
// docs/architecture.md describes them.
LensGraph layeredGraph(const LensFacts& facts);
// The layered lens in main memory.
std::unique_ptr<CpuBlur> makeCpuLayeredBlur(int threads);

}  // namespace satdof
