#pragma once
#include <array>

#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/lens/aperture/aperture.h"
#include "app/lens/lens_space.h"

namespace satdof {

// Depth images as lenses see them: app/lens/lens_space.h.
class LensDepth {
 public:
  enum class Of { surfaces, secondLayer, back, front };
  // Valid until the next call for the same layers.
  const gl::Texture& draw(Of of, const gl::Texture& depth, const FocusSurface& surface);

 private:
  gl::Program program_{{"lens/lens_depth.comp"}}, ofSums_{{"lens/lens_depth.comp"}, {{"SUMS", "1"}}};
  gl::ParameterBlock block_{sizeof(FocusSurface)};
  std::array<gl::Texture, 4> results_;
};

// Colour fringes, vignetting and diffraction of a lens: its image has channels of their own size, or in focus at their own distance, and dark
// corners.
class LensChannels {
 public:
  // What the lens draws into: the whole image or, with axial colour, one channel after the other, each kept.
  const gl::Target& drawn(glm::ivec2 size);
  void keep(int channel);
  void combine(const LensSettings& lens, const SceneFacts& scene, const gl::Target& output);

 private:
  // Parameters of shaders/lens/channels.comp.
  struct alignas(16) Channels {
    Aperture aperture;
    float growth;      // of red; of blue, less than 0
    float vignetting;  // the part of the shade of its second stop that is drawn
    int spreadPx;      // half of the side of diffraction(); 0: none
  };
  // Computes diffraction() if the aperture has changed.
  void bindSpread(const LensSettings& lens, const SceneFacts& scene);

  gl::Program program_{{"lens/channels.comp"}}, spreading_{{"lens/channels.comp"}, {{"SPREAD", "1"}}};
  gl::ParameterBlock block_{sizeof(Channels)};
  gl::Target drawn_;                 // one: images that change would leave CUDA and come back
  std::array<gl::Texture, 2> kept_;  // red and green; the last channel stays in drawn_
  gl::Buffer spread_;                // diffraction() of spreadOf_
  LensSettings spreadOf_;
  int spreadSensorPx_ = 0;
};

}  // namespace satdof
