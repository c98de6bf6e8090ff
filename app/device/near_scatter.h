#pragma once
#include <memory>

#include "app/core/settings.h"
#include "app/device/device.h"
#include "app/gl/frame_stats.h"
#include "app/scene/scene_frame.h"
#include "cuda/lens/scatter_rule.h"

namespace satdof {

// Spreads the near pixels of a picture. Every implementation makes the same integers.
class NearSpread {
 public:
  virtual ~NearSpread() = default;
  virtual void resize(glm::ivec2 size) = 0;
  // A uint32 table of differences, modulo 2^32, of the size last given to resize(): its elements are the near
  // field's premultiplied colour and coverage, in units of 2^-24. Valid until the next call.
  virtual SatView spread(const SceneFrame& scene, const SpreadRule& rule, Timings& timings) = 0;
};

// Tables are built as `method` says, whatever its format. Where its backend, resolved, is cuda, all of it
// happens on CUDA; where it is one of the cpu ones, spreading happens on the processor, which waits for the
// picture; else in a compute shader. Needs a current context. Throws as makeSatBackend() does.
std::unique_ptr<NearSpread> makeNearSpread(Method method);

std::unique_ptr<NearSpread> makeGlNearSpread(const Method& method);
std::unique_ptr<NearSpread> makeCpuNearSpread(const Method& method, int threads);
// Where CUDA is not built, no_cuda.cpp answers.
std::unique_ptr<NearSpread> makeCudaNearSpread(const Method& method);

}  // namespace satdof
