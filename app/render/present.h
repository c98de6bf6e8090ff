#pragma once
#include "app/device/gl/uniforms.h"
#include "app/device/scene_frame.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"

namespace satdof {

// Mixes the presented image with another one of the same size, in linear light.
struct CrossFade {
  const gl::Texture* under = nullptr;  // the other image; null: none
  float weight = 1.0f;                 // weight of the presented image, 0 to 1
};

// How PresentPass shows an image.
struct Display {
  float exposureStops = 0.0f;
  // Whether each half gets exposure and tone curve, left and right of the split line; false: only sRGB encoding.
  bool toneMapLeft = true, toneMapRight = true;
  float splitLine = 2.0f;  // x of the split line, 0 to 1; outside: no line
  CrossFade fade = {};
  const gl::Texture* opacity = nullptr;  // divides the image, which is premultiplied by it; null: opaque
  SceneLook look = {};
};

// Exposure, tone curve and sRGB encoding.
class PresentPass {
 public:
  // Draws `image` (linear light) into `framebuffer` (0 is the window), scaled to `size`.
  void draw(const gl::Texture& image, GLuint framebuffer, glm::ivec2 size, const Display& display) const;

 private:
  // Parameters of shaders/common/present.frag.
  struct Presented {
    ToneLook look;
    glm::vec2 targetSize, shownFrom, shownTo;
    float weight, exposure, splitLine;
    int divides, toneMapLeft, toneMapRight;
  };
  gl::Program program_{{"common/fullscreen.vert", "common/present.frag"}};
  gl::ParameterBlock presented_{sizeof(Presented)};
};

}  // namespace satdof
