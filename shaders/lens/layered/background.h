#pragma once
#include "shaders/lens/layered/fill.h"
#include "shaders/lens/layered/middle.h"

namespace satdof::glsl {
#include "shaders/lens/layered/background.glsl"
}  // namespace satdof::glsl
