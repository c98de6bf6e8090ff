#pragma once
#include <memory>

#include "app/core/settings.h"
#include "app/device/device.h"
#include "app/gl/frame_stats.h"
#include "app/scene/scene_frame.h"
#include "shaders/lens/near_scatter.h"

namespace satdof {

// Spreads the near pixels of an image. Every implementation makes the same integers.
class NearScatter {
 public:
  virtual ~NearScatter() = default;
  virtual void resize(glm::ivec2 size) = 0;
  // A uint32 table of differences, modulo 2^32, of the size last given to resize(): its elements are the near
  // field's premultiplied colour and coverage, in units of 2^-24. Valid until the next call.
  virtual Table scatter(const SceneFrame& scene, const ScatterRule& rule, Timings& timings) = 0;
};

// Tables are built as `technique` says, whatever its format. Where its device, resolved, is cuda, all of it
// happens on CUDA; where it is one of the cpu ones, scattering happens on the processor, which waits for the
// image; else in a compute shader. Needs a current context. Throws as makeTableBuilder() does.
std::unique_ptr<NearScatter> makeNearScatter(Technique technique);

std::unique_ptr<NearScatter> makeGlNearScatter(const Technique& technique);
std::unique_ptr<NearScatter> makeCpuNearScatter(const Technique& technique, int threads);
// Where CUDA is not built, no_cuda.cpp answers.
std::unique_ptr<NearScatter> makeCudaNearScatter(const Technique& technique);

}  // namespace satdof
