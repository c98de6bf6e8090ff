#pragma once
#include "shaders/common/glsl.h"

namespace satdof::glsl {
#include "shaders/lens/scatter_rectangle.glsl"
}  // namespace satdof::glsl
