#pragma once
#include "shaders/lens/aperture/aperture.h"

namespace satdof::glsl {
#include "shaders/lens/channels.glsl"
}  // namespace satdof::glsl
