#pragma once
#include <glm/gtc/type_precision.hpp>
#include <vector>

#include "app/render/renderer.h"

namespace satdof::test {

// Settings of an image that is drawn fast: three teapots at 96 x 54 pixels, one sample a pixel.
inline Settings smallTeapots() {
  Settings settings;
  settings.size = {96, 54};
  settings.scene.teapots.count = 3;
  settings.scene.samples = 1;
  return settings;
}

// Presents the renderer's image in `size` pixels. Returns RGBA bytes, bottom row first.
inline std::vector<glm::u8vec4> presented(Renderer& renderer, glm::ivec2 size, const Settings& settings,
                                          Timings& timings) {
  const gl::Texture target(GL_RGBA8, size);
  const gl::Framebuffer framebuffer(target);
  renderer.present(framebuffer.name(), size, settings, timings);
  std::vector<glm::u8vec4> texels(static_cast<std::size_t>(size.x * size.y));
  glGetTextureImage(target.name(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(texels.size() * 4),
                    texels.data());
  return texels;
}

}  // namespace satdof::test
