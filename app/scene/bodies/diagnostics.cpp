#include "app/scene/bodies/diagnostics.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <stdexcept>

#include "app/gl/software.h"

namespace satdof {

namespace {

// The buffer has kGroups rows of {energy, momentum} of a workgroup, then
// kMaxSample rows of {exact, found} accelerations. A row is two vec4.
constexpr int kGroups = 64;
constexpr int kMaxSample = 64;
constexpr GLsizeiptr kBytes = sizeof(glm::vec4) * 2 * (kGroups + kMaxSample);

}  // namespace

Diagnostics::Diagnostics() : pairBudget_(gl::isSoftwareRenderer() ? 1L << 20 : 1L << 27) {
  const GLbitfield access = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  sums_ = gl::Buffer(kBytes, nullptr, access);
  values_ = static_cast<const glm::vec4*>(glMapNamedBufferRange(sums_.name(), 0, kBytes, access));
  if (values_ == nullptr) throw std::runtime_error("cannot measure the bodies: OpenGL cannot map a buffer");
  glGetIntegerv(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &maxBytes_);
}

Diagnostics::~Diagnostics() { glDeleteSync(fence_); }

bool Diagnostics::update(const Simulation& simulation, Timings& timings) {
  const bool arrived = collect();
  ++frames_;
  const bool started = simulation.starts() != requested_.starts;
  if (fence_ == nullptr && (started || frames_ >= kPeriodFrames)) request(simulation, timings);
  return arrived;
}

void Diagnostics::request(const Simulation& simulation, Timings& timings) {
  const BodyBuffers& bodies = simulation.solver().buffers();
  if (bodies.positions.bytes() > maxBytes_) return;
  const auto stage = timings.gpu("diagnostics");
  const auto sample = std::clamp(pairBudget_ / bodies.count, 4L, static_cast<long>(kMaxSample));
  requested_ = {.starts = simulation.starts(),
                .step = simulation.step(),
                .sample = static_cast<int>(std::min<long>(sample, bodies.count))};
  frames_ = 0;
  const GLuint buffers[] = {bodies.positions.name(), bodies.velocities.name(), bodies.accelerations.name(),
                            sums_.name()};
  glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, 0, std::size(buffers), buffers);
  const float softening = simulation.settings().softening;
  step_.bind(kBodyStepBinding,
             BodyStep{.count = bodies.count, .firstPartial = 2 * kGroups, .softeningSquared = softening * softening});
  conserved_.use();
  glDispatchCompute(kGroups, 1, 1);
  forceError_.use();
  glDispatchCompute(static_cast<GLuint>(requested_.sample), 1, 1);
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

bool Diagnostics::collect() {
  if (fence_ == nullptr || glClientWaitSync(fence_, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_TIMEOUT_EXPIRED) return false;
  glDeleteSync(fence_);
  fence_ = nullptr;
  BodyMeasurement found = requested_;
  for (std::size_t i = 0; i < kGroups; ++i) {
    found.kinetic += double(values_[2 * i].x);
    found.potential += double(values_[2 * i].y);
    found.momentum += glm::dvec3(values_[2 * i + 1]);
  }
  double sum = 0;
  for (std::size_t i = kGroups; i < kGroups + static_cast<std::size_t>(found.sample); ++i) {
    const glm::dvec3 exact(values_[2 * i]), off = glm::dvec3(values_[2 * i + 1]) - exact;
    const double size2 = glm::dot(exact, exact);
    if (size2 > 0) sum += glm::dot(off, off) / size2;
  }
  found.forceError = std::sqrt(sum / found.sample);
  if (!first_ || first_->starts != found.starts) first_ = found;
  last_ = found;
  return true;
}

}  // namespace satdof
