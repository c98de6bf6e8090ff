#pragma once
#include <cstddef>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "shaders/bokeh/bokeh.h"

namespace satdof {

// Replaces `sprites` by the bokeh sprites of an image, far to near, at equal depth by row, then column of
// their first pixels. Beyond `capacity` the topmost rows are dropped. `colour` (linear light) and `depth`
// (nearM / z) have size.x * size.y pixels, row 0 at the bottom; otherwise throws std::runtime_error. Cost: n
// reads, up to 256 more for each highlight, k log k comparisons for k sprites.
void collectBokehSprites(std::span<const glm::vec4> colour, std::span<const float> depth, glm::ivec2 size,
                         const BokehRule& rule, std::size_t capacity, std::vector<BokehSprite>& sprites);

}  // namespace satdof
