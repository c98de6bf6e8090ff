#pragma once
#include "app/device/gl/uniforms.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"

namespace satdof {

// Parameters of shaders/views/difference.frag.
struct Difference {
  ToneLook look;
  float exposure = 1.0f, gain = 1.0f;
  int firstColumn = 0;  // the difference starts here; left of it, the first image is shown
};

// Draws the amplified difference of two images as displayed.
class DifferencePass {
 public:
  void draw(const gl::Texture& first, const gl::Texture& second, const Difference& difference,
            const gl::Framebuffer& output) const {
    first.bind(0);
    second.bind(1);
    block_.bind(0, difference);
    program_.use();
    gl::drawFullScreen(output.name(), first.size());
  }

 private:
  gl::Program program_{{"common/fullscreen.vert", "views/difference.frag"}};
  gl::ParameterBlock block_{sizeof(Difference)};
};

}  // namespace satdof
