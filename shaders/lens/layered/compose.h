#pragma once
#include "shaders/lens/near_scatter.h"
#include "shaders/sat/box_sum.h"

namespace satdof::glsl {
#include "shaders/lens/layered/compose.glsl"
}  // namespace satdof::glsl
