#pragma once
#include "shaders/common/glsl.h"

namespace satdof::glsl {
#include "shaders/lens/staircase.glsl"
}  // namespace satdof::glsl
