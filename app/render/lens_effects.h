#pragma once
#include <array>

#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/lens/aperture/aperture.h"
#include "app/lens/lens_space.h"

namespace satdof {

// Converts depth images to lens space: app/lens/lens_space.h.
class LensDepth {
 public:
  // The depth image: of the nearest surfaces, of the second layer, or of blended surfaces behind and in front of the
  // focus plane.
  enum class Layer { surfaces, second, blendedBack, blendedFront };
  // Returns the depth in lens space. Valid until the next call for the same layer.
  const gl::Texture& draw(Layer layer, const gl::Texture& depth, const FocusSurface& surface);

 private:
  gl::Program program_{{"lens/lens_depth.comp"}};
  gl::Program blendedProgram_{{"lens/lens_depth.comp"}, {{"SUMS", "1"}}};  // for BlendedLayer::depth
  gl::ParameterBlock block_{sizeof(FocusSurface)};
  std::array<gl::Texture, 4> results_;  // indexed by Layer
};

// Chromatic aberration, vignetting and diffraction, applied to the image of a lens: drawn(), keep() for each channel,
// combine().
class LensChannels {
 public:
  // The target of the lens. With axial colour, the lens draws one channel after the other, each followed by keep().
  const gl::Target& drawn(glm::ivec2 size);
  // Keeps the channel that the lens has drawn: copies red (0) and green (1) out of drawn(); blue (2) stays in drawn().
  void keep(int channel);
  // Scales the channels by lateral colour, and applies vignetting and the point spread function of diffraction.
  void combine(const LensSettings& lens, const SceneFacts& scene, const gl::Target& output);

 private:
  // Parameters of shaders/lens/channels.comp.
  struct alignas(16) Channels {
    Aperture aperture;
    float growth;      // lateralGrowth() of red; blue has its negative
    float vignetting;  // drawnVignetting()
    int psfRadiusPx;   // half of the side of the point spread function; 0: no diffraction
  };
  // Binds the point spread function, diffraction(). Computes it if the aperture has changed.
  void bindPsf(const LensSettings& lens, const SceneFacts& scene);

  gl::Program program_{{"lens/channels.comp"}}, psfProgram_{{"lens/channels.comp"}, {{"SPREAD", "1"}}};
  gl::ParameterBlock block_{sizeof(Channels)};
  gl::Target drawn_;                 // one for all channels: CUDA would have to map each new texture again
  std::array<gl::Texture, 2> kept_;  // red and green
  gl::Buffer psf_;
  LensSettings psfLens_;  // settings of psf_
  int psfSensorPx_ = 0;   // SceneFacts::sensorPx() of psf_
};

}  // namespace satdof
