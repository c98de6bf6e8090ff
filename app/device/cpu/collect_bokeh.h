#pragma once
#include <cstddef>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "shaders/bokeh/bokeh.h"

namespace satdof {

// Replaces `sprites` by those of an image, far to near, those of one depth by row, then column of their
// first pixels; beyond `capacity` the topmost rows are left out. The same as cuda::BokehCollector, on the
// processor. `colour` (linear light) and `depth` (nearM / z) hold size.x * size.y pixels, row 0 at the
// bottom: n reads, up to 256 more for each highlight, then k log k comparisons for k sprites. Throws
// std::runtime_error when they do not.
void collectBokehSprites(std::span<const glm::vec4> colour, std::span<const float> depth, glm::ivec2 size,
                         const BokehRule& rule, std::size_t capacity, std::vector<BokehSprite>& sprites);

}  // namespace satdof
