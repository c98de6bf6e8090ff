#include "app/run/window/thumbnail.h"

#include <algorithm>
#include <glm/common.hpp>
#include <utility>

namespace satdof {

namespace {

constexpr float kLongestSidePx = 320.0f;

// The scene alone: no setting of the lens and of the technique changes the thumbnail.
Settings sharp(const Settings& of, float timeS) {
  Settings small;
  const glm::vec2 size(of.size);
  small.size =
      glm::max(glm::ivec2(glm::round(kLongestSidePx / std::max(size.x, size.y) * size)), glm::ivec2(1));
  small.scene = of.scene;
  small.scene.timeS = timeS;
  small.camera = of.camera;
  small.lens.overscan = Overscan::off;
  small.technique.device = DeviceId::glCompute;
  small.technique.lens.kind = LensKind::box;
  small.technique.view = View::sharp;
  small.present.exposureStops = of.present.exposureStops;
  return small;
}

}  // namespace

unsigned Thumbnail::draw(Renderer& renderer, const Settings& settings, float timeS, bool loading,
                         Timings& timings) {
  std::pair now{sharp(settings, timeS), loading};
  if (drawn_ == now) return texture_.name();
  const glm::ivec2 size = now.first.size;
  if (texture_.size() != size) {
    last_ = std::exchange(texture_, gl::Texture(GL_RGBA8, size));
    framebuffer_ = gl::Framebuffer(texture_);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
      glTextureParameteri(texture_.name(), filter, GL_LINEAR);
  }
  renderer.render(now.first, {.timeS = timeS, .focusAt = {}, .live = true}, timings);
  renderer.present(framebuffer_.name(), size, now.first, timings);
  drawn_ = std::move(now);
  return texture_.name();
}

}  // namespace satdof
