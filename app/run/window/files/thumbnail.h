#pragma once
#include <optional>
#include <utility>

#include "app/gl/objects.h"
#include "app/render/renderer.h"

namespace satdof {

// A small image of the scene in a texture.
class Thumbnail {
 public:
  // Whether draw() would change nothing.
  bool shows(const Settings& small, bool loading = false) const { return drawn_ == std::pair(small, loading); }
  // Draws the image unless shows(). `loading`: the scene still reads its file. Returns the name of the texture.
  unsigned draw(Renderer& renderer, const Settings& small, bool loading, Timings& timings);

 private:
  gl::Texture texture_;
  gl::Texture last_;  // of another size: panels laid out before draw() may still show it
  gl::Framebuffer framebuffer_;
  std::optional<std::pair<Settings, bool>> drawn_;
};

}  // namespace satdof
