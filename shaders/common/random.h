#pragma once
#include "shaders/common/glsl.h"

namespace satdof::glsl {
#include "shaders/common/random.glsl"
}  // namespace satdof::glsl
