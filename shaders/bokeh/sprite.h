#pragma once
#include "shaders/lens/thin_lens.h"

namespace satdof::glsl {
#include "shaders/bokeh/depth_tiles.glsl"
#include "shaders/bokeh/reaches.glsl"
#include "shaders/bokeh/sprite.glsl"
}  // namespace satdof::glsl
