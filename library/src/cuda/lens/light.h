#pragma once
#include "satdof/cuda.h"
#include "shaders/lens/aperture/aperture.h"
#include "shaders/lens/focus_surface.h"

// Conversions between the images of a caller, row 0 at the top, and the surfaces of a lens, row 0 at the
// bottom.
namespace satdof::cuda {

using SurfaceObject = unsigned long long;

// The tone curve of photographs: shaders/common/tone.glsl.
struct PhotographTone {
  float from, peak;
};

// Enqueues: writes the linear light of an image to `light`, RGBA16F. `halves`: for integers, the half float
// of each value.
void takeLight(const InputImage& image, const std::uint16_t* halves, const PhotographTone& tone, SurfaceObject light,
               CUstream_st* stream);

// Enqueues: writes depth, limited to 0 to 1 (NaN: 0), to `to`, R32F. `bends`: applies lensDepth() of the
// focus surface.
void takeDepth(const cpu::Image<const float>& depth, const FocusSurface& surface, bool bends, SurfaceObject to,
               CUstream_st* stream);

// The result of a lens, RGBA16F: one image, or, if `apart`, one image per colour channel, to be combined as
// in shaders/lens/channels.glsl.
struct DrawnLight {
  SurfaceObject images[3];
  bool apart = false;
  Aperture aperture;
  float growth = 0.0f, vignetting = 0.0f;
};
// Enqueues: writes the image to `out`, linear light as floats or sRGB as integers.
void showLight(const DrawnLight& light, const PhotographTone& tone, const OutputImage& out, CUstream_st* stream);

}  // namespace satdof::cuda
