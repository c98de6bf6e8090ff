#pragma once
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "app/core/thread_pool.h"

namespace satdof {

// A frame of a film: colours as square roots of linear light, and the depth of the same size as nearM / z.
struct DepthFrame {
  glm::ivec2 size{0};
  std::vector<glm::u8vec3> colours;
  float nearM = 1.0f;
  std::vector<float> depth;
};

// The depth of `frame`, averaged over earlier frames of its size: of a pixel, over those whose colour differs by less than about
// `contrast` of the range, and whose inverse distance by less than about an eighth. So the flicker of estimated depth goes, and
// what moves keeps its own depth.
std::vector<float> steadyDepth(const DepthFrame& frame, std::span<const DepthFrame* const> earlier,
                               float contrast, ThreadPool& threads);

}  // namespace satdof
