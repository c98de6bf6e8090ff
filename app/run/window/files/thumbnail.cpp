#include "app/run/window/files/thumbnail.h"

namespace satdof {

unsigned Thumbnail::draw(Renderer& renderer, const Settings& small, bool loading, Timings& timings) {
  if (shows(small, loading)) return texture_.name();
  const glm::ivec2 size = small.size;
  if (texture_.size() != size) {
    last_ = std::exchange(texture_, gl::Texture(GL_RGBA8, size));
    framebuffer_ = gl::Framebuffer(texture_);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
      glTextureParameteri(texture_.name(), filter, GL_LINEAR);
  }
  renderer.render(small, {.timeS = small.scene.timeS, .focusAt = {}, .live = true}, timings);
  renderer.present(framebuffer_.name(), size, small, timings);
  drawn_ = std::pair(small, loading);
  return texture_.name();
}

}  // namespace satdof
