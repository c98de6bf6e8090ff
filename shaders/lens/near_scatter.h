#pragma once
#include "shaders/common/random.h"
#include "shaders/lens/staircase.h"
#include "shaders/lens/thin_lens.h"

namespace satdof {

namespace glsl {
#include "shaders/lens/near_scatter.glsl"
}  // namespace glsl

// Which pixels the near scatter takes and how far it scatters their light, see
// shaders/lens/near_scatter.glsl.
struct ScatterRule {
  ThinLens lens;
  int steps = 3;          // of the staircase disc, 1 to 5
  float widestPx = 0.0f;  // largest expected near radius; larger ones are correct, but may be slower
  float fromPx = glsl::kNearFromPx, rise = glsl::kNearRise;  // of scatteredPart()
  bool operator==(const ScatterRule&) const = default;
};

}  // namespace satdof
