#include "app/scene/image/steady_depth.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace satdof {

std::vector<float> steadyDepth(const DepthFrame& frame, std::span<const DepthFrame* const> earlier, float contrast,
                               ThreadPool& threads) {
  constexpr float kSameDepth = 0.125f;  // relative difference of inverse distances
  const float colourScale = 1.0f / (255.0f * contrast);
  std::vector<float> steady(frame.depth.size());
  threads.forEach(frame.size.y, [&](int y) {
    const auto width = static_cast<std::size_t>(frame.size.x), from = static_cast<std::size_t>(y) * width;
    for (std::size_t i = from; i < from + width; ++i) {
      const float own = frame.depth[i];
      const glm::vec3 colour(frame.colours[i]);
      float sum = own, total = 1.0f;
      for (const DepthFrame* const other : earlier) {
        const float there = other->depth[i] * frame.nearM / other->nearM;
        const glm::vec3 step = colourScale * (glm::vec3(other->colours[i]) - colour);
        const float deep = (there - own) / (kSameDepth * std::max({there, own, 1e-6f}));
        const float weight = std::exp(-0.5f * (step.x * step.x + step.y * step.y + step.z * step.z + deep * deep));
        sum += weight * there;
        total += weight;
      }
      steady[i] = std::min(sum / total, 1.0f);
    }
  });
  return steady;
}

}  // namespace satdof
