#pragma once
#include "shaders/common/glsl.h"

namespace satdof::glsl {
#include "shaders/common/luminance.glsl"
}  // namespace satdof::glsl
