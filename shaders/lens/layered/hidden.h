#pragma once
#include "shaders/lens/near_scatter.h"

namespace satdof::glsl {
#include "shaders/lens/layered/hidden.glsl"
}  // namespace satdof::glsl
