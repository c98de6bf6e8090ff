#pragma once
#include "shaders/lens/thin_lens.h"
#include "shaders/sat/box_sum.h"

namespace satdof::glsl {
#include "shaders/lens/tent/tent.glsl"
}  // namespace satdof::glsl
