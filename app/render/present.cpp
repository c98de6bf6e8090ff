#include "app/render/present.h"

#include <cmath>

namespace satdof {

void PresentPass::draw(const gl::Texture& image, GLuint framebuffer, glm::ivec2 size, const Display& display) const {
  const glm::vec2 scale = glm::vec2(size) / glm::vec2(image.size());
  presented_.bind(0, Presented{.look = toneOf(display.look),
                               .targetSize = glm::vec2(size),
                               .shownFrom = glm::vec2(display.look.shownFrom) * scale,
                               .shownTo = glm::vec2(display.look.shownTo) * scale,
                               .weight = display.fade.under == nullptr ? 1.0f : display.fade.weight,
                               .exposure = std::exp2(display.exposureStops),
                               .splitLine = display.splitLine,
                               .divides = static_cast<int>(display.opacity != nullptr),
                               .toneMapLeft = static_cast<int>(display.toneMapLeft),
                               .toneMapRight = static_cast<int>(display.toneMapRight)});
  const GLint filter = size == image.size() ? GL_NEAREST : GL_LINEAR;
  glTextureParameteri(image.name(), GL_TEXTURE_MIN_FILTER, filter);
  glTextureParameteri(image.name(), GL_TEXTURE_MAG_FILTER, filter);
  (display.fade.under == nullptr ? image : *display.fade.under).bind(1);
  if (display.opacity != nullptr) display.opacity->bind(2);
  image.bind(0);
  program_.use();
  gl::drawFullScreen(framebuffer, size);
}

}  // namespace satdof
