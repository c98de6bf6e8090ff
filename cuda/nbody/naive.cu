#include "cuda/block/divide.h"
#include "cuda/nbody/factories.h"
#include "cuda/nbody/pair.cuh"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/stage_timer.h"

namespace satdof::cuda {

namespace {

constexpr unsigned kThreads = 256;

// One thread per target: sums the fields of all bodies, read from global memory. Cost: n^2 interactions, n^2
// reads.
template <bool withPotential>
__global__ void __launch_bounds__(kThreads) allPairs(const float4* __restrict__ positions, std::uint32_t bodies,
                                                     float softeningSquared, float4* __restrict__ accelerations) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= bodies) return;
  const float3 target{positions[i].x, positions[i].y, positions[i].z};
  Field field;
  for (std::uint32_t j = 0; j < bodies; ++j)
    addField<Masses::general, withPotential>(field, target, positions[j], softeningSquared, i == j);
  accelerations[i] = {field.x, field.y, field.z, field.potential};
}

// All pairs without tiles, for comparison.
class NaiveGravity : public Gravity {
 public:
  explicit NaiveGravity(const GravityOptions& options)
      : bodies_(options.bodies), softeningSquared_(options.softening * options.softening) {}

  void run(const float4* positions, float4* accelerations, bool withPotential, CUstream_st* stream) override {
    timer_.begin(stream);
    const auto kernel = withPotential ? allPairs<true> : allPairs<false>;
    launch(kernel, {blocksFor(bodies_, kThreads), kThreads, 0, stream}, positions, bodies_, softeningSquared_,
           accelerations);
    timer_.next(stream);
  }
  std::vector<StageTime> stageTimes() const override { return timer_.times(); }
  size_t runs() const override { return timer_.builds(); }

 private:
  std::uint32_t bodies_;
  float softeningSquared_;
  StageTimer timer_{{"forces"}};
};

}  // namespace

std::unique_ptr<Gravity> makeNaiveGravity(const GravityOptions& options) {
  return std::make_unique<NaiveGravity>(options);
}

}  // namespace satdof::cuda
