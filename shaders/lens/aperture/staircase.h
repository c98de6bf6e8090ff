#pragma once
#include "shaders/common/glsl.h"

namespace satdof::glsl {
#include "shaders/lens/aperture/staircase.glsl"
inline constexpr int kMaxSteps = 5;  // that stair() has widths for
inline constexpr int kMaxRectangles = 2 * kMaxSteps - 1;
}  // namespace satdof::glsl
