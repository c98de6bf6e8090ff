#pragma once
#include <array>
#include <string>

#include "app/gl/async_readback.h"
#include "app/gl/program.h"
#include "app/lens/lens.h"

namespace satdof {

struct FootprintInputs {
  const SceneFrame& scene;
  const LensSettings& settings;
  const LensRow& lens;
};

// The view footprint: what the kernel at one pixel takes. That of box and gems is a box, that of tent a tent,
// those of the others are staircase discs. Its numbers are read frames later: nothing waits.
class FootprintView {
 public:
  FootprintView();
  // Draws the sharp image with the kernel of the pixel `at` outlined into `output`, and asks for the
  // numbers; `blurred` is what the lens has drawn, and may be the texture that `output` draws to.
  void draw(const FootprintInputs& inputs, glm::ivec2 at, const gl::Texture& blurred,
            const gl::Framebuffer& output);
  // One line: radius, shape, look-ups and the blurred image there, as far as they have arrived.
  std::string text() const;

 private:
  gl::Program thinLens_, linear_;
  gl::Texture numbers_;
  gl::Framebuffer framebuffer_;
  AsyncReadback reads_;
  std::array<float, 8> reading_{};  // the texels of shaders/views/footprint.frag
  bool arrived_ = false;
  Footprint shape_ = Footprint::box;
  int steps_ = 1;
};

}  // namespace satdof
