#pragma once
#include "shaders/lens/layered/fill.h"
#include "shaders/lens/layered/focus.h"
#include "shaders/lens/layered/middle.h"
#include "shaders/sat/box_sum.h"

namespace satdof::glsl {
#include "shaders/lens/layered/compose.glsl"
}  // namespace satdof::glsl
