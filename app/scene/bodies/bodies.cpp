#include "app/scene/bodies/bodies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <span>
#include <utility>

#include "app/core/text/formatted.h"
#include "app/gl/async_readback.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/scene/bodies/diagnostics.h"
#include "app/scene/bodies/simulation.h"
#include "app/scene/geometry_scene.h"
#include "app/scene/sky.h"

namespace satdof {

namespace {

// World position of the origin of the simulation, which is the target of the default camera, and length of a unit.
constexpr glm::vec3 kCentre(0.0f, 0.14f, 0.0f);
constexpr float kMetresPerUnit = 0.42f;

// Bodies nearer than this fraction of the camera's distance are not drawn.
constexpr float kNearestPart = 0.4f;

// Radius of a body of median mass. The total area of the discs is the same for any number of bodies, up to the maximum
// radius.
float radiusM(int bodies) { return std::min(0.17f / std::sqrt(static_cast<float>(bodies)), 0.006f); }

// Parameters of shaders/scene/bodies/body.vert.
struct alignas(16) Points {
  glm::mat4 toClip;
  glm::vec2 size;        // of the image, in pixels
  float sinceStep;       // simulated time between the state and the image
  float radiusPx;        // of a body of median mass at a distance of 1 m
  float nearestM;        // nearer bodies are not drawn
  float largestPointPx;  // limit of the driver
  float medianMass;
  int byMass;  // 1: the colour shows the mass, 0: the speed
};
constexpr GLuint kPointsBinding = 1;

// Position and velocity of a body after a step.
using BodyAt = std::array<glm::vec4, 2>;

// Reads one body back asynchronously, every frame of a window. Waits for the GPU only when the body changes.
class FollowedBody {
 public:
  struct Read {
    BodyAt body{};
    double atUnits = 0.0;  // simulated time of the step
  };

  // Requests the body at the simulated time `atUnits` and returns the newest data. `run`: Simulation::starts().
  const Read& read(const BodyBuffers& bodies, int body, long run, double atUnits) {
    const bool other = std::exchange(of_, std::pair(body, run)) != std::pair(body, run);
    if (other)
      while (reads_[0].inFlight() > 0) take();
    const GLintptr at = GLintptr{16} * body;
    if (reads_[0].request(bodies.positions, at, 4)) {
      reads_[1].request(bodies.velocities, at, 4);
      requested_[next_++ % kRing] = atUnits;
    }
    if (other) take();
    for (auto arrived = reads_[1].poll(); !arrived.empty(); arrived = reads_[1].poll()) take(arrived);
    return last_;
  }

 private:
  static constexpr std::size_t kRing = 4;
  void take() { take(reads_[1].wait()); }
  // The position was requested before the velocity, so it has arrived.
  void take(std::span<const float> velocity) {
    const std::span<const float> position = reads_[0].wait();
    std::memcpy(&last_.body[0], position.data(), 16);
    std::memcpy(&last_.body[1], velocity.data(), 16);
    last_.atUnits = requested_[taken_++ % kRing];
  }

