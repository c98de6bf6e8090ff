#pragma once
#include <array>
#include <glm/vec2.hpp>
#include <optional>
#include <string>

#include "app/gl/async_readback.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/lens/lens.h"

namespace satdof {

struct FootprintInputs {
  const SceneFrame& scene;
  const LensSettings& settings;
  const LensRow& lens;
  bool repeats = false;  // the image has not changed since the last call
};

// The footprint view: outlines the blur kernel of one pixel. The kernel of the box and gems lenses is a box, of the
// tent lens a tent, of the other lenses a staircase disc. The numbers of the kernel are read back some frames later,
// without waiting.
class FootprintView {
 public:
  FootprintView();
  // Draws the sharp image with the outline of the kernel at the pixel `at` into `output`, and requests the numbers of
  // the kernel. `blurred`: the image of the lens; may be the texture of `output`.
  void draw(const FootprintInputs& inputs, glm::ivec2 at, const gl::Texture& blurred, const gl::Framebuffer& output);
  // Returns lines with the diameter of the circle of confusion (negative in front of the focus plane), shape and
  // look-ups, area, and blurred colour of the pixel. Empty until the first numbers have arrived.
  std::string text() const;
  // Whether text() describes another pixel or image than the last draw(): a later draw() brings the numbers.
  bool pending() const { return reads_.inFlight() > 0 || requested_ != at_; }

 private:
  gl::Program program_;
  // Parameters of shaders/views/footprint.frag.
  struct alignas(16) Cursor {
    glm::ivec2 at{0};
    int shape = 0, steps = 1;
    int reading = 0;
  };
  gl::ParameterBlock radius_{sizeof(RadiusRule)}, cursor_{sizeof(Cursor)};
  gl::Texture numbers_;
  gl::Framebuffer framebuffer_;
  std::array<float, 8> reading_{};  // output of shaders/views/footprint.frag: two texels
  AsyncReadback reads_;
  bool arrived_ = false;
  glm::ivec2 at_{0};                     // pixel of the last draw()
  std::optional<glm::ivec2> requested_;  // pixel of the last request for this image
  Footprint shape_ = Footprint::box;
  int steps_ = 1;
};

}  // namespace satdof
