#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

#include "app/core/system/loading.h"
#include "app/scene/image/depth_map.h"

namespace satdof {

// The estimated layer behind the surfaces of an image, at half the size of the image, rounded up; bottom row first. It
// continues one pixel beyond the edges of surfaces, where lenses, sensors, scaling and JPEG mix the colours of both.
struct HiddenLayer {
  glm::ivec2 size{0};
  std::vector<std::uint16_t> rgba;  // half floats; alpha: depth of the surface in front, or 0 where nothing is known
  std::vector<float> depth;  // nearM / z, at most (1 - glsl::kSeparation) times the depth of the surface in front
  std::vector<std::uint8_t> mixed;  // 255 where a texel of the image belongs to this layer, else 0
};

// Fills the layer from unmixed pixels around (push-pull): builds a pyramid whose cells keep their
// farthest surface; each texel takes the finest level with a surface behind the image.
// Bright texels have less weight, because lamps are small. O(pixels). Throws LoadCancelled.
HiddenLayer hiddenLayer(const Picture& picture, const DepthMap& map, ThreadPool& threads,
                        const LoadProgress& progress = LoadProgress());

}  // namespace satdof
