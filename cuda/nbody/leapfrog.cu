#include "cuda/nbody/leapfrog.h"

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"

namespace satdof::cuda {

namespace {

class DeviceLeapfrog : public Leapfrog {
 public:
  explicit DeviceLeapfrog(const GravityOptions& options)
      : bodies_(options.bodies),
        positions_(bodies_),
        velocities_(bodies_),
        accelerations_(bodies_),
        gravity_(makeGravity(options)) {}

  void reset(const float4* positions, const float4* velocities, CUstream_st* stream) override {
    const size_t bytes = positions_.bytes();
    SATDOF_CUDA(cudaMemcpyAsync(positions_.data(), positions, bytes, cudaMemcpyHostToDevice, stream));
    SATDOF_CUDA(cudaMemcpyAsync(velocities_.data(), velocities, bytes, cudaMemcpyHostToDevice, stream));
    gravity_->run(positions_.data(), accelerations_.data(), true, stream);
    SATDOF_CUDA(cudaStreamSynchronize(stream));
  }

  void advance(int steps, float dt, const BodyCopies& copies, CUstream_st* stream) override {
    for (int i = 0; i < steps; ++i) {
      kick(velocities_.data(), accelerations_.data(), 0.5f * dt, bodies_, stream);
      drift(positions_.data(), velocities_.data(), dt, bodies_, stream);
      gravity_->run(positions_.data(), accelerations_.data(), i + 1 == steps, stream);
      kick(velocities_.data(), accelerations_.data(), 0.5f * dt, bodies_, stream);
    }
    const auto copy = [&](float4* to, const DeviceArray<float4>& from) {
      SATDOF_CUDA(cudaMemcpyAsync(to, from.data(), from.bytes(), cudaMemcpyDeviceToDevice, stream));
    };
    copy(copies.positions, positions_);
    copy(copies.velocities, velocities_);
    copy(copies.accelerations, accelerations_);
  }

  void forgetArrays() override {}
  std::vector<StageTime> stageTimes() const override { return gravity_->stageTimes(); }
  size_t runs() const override { return gravity_->runs(); }

 private:
  std::uint32_t bodies_;
  DeviceArray<float4> positions_, velocities_, accelerations_;
  std::unique_ptr<Gravity> gravity_;
};

}  // namespace

std::unique_ptr<Leapfrog> makeLeapfrog(const GravityOptions& options) {
  return std::make_unique<DeviceLeapfrog>(options);
}

}  // namespace satdof::cuda
