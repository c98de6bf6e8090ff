#include "app/scene/bodies/cpu_solver.h"

#include <algorithm>
#include <chrono>

namespace satdof {

namespace {

constexpr int kSlice = 1 << 14;  // bodies per task of kick() and drift()

class CpuSolver final : public Solver {
 public:
  CpuSolver(int bodies, int threads, const char* stage, CpuGravity gravity)
      : Solver(bodies), bodies_(bodies), pool_(threads), stage_(stage), gravity_(std::move(gravity)) {
    staged_.resize(static_cast<std::size_t>(bodies));
  }

  void reset(const BodyState& state, const BodiesSettings& settings) override {
    for (std::size_t i = 0; i < staged_.size(); ++i) {
      const glm::vec4 &p = state.positions[i], &v = state.velocities[i];
      bodies_.x[i] = p.x, bodies_.y[i] = p.y, bodies_.z[i] = p.z, bodies_.mass[i] = p.w;
      bodies_.vx[i] = v.x, bodies_.vy[i] = v.y, bodies_.vz[i] = v.z;
    }
    gravity_(bodies_, settings, pool_);
    upload();
  }

  void advance(int steps, const BodiesSettings& settings, Timings& timings) override {
    if (steps == 0) return;
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (int i = 0; i < steps; ++i) {
      kick(0.5f * settings.timeStep);
      drift(settings.timeStep);
      {
        const auto stage = timings.cpu(stage_);
        gravity_(bodies_, settings, pool_);
      }
      kick(0.5f * settings.timeStep);
    }
    stepUs_ = std::chrono::duration<float, std::micro>(Clock::now() - start).count() / float(steps);
    const auto stage = timings.cpu("upload");
    upload();
  }

  float stepUs() const override { return stepUs_; }

 private:
  void forSlices(const std::function<void(std::size_t first, std::size_t last)>& task) {
    pool_.forEach((bodies_.count + kSlice - 1) / kSlice, [&](int slice) {
      const int first = slice * kSlice;
      task(static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(first + kSlice, bodies_.count)));
    });
  }

  void kick(float dt) {
    BodyArrays& b = bodies_;
    forSlices([&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) b.vx[i] += b.ax[i] * dt;
      for (std::size_t i = first; i < last; ++i) b.vy[i] += b.ay[i] * dt;
      for (std::size_t i = first; i < last; ++i) b.vz[i] += b.az[i] * dt;
    });
  }

  void drift(float dt) {
    BodyArrays& b = bodies_;
    forSlices([&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) b.x[i] += b.vx[i] * dt;
      for (std::size_t i = first; i < last; ++i) b.y[i] += b.vy[i] * dt;
      for (std::size_t i = first; i < last; ++i) b.z[i] += b.vz[i] * dt;
    });
  }

  void upload() {
    const BodyArrays& b = bodies_;
    const auto send = [&](const gl::Buffer& buffer, auto body) {
      for (std::size_t i = 0; i < staged_.size(); ++i) staged_[i] = body(i);
      glNamedBufferSubData(buffer.name(), 0, buffer.bytes(), staged_.data());
    };
    send(buffers_.positions, [&](std::size_t i) { return glm::vec4(b.x[i], b.y[i], b.z[i], b.mass[i]); });
    send(buffers_.velocities, [&](std::size_t i) { return glm::vec4(b.vx[i], b.vy[i], b.vz[i], 0.0f); });
    send(buffers_.accelerations, [&](std::size_t i) { return glm::vec4(b.ax[i], b.ay[i], b.az[i], b.potential[i]); });
  }

  BodyArrays bodies_;
  ThreadPool pool_;
  const char* stage_;
  CpuGravity gravity_;
  std::vector<glm::vec4> staged_;
  float stepUs_ = 0;
};

}  // namespace

BodyArrays::BodyArrays(int bodies) : count(bodies) {
  for (auto* array : {&x, &y, &z, &mass, &vx, &vy, &vz, &ax, &ay, &az, &potential})
    array->resize(static_cast<std::size_t>(bodies));
}

int threadsFor(double interactions) {
  constexpr double kPerThread = 1e5;
  return static_cast<int>(std::clamp(interactions / kPerThread, 1.0, static_cast<double>(hardwareThreads())));
}

std::unique_ptr<Solver> makeCpuSolver(int bodies, int threads, const char* stage, CpuGravity gravity) {
  return std::make_unique<CpuSolver>(bodies, threads, stage, std::move(gravity));
}

}  // namespace satdof
