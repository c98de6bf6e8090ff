#include "app/scene/bodies/cuda.h"

#include <utility>

#include "app/device/cuda/cuda_pass.h"
#include "cuda/nbody/leapfrog.h"

namespace satdof::on_cuda {

namespace {

using cuda::GravityMethod;

// The settings that a cuda::Leapfrog is built for.
struct LeapfrogSettings {
  float softening, openingAngle;
  Traversal traversal;
  Sort sort;
  Scan scan;
  Compaction compaction;
  bool operator==(const LeapfrogSettings&) const = default;
};
LeapfrogSettings leapfrogSettings(const BodiesSettings& s) {
  return {s.softening, s.openingAngle, s.traversal, s.sort, s.scan, s.compaction};
}

class CudaSolver final : public Solver {
 public:
  CudaSolver(GravityMethod method, const BodiesSettings& settings) : Solver(settings.count), method_(method) {
    make(settings);
  }

  void reset(const BodyState& state, const BodiesSettings& settings) override {
    if (!fits(settings)) make(settings);
    leapfrog_->reset(reinterpret_cast<const float4*>(state.positions.data()),
                     reinterpret_cast<const float4*>(state.velocities.data()), cuda::frameStream());
    Timings unused;
    advanceAndCopy(0, settings, unused);
  }

  void advance(int steps, const BodiesSettings& settings, Timings& timings) override {
    if (!fits(settings)) reset(state(), settings);
    advanceAndCopy(steps, settings, timings);
  }

  float stepUs() const override {
    if (leapfrog_ == nullptr) return 0;
    float sumUs = 0;
    for (const auto& stage : leapfrog_->stageTimes()) sumUs += stage.timeUs;
    return sumUs;
  }

 private:
  bool fits(const BodiesSettings& settings) const {
    return leapfrog_ != nullptr && leapfrogSettings(settings) == built_;
  }

  // If memory runs out, throws and leaves leapfrog_ null.
  void make(const BodiesSettings& settings) {
    leapfrog_ = nullptr;
    pass_.reset();
    built_ = leapfrogSettings(settings);
    leapfrog_ = &pass_.own(cuda::makeLeapfrog({.method = method_,
                                               .bodies = static_cast<std::uint32_t>(buffers_.count),
                                               .softening = built_.softening,
                                               .openingAngle = built_.openingAngle,
                                               .traversal = built_.traversal,
                                               .sort = built_.sort,
                                               .scan = built_.scan,
                                               .compaction = built_.compaction}));
  }

  // Copies the state to the OpenGL buffers after `steps` steps.
  void advanceAndCopy(int steps, const BodiesSettings& settings, Timings& timings) {
    const float dt = settings.timeStep;
    pass_.run({{buffers_.positions, cuda::Access::write},
               {buffers_.velocities, cuda::Access::write},
               {buffers_.accelerations, cuda::Access::write}},
              {steps, dt}, timings, [&](auto buffers, auto* stream) {
                const auto at = [&](std::size_t i) { return static_cast<float4*>(buffers[i]); };
                leapfrog_->advance(steps, dt, {at(0), at(1), at(2)}, stream);
              });
  }

  GravityMethod method_;
  LeapfrogSettings built_;
  CudaPass<std::pair<int, float>, void*> pass_;
  cuda::Leapfrog* leapfrog_ = nullptr;  // owned by pass_; null if memory ran out
};

template <GravityMethod kMethod>
std::unique_ptr<Solver> makeSolverOf(const BodiesSettings& settings) {
  return std::make_unique<CudaSolver>(kMethod, settings);
}

}  // namespace

std::unique_ptr<Solver> makeNaiveSolver(const BodiesSettings& settings) {
  return makeSolverOf<GravityMethod::naive>(settings);
}
std::unique_ptr<Solver> makeTiledSolver(const BodiesSettings& settings) {
  return makeSolverOf<GravityMethod::tiled>(settings);
}
std::unique_ptr<Solver> makeTreeSolver(const BodiesSettings& settings) {
  return makeSolverOf<GravityMethod::tree>(settings);
}

}  // namespace satdof::on_cuda
