#pragma once
#include <cstddef>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "shaders/bokeh/bokeh.h"

namespace satdof {

// Replaces `sprites` by the bokeh sprites of an image, sorted far to near. Sprites of equal depth are in the
// order of their first pixels: by row, then by column. Drops sprites beyond `capacity`, topmost rows first.
// `colour` (linear light) and `depth` (nearM / z) have size.x * size.y pixels, row 0 at the bottom. Throws
// std::runtime_error for any other number of pixels. Cost: n reads for n pixels, up to 256 more for each
// highlight, and k log k comparisons for k sprites.
void collectBokehSprites(std::span<const glm::vec4> colour, std::span<const float> depth, glm::ivec2 size,
                         const BokehRule& rule, std::size_t capacity, std::vector<BokehSprite>& sprites);

}  // namespace satdof