  std::array<AsyncReadback, 2> reads_{AsyncReadback(4, kRing), AsyncReadback(4, kRing)};
  std::array<double, kRing> requested_{};
  std::size_t next_ = 0, taken_ = 0;
  std::pair<int, long> of_{-1, -1};
  Read last_;
};

class Bodies final : public Scene {
 public:
  Bodies() {
    glVertexArrayAttribFormat(array_.name(), 0, 4, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribFormat(array_.name(), 1, 4, GL_FLOAT, GL_FALSE, 0);
    for (const GLuint attribute : {0u, 1u}) {
      glEnableVertexArrayAttrib(array_.name(), attribute);
      glVertexArrayAttribBinding(array_.name(), attribute, attribute);
    }
    GLfloat sizes[2] = {1, 1};
    glGetFloatv(GL_POINT_SIZE_RANGE, sizes);
    largestPointPx_ = sizes[1];
  }

  SceneFrame draw(const SceneView& view, Targets& targets, Timings& timings) override {
    simulation_.advanceTo(view.scene.bodies, view.timeS, view.live, timings);
    // A recording is not live, but keeps updating the readings that the window shows.
    if ((view.live || !readings_.empty()) && diagnostics_.update(simulation_, timings))
      describe(*diagnostics_.first(), *diagnostics_.last());
    const auto stage = timings.gpu("scene");
    const std::vector<GeometryPass> passes = geometryPasses(view, targets);
    const Pinhole& pinhole = passes[0].pinhole;
    if (view.behind != nullptr) view.behind->bind(kBehindUnit);
    targets.begin();
    glDisable(GL_CULL_FACE);
    drawSky(pinhole, view.behind != nullptr);
    glBindVertexArray(array_.name());
    glVertexArrayVertexBuffer(array_.name(), 0, simulation_.solver().buffers().positions.name(), 0, 16);
    glVertexArrayVertexBuffer(array_.name(), 1, simulation_.solver().buffers().velocities.name(), 0, 16);
    glEnable(GL_PROGRAM_POINT_SIZE);
    if (passes.size() > 1) glEnable(GL_CLIP_DISTANCE0);
    for (const GeometryPass& pass : passes) drawBodies(view, pass);
    if (passes.size() > 1) glDisable(GL_CLIP_DISTANCE0);
    glDisable(GL_PROGRAM_POINT_SIZE);
    limitLight();
    SceneFrame frame = targets.finish(pinhole, nearestM(view.camera));
    frame.sparse = true;
    return frame;
  }

  float nearestM(const SceneView& view, glm::ivec2 /*size*/) override { return nearestM(view.camera); }
  // Attaches the point to the nearest body within 5 cm.
  TrackedPoint surfaceAt(const SceneView& /*view*/, const glm::vec3& point) override {
    constexpr float kReachM = 0.05f;
    const BodyState state = simulation_.solver().state();
    TrackedPoint found{0, point};
    float nearestM = kReachM;
    for (std::size_t i = 0; i < state.positions.size(); ++i) {
      const float distanceM = glm::distance(worldOf(state.positions[i], state.velocities[i]), point);
      if (distanceM >= nearestM) continue;
      nearestM = distanceM;
      found = {static_cast<int>(i) + 1, glm::vec3(0.0f)};
    }
    return found;
  }
  std::optional<glm::vec3> positionOf(const SceneView& view, const TrackedPoint& point) override {
    const BodyBuffers& bodies = simulation_.solver().buffers();
    if (point.object == 0) return point.at;
    if (point.object > bodies.count) return std::nullopt;
    const int body = point.object - 1;
    const double nowUnits =
        static_cast<double>(simulation_.step()) * static_cast<double>(simulation_.settings().timeStep);
    if (view.live) {
      const auto& [read, atUnits] = followed_.read(bodies, body, simulation_.starts(), nowUnits);
      return worldOf(read[0] + static_cast<float>(nowUnits - atUnits) * read[1], read[1]);
    }
    const auto read = [&](const gl::Buffer& buffer) {
      glm::vec4 value(0.0f);
      glGetNamedBufferSubData(buffer.name(), GLintptr{16} * body, 16, &value);
      return value;
    };
    return worldOf(read(bodies.positions), read(bodies.velocities));
  }
  std::string message() const override { return simulation_.message(); }
  SceneReport report(const SceneSettings& scene) const override {
    SceneReport report;
    if (!(scene.bodies.speed > 0.0f)) report.whyStill = "the speed of the bodies is 0";
    report.readings = readings_;
    report.timeS = simulation_.shownS();
    return report;
  }

 private:
  // World position at which a body is drawn.
  glm::vec3 worldOf(const glm::vec4& position, const glm::vec4& velocity) const {
    return kCentre + kMetresPerUnit * glm::vec3(position + simulation_.sinceStep() * velocity);
  }

  static float nearestM(const CameraSettings& camera) { return kNearestPart * camera.distanceM; }

  // Draws the sky into all pixels.
  void drawSky(const Pinhole& pinhole, bool peels) const {
    glBindVertexArray(emptyArray_.name());
    glDepthFunc(GL_ALWAYS);
    sky_.draw(pinhole, peels);
    glDepthFunc(GL_GREATER);
  }

  // Draws the depth of the nearest bodies, then adds the light of all bodies.
  void drawBodies(const SceneView& view, const GeometryPass& pass) const {
    bodies_.use(pass);
    const int count = simulation_.solver().buffers().count;
    const glm::mat4 toWorld = glm::scale(glm::translate(glm::mat4(1.0f), kCentre), glm::vec3(kMetresPerUnit));
    points_.bind(kPointsBinding, Points{.toClip = pass.pinhole.worldToClip() * toWorld,
                                        .size = glm::vec2(pass.size),
                                        .sinceStep = simulation_.sinceStep(),
                                        .radiusPx = radiusM(count) * pass.pinhole.focalPx(pass.size.y),
                                        .nearestM = nearestM(view.camera),
                                        .largestPointPx = largestPointPx_,
                                        .medianMass = simulation_.medianMass(),
                                        .byMass = static_cast<int>(view.scene.bodies.colour)});
    glColorMaski(0, GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glDrawArrays(GL_POINTS, 0, count);
    glColorMaski(0, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    const BlendedDraws added(GL_ONE, GL_ONE);
    glDisable(GL_DEPTH_TEST);
    glDrawArrays(GL_POINTS, 0, count);
    glEnable(GL_DEPTH_TEST);
  }

  // Clamps the light: the sum over many bodies may exceed the range of half floats.
  void limitLight() const {
    glBindVertexArray(emptyArray_.name());
    const BlendedDraws least(GL_ONE, GL_ONE);
    glDisable(GL_DEPTH_TEST);
    glBlendEquation(GL_MIN);
    limit_.use();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBlendEquation(GL_FUNC_ADD);
  }

  void describe(const BodyMeasurement& first, const BodyMeasurement& last) {
    const BodiesSettings& settings = simulation_.settings();
    const SolverRow& solver = solverRow(settings.solver);
    readings_ = {
        {"Solver", formatted("%s, %.2f ms a step", solver.name, 1e-3 * double(simulation_.solver().stepUs())),
         solver.summary},
        {"Simulated", formatted("%.2f units, %ld steps", double(last.step) * double(settings.timeStep), last.step),
         "Since the initial state. The crossing time of the whole is about 3 units"},
        {"Energy", formatted("%.5f, drift %.4f %%", last.energy(), 100 * std::abs(last.energy() / first.energy() - 1)),
         formatted("Kinetic %.5f, potential %.5f. Drift since step %ld", last.kinetic, last.potential, first.step)},
        {"Momentum",
         formatted("%.1e, drift %.1e", glm::length(last.momentum), glm::distance(last.momentum, first.momentum)),
         "Conserved by all pairs up to rounding; a tree has no equal and opposite forces"},
        {"Force error", formatted("%.4f %%", 100 * last.forceError),
         formatted("RMS relative error of the accelerations of %d bodies against all pairs", last.sample)}};
  }

  Simulation simulation_;
  Diagnostics diagnostics_;
  FollowedBody followed_;
  std::vector<SceneReading> readings_;
  GeometryProgram bodies_{{"scene/bodies/body.vert", "scene/bodies/body.frag"}};
  gl::ParameterBlock points_{sizeof(Points)};
  Sky sky_{"scene/bodies/sky.frag"};
  gl::Program limit_{{"common/fullscreen.vert", "scene/bodies/limit.frag"}};
  gl::VertexArrayObject array_ = gl::makeVertexArray(), emptyArray_ = gl::makeVertexArray();
  float largestPointPx_ = 1;
};

}  // namespace

std::unique_ptr<Scene> makeBodies() { return std::make_unique<Bodies>(); }

void restartBodies(SceneSettings& scene) { scene.bodies.startS = scene.timeS; }

bool sameInitialBodies(const SceneSettings& a, const SceneSettings& b) {
  return a.bodies.count == b.bodies.count && a.bodies.initial == b.bodies.initial && a.bodies.seed == b.bodies.seed;
}

}  // namespace satdof
