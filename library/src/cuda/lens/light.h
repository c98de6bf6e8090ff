#pragma once
#include "satdof/cuda.h"
#include "shaders/lens/aperture/aperture.h"
#include "shaders/lens/focus_surface.h"

// Between images of a caller, row 0 at the top, and surfaces of a lens, row 0 at the bottom.
namespace satdof::cuda {

using SurfaceObject = unsigned long long;

// The tone curve of photographs: shaders/common/tone.glsl.
struct PhotographTone {
  float from, peak;
};

// Writes the light of an image to RGBA16F. halves: of integers, the half float of each value.
void takeLight(const InputImage& image, const std::uint16_t* halves, const PhotographTone& tone,
               SurfaceObject light, CUstream_st* stream);

// Writes depth to R32F as lens.h says, after lensDepth() if `bends`.
void takeDepth(const cpu::Image<const float>& depth, const FocusSurface& surface, bool bends,
               SurfaceObject to, CUstream_st* stream);

// What a lens has drawn, RGBA16F: one image, or, `apart`, an image a channel for shaders/lens/channels.glsl.
struct DrawnLight {
  SurfaceObject images[3];
  bool apart = false;
  Aperture aperture;
  float growth = 0.0f, vignetting = 0.0f;
};
void showLight(const DrawnLight& light, const PhotographTone& tone, const OutputImage& out,
               CUstream_st* stream);

}  // namespace satdof::cuda
