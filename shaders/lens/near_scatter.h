#pragma once
#include "shaders/lens/thin_lens.h"

namespace satdof {

// Which pixels the near scatter takes and how wide it scatters each: discs of `steps` steps (1 to 5), see
// shaders/lens/near_scatter.glsl.
struct ScatterRule {
  ThinLens lens;
  int steps = 3;
  float widestPx = 0.0f;  // largest expected near radius; wider ones are correct, but may take longer
  bool operator==(const ScatterRule&) const = default;
};

}  // namespace satdof
