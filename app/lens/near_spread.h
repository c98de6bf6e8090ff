#pragma once
#include <memory>

#include "app/frame_stats.h"
#include "app/scene/scene_frame.h"
#include "app/settings.h"
#include "cuda/lens/spread_rule.h"

namespace satdof {

// Spreads the near pixels of a picture. Every implementation writes the same integers.
class NearSpread {
 public:
  virtual ~NearSpread() = default;
  virtual void resize(glm::ivec2 size) = 0;
  // A GL_RGBA32UI picture of differences, modulo 2^32, of the size last given to resize(): the sums over
  // [0, x] x [0, y] of it are the near field's premultiplied colour and coverage at (x, y), in units of
  // 2^-24. Valid until the next call.
  virtual const gl::Texture& spread(const SceneFrame& scene, const SpreadRule& rule, Timings& timings) = 0;
};

// On CUDA where `backend`, which is resolved, is cuda, on the processor where it is one of the cpu ones,
// which waits for the picture, else by a compute shader. Needs a current context. Throws std::runtime_error
// when CUDA is asked for and not available.
std::unique_ptr<NearSpread> makeNearSpread(Backend backend);

std::unique_ptr<NearSpread> makeGlNearSpread();
std::unique_ptr<NearSpread> makeCpuNearSpread(int threads);
// Where CUDA is not built, no_cuda.cpp answers.
std::unique_ptr<NearSpread> makeCudaNearSpread();

}  // namespace satdof
