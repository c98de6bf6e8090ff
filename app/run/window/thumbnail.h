#pragma once
#include <optional>
#include <utility>

#include "app/gl/objects.h"
#include "app/render/renderer.h"

namespace satdof {

// Settings that draw the scene of others, whole, in an image with the aspect of `of`, at most `sidePx` pixels on a side.
Settings smallSettings(const Settings& settings, glm::ivec2 of, float sidePx);
// The same without depth of field: no setting of the lens and of the technique changes the image.
Settings sharpSettings(const Settings& settings, glm::ivec2 of, float sidePx);

// A small image of the scene.
class Thumbnail {
 public:
  bool shows(const Settings& small, bool loading = false) const {
    return drawn_ == std::pair(small, loading);
  }
  // Draws it if it shows something else than the last one. `loading`: the scene still reads its file. Returns the
  // texture.
  unsigned draw(Renderer& renderer, const Settings& small, bool loading, Timings& timings);

 private:
  gl::Texture texture_, last_;  // the panels of this frame may show the last one
  gl::Framebuffer framebuffer_;
  std::optional<std::pair<Settings, bool>> drawn_;
};

}  // namespace satdof
