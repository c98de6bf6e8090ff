#include "app/lens/reference.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "app/gl/program.h"
#include "app/lens/circle_of_confusion.h"

namespace satdof {

namespace {

constexpr int kSamplesPerFrame = 8;

// Where in [0, 1)^2 the additive recurrence stands (R2 sequence).
glm::dvec2 recurrence(int index, int seed) {
  constexpr double plastic = 1.32471795724474602596;
  const double n = index + 0.5 + 7919.0 * seed;
  return {std::fmod(n / plastic + 0.37 * seed, 1.0), std::fmod(n / (plastic * plastic) + 0.71 * seed, 1.0)};
}

// What the accumulated picture depends on: a change of it means beginning anew.
struct Key {
  LensSettings lens;
  SceneSettings scene;
  CameraSettings camera;
  double timeS;
  glm::ivec2 size;
  bool operator==(const Key&) const = default;
};

class Reference final : public Lens {
 public:
  Reference() : add_({"reference_add.comp"}), mean_({"fullscreen.vert", "reference_mean.frag"}) {}

  void resize(glm::ivec2 size) override {
    sum_ = gl::Texture(GL_RGBA32F, size);
    key_.reset();
  }

  void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    const glm::ivec2 size = sum_.size();
    const Key key{inputs.lens, inputs.redraw->scene, inputs.redraw->camera, inputs.redraw->timeS, size};
    samples_ = inputs.lens.lensSamples;
    if (key_ != key) {
      key_ = key;
      done_ = 0;
      glClearTexImage(sum_.name(), 0, GL_RGBA, GL_FLOAT, nullptr);
    }
    const CircleOfConfusion coc = circleOfConfusion(inputs.lens, size.y, inputs.scene.nearM);
    const float focusM = inputs.lens.focusDistanceM;
    // R = K (1 - S/z) is what a shift of K S / focalPx on the aperture does to a point at z.
    const float apertureM = coc.beta * focusM / inputs.scene.focalPx;
    for (int i = 0; i < kSamplesPerFrame && done_ < samples_; ++i, ++done_) {
      const glm::vec2 point =
          aperturePoint(done_, inputs.lens.lensSeed, inputs.lens.blades, inputs.lens.bladeRotationDegrees);
      const glm::dvec2 jitter = recurrence(done_, inputs.lens.lensSeed + 101);
      const ViewOffset offset{point * glm::vec2(apertureM * inputs.lens.stretch, apertureM), focusM,
                              glm::vec2(jitter) - 0.5f};
      const SceneFrame frame = inputs.redraw->draw(offset, nullptr);
      const auto scope = timings.gpu("accumulate");
      add_.use();
      frame.colour->bind(0);
      glBindImageTexture(0, sum_.name(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
      glDispatchCompute((size.x + 15) / 16, (size.y + 15) / 16, 1);
      glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
    }
    const auto scope = timings.gpu("lens");
    mean_.use();
    sum_.bind(0);
    gl::drawFullScreen(output.name(), size);
  }

  float progress() const override {
    return static_cast<float>(done_) / static_cast<float>(std::max(samples_, 1));
  }
  std::string state() const override {
    return std::to_string(done_) + " of " + std::to_string(samples_) + " samples";
  }

 private:
  gl::Program add_, mean_;
  gl::Texture sum_;
  std::optional<Key> key_;
  int done_ = 0, samples_ = 1;
};

}  // namespace

glm::vec2 aperturePoint(int index, int seed, int blades, float rotationDegrees) {
  const glm::dvec2 u = recurrence(index, seed);
  const double angle = 2 * std::numbers::pi * u.x;
  double radius = std::sqrt(u.y);
  if (blades >= 3) {
    // Inside a wedge of the polygon the boundary is a chord; area-uniform within the wedge through its own
    // coordinate.
    const double wedge = 2 * std::numbers::pi / blades;
    const double which = std::floor(u.x * blades), within = u.x * blades - which;
    const double turn = which * wedge + rotationDegrees * std::numbers::pi / 180;
    const glm::dvec2 a(std::cos(turn), std::sin(turn)), b(std::cos(turn + wedge), std::sin(turn + wedge));
    return glm::vec2((a + (b - a) * within) * radius);
  }
  return glm::vec2(glm::dvec2(std::cos(angle), std::sin(angle)) * radius);
}

std::unique_ptr<Lens> makeReferenceLens(const Method&) { return std::make_unique<Reference>(); }

}  // namespace satdof
