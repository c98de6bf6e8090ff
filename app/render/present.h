#pragma once
#include "app/gl/program.h"

namespace satdof {

// How an image in linear light is shown.
struct Display {
  float exposureStops = 0.0f;
  bool toneMapLeft = true, toneMapRight = true;  // left and right of the wipe; debug views: only sRGB
  float wipe = 2.0f;                             // marked by a line; 0 to 1, beyond where there is none
};

// Exposure, tone curve and sRGB encoding.
class PresentPass {
 public:
  // Draws `image`, scaled to `size`, into `framebuffer` (0 is the window).
  void draw(const gl::Texture& image, GLuint framebuffer, glm::ivec2 size, const Display& display) const;

 private:
  gl::Program program_{{"common/fullscreen.vert", "common/present.frag"}};
};

}  // namespace satdof
