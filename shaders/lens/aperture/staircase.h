#pragma once
#include "shaders/common/glsl.h"

namespace satdof::glsl {
#include "shaders/lens/aperture/staircase.glsl"
inline constexpr int kMostSteps = 5;  // that stair() has widths for
inline constexpr int kMostRectangles = 2 * kMostSteps - 1;
}  // namespace satdof::glsl
