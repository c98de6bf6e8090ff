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

// The footprint view: outlines the kernel of one pixel. The box and gems lenses have a box, the tent lens has
// a tent, the other lenses have a staircase disc. The numbers of the kernel are read back some frames later,
// without waiting.
class FootprintView {
 public:
  FootprintView();
  // Draws the sharp image into `output`, with the kernel of the pixel `at` outlined, and requests its
  // numbers. `blurred`: the image of the lens; may be the texture of `output`.
  void draw(const FootprintInputs& inputs, glm::ivec2 at, const gl::Texture& blurred,
            const gl::Framebuffer& output);
  // One line: diameter of the circle of confusion, negative in front of the focus plane, shape, look-ups and blurred colour
  // of the pixel. Empty until the numbers have arrived.
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
