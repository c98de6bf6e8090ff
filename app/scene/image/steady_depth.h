#pragma once
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "app/core/system/thread_pool.h"

namespace satdof {

// A frame of a video: square roots of linear light, and depth (nearM / z) of the same size.
struct DepthFrame {
  glm::ivec2 size{0};
  std::vector<glm::u8vec3> colours;
  float nearM = 1.0f;
  std::vector<float> depth;
};

// Removes the flicker of estimated depth by a temporal bilateral filter: returns the mean depth of each pixel over
// `frame` and `earlier` frames of the same size, with Gaussian weights of the differences in colour (sigma = contrast)
// and in inverse distance (sigma = 1/8, relative). Moving objects keep their own depth. O(pixels * frames).
std::vector<float> steadyDepth(const DepthFrame& frame, std::span<const DepthFrame* const> earlier, float contrast,
                               ThreadPool& threads);

}  // namespace satdof
