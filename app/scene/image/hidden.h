#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

#include "app/scene/image/depth_map.h"
#include "app/scene/loading.h"

namespace satdof {

// What the surfaces of an image with depth hide, filled in, at half its size, rounded up; bottom row first.
struct HiddenLayer {
  glm::ivec2 size{0};
  std::vector<std::uint16_t> rgba;  // half floats: colour and 1, or 0 where nothing is known
  std::vector<float> depth;  // nearM / z, at most 1 - glsl::kSeparation of the depth of the image there
};

// Fills from a pyramid that keeps the farthest surface of a cell: a texel takes the finest level that has one behind. Bright texels
// weigh less: lamps are small. Throws LoadCancelled.
HiddenLayer hiddenLayer(const Picture& picture, const DepthMap& map, ThreadPool& threads,
                        const LoadProgress& progress = LoadProgress());

}  // namespace satdof
