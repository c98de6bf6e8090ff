#pragma once
#include <memory>

#include "app/lens/blur_rule.h"
#include "app/lens/graph.h"

namespace satdof {

class CpuBlur;  // app/lens/run/cpu_graph.h

// Parameters of one frame of the box lens.
struct BoxPlan {
  RadiusRule blur;
  float ceiling = 1.0f;  // the table clips linear light at this value
  float scale = 1.0f;    // fixed-point units of linear light 1; see app/lens/fixed_point.h
};

// The plan of a frame.
BoxPlan boxPlan(const BlurRule& rule, const LensSettings& lens, const SceneFacts& scene);

// The graph of the box lens: replaces every pixel by the mean over a box (shaders/lens/box/box.glsl). The box has the
// area of the circle of confusion and is clamped to the image. Cost: eight look-ups in one table a pixel at any radius.
// With LensOn::cudaDirect or cudaSeparable, sums without a table (Convolution).
LensGraph boxGraph(const BlurRule& rule, const Technique& technique, const LensFacts& facts);
// The box lens in main memory.
std::unique_ptr<CpuBlur> makeCpuBoxBlur(const Technique& technique, const BlurRule& rule, int threads);

}  // namespace satdof
