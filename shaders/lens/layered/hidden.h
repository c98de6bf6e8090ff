#pragma once
#include "shaders/lens/layered/fill.h"

namespace satdof::glsl {
#include "shaders/lens/layered/hidden.glsl"
}  // namespace satdof::glsl
