#include "app/render/present.h"

#include <cmath>

namespace satdof {

void PresentPass::draw(const gl::Texture& picture, GLuint framebuffer, glm::ivec2 size,
                       const Display& display) const {
  program_.set("targetSize", glm::vec2(size));
  program_.set("exposure", std::exp2(display.exposureStops));
  program_.set("toneMapLeft", static_cast<int>(display.toneMapLeft));
  program_.set("toneMapRight", static_cast<int>(display.toneMapRight));
  program_.set("wipe", display.wipe);
  const GLint filter = size == picture.size() ? GL_NEAREST : GL_LINEAR;
  glTextureParameteri(picture.name(), GL_TEXTURE_MIN_FILTER, filter);
  glTextureParameteri(picture.name(), GL_TEXTURE_MAG_FILTER, filter);
  picture.bind(0);
  program_.use();
  gl::drawFullScreen(framebuffer, size);
}

}  // namespace satdof
