#include "app/run/window/files/thumbnail.h"

#include <algorithm>
#include <glm/common.hpp>

namespace satdof {

Settings smallSettings(const Settings& settings, glm::ivec2 of, float sidePx) {
  Settings small = settings;
  const glm::vec2 size(of);
  small.size = glm::max(glm::ivec2(glm::round(sidePx / std::max(size.x, size.y) * size)), glm::ivec2(1));
  small.lens.overscan = Overscan::off;
  small.lens.autofocus = false;
  small.split = {};
  small.quality = {};
  small.present = {.exposureStops = settings.present.exposureStops};
  return small;
}

Settings sharpSettings(const Settings& settings, glm::ivec2 of, float sidePx) {
  Settings small = smallSettings(settings, of, sidePx);
  small.lens = {.overscan = Overscan::off};
  small.filter = {};
  small.technique = {};
  small.technique.device = DeviceId::glCompute;
  small.technique.lens.kind = LensKind::box;
  small.technique.view = View::sharp;
  return small;
}

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
