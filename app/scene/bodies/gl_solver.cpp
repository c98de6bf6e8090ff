#include "app/scene/bodies/gl_solver.h"

#include <stdexcept>
#include <string>

#include "app/gl/parameter_block.h"
#include "app/gl/program.h"

namespace satdof {

namespace {

constexpr int kGroup = 256;  // as in shaders/scene/bodies/*.comp

gl::Query timestampQuery() {
  GLuint query = 0;
  glCreateQueries(GL_TIMESTAMP, 1, &query);
  return gl::Query(query);
}

// Measures the time of a step on the GPU by timestamp queries, without waiting for their results.
class StepClock {
 public:
  void begin() {
    measuring_ = !pending_;
    if (measuring_) glQueryCounter(from_.name(), GL_TIMESTAMP);
  }
  void end(int steps) {
    if (!measuring_) return;
    glQueryCounter(to_.name(), GL_TIMESTAMP);
    pending_ = true;
    steps_ = steps;
  }
  float stepUs() const {
    GLint arrived = GL_FALSE;
    if (pending_) glGetQueryObjectiv(to_.name(), GL_QUERY_RESULT_AVAILABLE, &arrived);
    if (arrived == GL_FALSE) return stepUs_;
    GLuint64 from = 0, to = 0;
    glGetQueryObjectui64v(from_.name(), GL_QUERY_RESULT, &from);
    glGetQueryObjectui64v(to_.name(), GL_QUERY_RESULT, &to);
    pending_ = false;
    return stepUs_ = static_cast<float>(to - from) * 1e-3f / static_cast<float>(steps_);
  }

 private:
  gl::Query from_ = timestampQuery(), to_ = timestampQuery();
  bool measuring_ = false;
  mutable bool pending_ = false;
  mutable float stepUs_ = 0;
  int steps_ = 1;
};

class GlSolver final : public Solver {
 public:
  explicit GlSolver(int bodies) : Solver(bodies) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    if (buffers_.positions.bytes() > most)
      throw std::runtime_error("cannot move " + std::to_string(bodies) + " bodies with compute shaders: OpenGL " +
                               "takes at most " + std::to_string(most / 16) + "; choose fewer --bodies");
  }

  void reset(const BodyState& state, const BodiesSettings& settings) override {
    glNamedBufferSubData(buffers_.positions.name(), 0, buffers_.positions.bytes(), state.positions.data());
    glNamedBufferSubData(buffers_.velocities.name(), 0, buffers_.velocities.bytes(), state.velocities.data());
    bind();
    run(gravity_, stepOf(settings, 0.0f), kicking_);
  }

  void advance(int steps, const BodiesSettings& settings, Timings& timings) override {
    if (steps == 0) return;
    bind();
    const BodyStep drifting = stepOf(settings, settings.timeStep), kicking = stepOf(settings, 0.0f);
    clock_.begin();
    {
      const auto stage = timings.gpu("gravity");
      for (int i = 0; i < steps; ++i) {
        run(kick_, drifting, drifting_);
        run(gravity_, kicking, kicking_);
        run(kick_, kicking, kicking_);
      }
    }
    clock_.end(steps);
  }

  float stepUs() const override { return clock_.stepUs(); }

 private:
  void bind() const {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers_.positions.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers_.velocities.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, buffers_.accelerations.name());
  }

  // Parameters of kick.comp and gravity.comp: a kick by half a time step, then a drift by `driftBy`.
  BodyStep stepOf(const BodiesSettings& settings, float driftBy) const {
    return {.count = buffers_.count,
            .softeningSquared = settings.softening * settings.softening,
            .kickBy = 0.5f * settings.timeStep,
            .driftBy = driftBy};
  }

  void run(const gl::Program& program, const BodyStep& step, const gl::ParameterBlock& block) const {
    program.use();
    block.bind(kBodyStepBinding, step);
    glDispatchCompute(static_cast<GLuint>((buffers_.count + kGroup - 1) / kGroup), 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  }

  gl::Program gravity_{{"scene/bodies/gravity.comp"}}, kick_{{"scene/bodies/kick.comp"}};
  gl::ParameterBlock drifting_{sizeof(BodyStep)}, kicking_{sizeof(BodyStep)};
  StepClock clock_;
};

}  // namespace

std::unique_ptr<Solver> makeGlSolver(const BodiesSettings& settings) {
  return std::make_unique<GlSolver>(settings.count);
}

}  // namespace satdof
