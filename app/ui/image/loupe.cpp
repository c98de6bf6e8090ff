#include "app/ui/image/loupe.h"

#include <algorithm>
#include <glm/common.hpp>

namespace satdof {

std::optional<glm::vec3> Loupe::draw(glm::ivec2 size, glm::vec2 at, int magnification) {
  if (copy_.size() != glm::ivec2(kSidePx)) {
    copy_ = gl::Texture(GL_RGBA8, glm::ivec2(kSidePx));
    framebuffer_ = gl::Framebuffer(copy_);
  }
  const int side = std::min({kSidePx / magnification, size.x, size.y});
  const glm::ivec2 pixel = glm::clamp(glm::ivec2(at * glm::vec2(size)), glm::ivec2(0), size - 1);
  const glm::ivec2 from = glm::clamp(pixel - side / 2, glm::ivec2(0), size - side);
  mark_ = (glm::vec2(pixel - from) + 0.5f) / static_cast<float>(side);
  glBlitNamedFramebuffer(0, framebuffer_.name(), from.x, from.y, from.x + side, from.y + side, 0, 0, side, side,
                         GL_COLOR_BUFFER_BIT, GL_NEAREST);
  const glm::ivec2 to(size.x - kMarginPx, kMarginPx);
  glBlitNamedFramebuffer(framebuffer_.name(), 0, 0, 0, side, side, to.x - kSidePx, to.y, to.x, to.y + kSidePx,
                         GL_COLOR_BUFFER_BIT, GL_NEAREST);
  if (const auto values = reads_.poll(); !values.empty()) colour_ = glm::vec3(values[0], values[1], values[2]);
  if (reads_.inFlight() == 0) reads_.request(copy_, pixel - from, {1, 1}, 4);
  return colour_;
}

}  // namespace satdof
