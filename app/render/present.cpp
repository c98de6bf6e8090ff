#include "app/render/present.h"

#include <cmath>

#include "app/device/gl/uniforms.h"

namespace satdof {

void PresentPass::draw(const gl::Texture& image, GLuint framebuffer, glm::ivec2 size,
                       const Display& display) const {
  program_.set("targetSize", glm::vec2(size));
  program_.set("exposure", std::exp2(display.exposureStops));
  program_.set("toneMapLeft", static_cast<int>(display.toneMapLeft));
  program_.set("toneMapRight", static_cast<int>(display.toneMapRight));
  program_.set("splitLine", display.splitLine);
  setLook(program_, display.look);
  const glm::vec2 scale = glm::vec2(size) / glm::vec2(image.size());
  program_.set("shownFrom", glm::vec2(display.look.shownFrom) * scale);
  program_.set("shownTo", glm::vec2(display.look.shownTo) * scale);
  const GLint filter = size == image.size() ? GL_NEAREST : GL_LINEAR;
  glTextureParameteri(image.name(), GL_TEXTURE_MIN_FILTER, filter);
  glTextureParameteri(image.name(), GL_TEXTURE_MAG_FILTER, filter);
  program_.set("weight", display.fade.under == nullptr ? 1.0f : display.fade.weight);
  (display.fade.under == nullptr ? image : *display.fade.under).bind(1);
  program_.set("divides", static_cast<int>(display.opacity != nullptr));
  if (display.opacity != nullptr) display.opacity->bind(2);
  image.bind(0);
  program_.use();
  gl::drawFullScreen(framebuffer, size);
}

}  // namespace satdof
