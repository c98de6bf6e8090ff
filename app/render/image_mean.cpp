#include "app/render/image_mean.h"

#include <glm/gtc/type_ptr.hpp>
#include <string>

namespace satdof {

ImageMean::ImageMean()
    : program_({"common/fullscreen.vert", "common/image_mean.frag"}, {{"SIDE", std::to_string(kSidePx)}}),
      cells_(GL_RGBA32F, {kSidePx, kSidePx}),
      framebuffer_(cells_),
      reads_(static_cast<std::size_t>(kSidePx) * kSidePx * 4) {}

glm::vec4 ImageMean::update(const gl::Texture& colour, bool waits) {
  const auto take = [&](std::span<const float> values) {
    if (values.empty()) return;
    glm::vec4 sum(0.0f);
    for (std::size_t i = 0; i < values.size(); i += 4) sum += glm::make_vec4(&values[i]);
    mean_ = sum / static_cast<float>(kSidePx * kSidePx);
  };
  if (waits)
    while (reads_.inFlight() > 0) reads_.wait();
  else
    take(reads_.poll());
  if (reads_.inFlight() == 0) {
    program_.use();
    colour.bind(0);
    gl::drawFullScreen(framebuffer_.name(), cells_.size());
    reads_.request(cells_, {0, 0}, cells_.size(), 4);
  }
  if (waits) take(reads_.wait());
  return mean_;
}

}  // namespace satdof
