#pragma once
#include "app/gl/program.h"

namespace satdof {

// How PresentPass shows an image.
struct Display {
  float exposureStops = 0.0f;
  bool toneMapLeft = true, toneMapRight = true;  // of the split line; without, only sRGB encoding
  float splitLine = 2.0f;                        // position, 0 to 1; outside: no line
};

// Exposure, tone curve and sRGB encoding.
class PresentPass {
 public:
  // Draws `image` (linear light) into `framebuffer` (0 is the window), scaled to `size`.
  void draw(const gl::Texture& image, GLuint framebuffer, glm::ivec2 size, const Display& display) const;

 private:
  gl::Program program_{{"common/fullscreen.vert", "common/present.frag"}};
};

}  // namespace satdof
