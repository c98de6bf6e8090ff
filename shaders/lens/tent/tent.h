#pragma once
#include "shaders/lens/thin_lens.h"
#include "shaders/sat/box_sum.h"

namespace satdof::glsl {
#include "shaders/lens/tent/tent.glsl"

// Parameters of the pass that writes the cells: shaders/lens/tent/quantise.glsl. A type of its own, because the type
// selects the pass.
struct TentCellRule : TentRule {
  bool operator==(const TentCellRule&) const = default;
};
}  // namespace satdof::glsl
