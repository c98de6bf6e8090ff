#pragma once
#include "cuda/runtime/stage_timer.h"
#include "cuda/runtime/surface.h"
#include "cuda/runtime/work.h"

namespace satdof::cuda {

// Base class for implementations of an interface that derives from Work: caches surface objects of arrays and
// times stages.
template <class Interface>
class TimedWork : public Interface {
 public:
  void forgetArrays() final { surfaces_.forget(); }
  std::vector<StageTime> stageTimes() const final { return timer_.times(); }
  std::size_t runs() const final { return timer_.builds(); }

 protected:
  explicit TimedWork(std::vector<const char*> stages) : timer_(std::move(stages)) {}

  SurfaceCache surfaces_;
  StageTimer timer_;
};

}  // namespace satdof::cuda
