#pragma once
#include "shaders/common/glsl.h"

namespace satdof::glsl {
#include "shaders/scene/teapots/sphere.glsl"
}  // namespace satdof::glsl
