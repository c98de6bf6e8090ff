#pragma once
#include "shaders/common/glsl.h"

namespace satdof::glsl {
#include "shaders/common/tone.glsl"
}  // namespace satdof::glsl
