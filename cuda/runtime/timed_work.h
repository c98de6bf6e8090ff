#pragma once
#include "cuda/runtime/stage_timer.h"
#include "cuda/runtime/surface.h"
#include "cuda/runtime/work.h"

namespace satdof::cuda {

// What every implementation of an interface derived from Work has: surfaces of its arrays and a stage timer.
template <class Interface>
class TimedWork : public Interface {
 public:
  void forgetArrays() final { surfaces_.forget(); }
  std::vector<StageTime> stageTimes() const final { return timer_.times(); }

 protected:
  explicit TimedWork(std::vector<const char*> stages) : timer_(std::move(stages)) {}

  SurfaceCache surfaces_;
  StageTimer timer_;
};

}  // namespace satdof::cuda
