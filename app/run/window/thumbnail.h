#pragma once
#include <optional>
#include <utility>

#include "app/gl/objects.h"
#include "app/render/renderer.h"

namespace satdof {

// The whole image, small and without depth of field, while the window shows a part of it.
class Thumbnail {
 public:
  // Draws it if it shows something else than the last one. `loading`: the scene still reads its file. Returns the
  // texture.
  unsigned draw(Renderer& renderer, const Settings& settings, float timeS, bool loading, Timings& timings);

 private:
  gl::Texture texture_, last_;  // the panels of this frame may show the last one
  gl::Framebuffer framebuffer_;
  std::optional<std::pair<Settings, bool>> drawn_;
};

}  // namespace satdof
