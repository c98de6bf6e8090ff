#pragma once

namespace satdof::glsl {
#include "shaders/scene/separation.glsl"
}  // namespace satdof::glsl
