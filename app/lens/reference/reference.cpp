#include "app/lens/reference/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "app/gl/program.h"
#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

// Point `index` of the additive recurrence (R2 sequence) in [0, 1)^2, shifted by `seed`.
glm::dvec2 recurrence(int index, int seed) {
  constexpr double plastic = 1.32471795724474602596;
  const double n = index + 0.5 + 7919.0 * seed;
  return {std::fmod(n / plastic + 0.37 * seed, 1.0), std::fmod(n / (plastic * plastic) + 0.71 * seed, 1.0)};
}

class Reference final : public Lens {
 public:
  Reference() : add_({"lens/reference/add.comp"}) {}

  void resize(glm::ivec2 size) override {
    for (auto& sum : sums_) sum = gl::Texture(GL_RGBA32F, size);
    timeS_.reset();
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    const glm::ivec2 size = sums_[0].size();
    const SceneRedraw& redraw = *inputs.redraw;
    samples_ = inputs.lens.lensSamples;
    const bool jumped = timeS_ && *timeS_ != redraw.timeS;
    moving_ = jumped && jumped_;
    jumped_ = jumped;
    if (inputs.restart || !timeS_ || jumped) {
      done_ = 0;
      for (auto& sum : sums_) glClearTexImage(sum.name(), 0, GL_RGBA, GL_FLOAT, nullptr);
    }
    timeS_ = redraw.timeS;
    const auto goesOn = [&](int drawn) {
      return drawn == 0 || (drawn < inputs.samplesPerFrame && !(redraw.yields && redraw.yields()));
    };
    for (int drawn = 0; done_ < samples_ && goesOn(drawn); ++drawn, ++done_) {
      const SceneFrame frame = redraw.draw(viewOffset(inputs.lens, inputs.scene, done_), nullptr);
      const auto scope = timings.gpu("accumulate");
      frame.colour->bind(0);
      glBindImageTexture(0, sums_[static_cast<size_t>(done_ % 2)].name(), 0, GL_FALSE, 0, GL_READ_WRITE,
                         GL_RGBA32F);
      add_.dispatch(size);
    }
    const auto scope = timings.gpu("lens");
    mean_.draw(sums_[0], sums_[1], output.framebuffer);
    LensResult result{.progress = std::min(1.0f, static_cast<float>(done_) / static_cast<float>(samples_))};
    if (done_ >= 2) result.halves = {&sums_[0], &sums_[1]};
    return result;
  }

  std::string state() const override {
    return (moving_ ? "pause to refine: " : "") + std::to_string(done_) + " of " + std::to_string(samples_) +
           " samples";
  }

 private:
  gl::Program add_;
  MeanOfSums mean_;
  std::array<gl::Texture, 2> sums_;  // of the even samples, of the odd samples
  std::optional<double> timeS_;      // of the samples in sums_; none if there are no samples
  int done_ = 0, samples_ = 1;
  bool jumped_ = false, moving_ = false;  // to another time: in the last draw(), in the last two
};

}  // namespace

void MeanOfSums::draw(const gl::Texture& a, const gl::Texture& b, const gl::Framebuffer& output) const {
  program_.use();
  a.bind(0);
  b.bind(1);
  gl::drawFullScreen(output.name(), a.size());
}

glm::vec2 aperturePoint(int index, int seed, int blades, float rotationDegrees) {
  const glm::dvec2 u = recurrence(index, seed);
  const double turn = rotationDegrees * std::numbers::pi / 180;
  const auto corner = [](double angle) { return glm::dvec2(std::cos(angle), std::sin(angle)); };
  if (blades >= 3) {
    // A uniform point of the chord from a to b, moved to sqrt(u.y) of its distance from the centre.
    const double wedge = 2 * std::numbers::pi / blades;
    const double which = std::floor(u.x * blades), within = u.x * blades - which;
    const glm::dvec2 a = corner(turn + which * wedge), b = corner(turn + (which + 1) * wedge);
    return glm::vec2(std::sqrt(u.y) * (a + (b - a) * within));
  }
  const glm::dvec2 square = 2.0 * u - 1.0;
  const bool wide = std::abs(square.x) > std::abs(square.y);
  const double radius = wide ? square.x : square.y;
  if (radius == 0) return glm::vec2(0.0f);
  constexpr double quarter = std::numbers::pi / 4;
  return glm::vec2(radius *
                   corner(wide ? quarter * square.y / square.x : quarter * (2 - square.x / square.y)));
}

ViewOffset viewOffset(const LensSettings& lens, const SceneFacts& scene, int index) {
  const ThinLens thin = thinLens(lens, scene.sensorPx(), scene.nearM);
  // An offset of K S / focalPx on the aperture shifts a point at z by R = K (1 - S/z) pixels.
  const float apertureM = thin.beta * lens.focusDistanceM / scene.focalPx;
  const glm::vec2 point = aperturePoint(index, lens.lensSeed, lens.blades, lens.bladeRotationDegrees);
  return {point * glm::vec2(apertureM * lens.anamorphicRatio, apertureM), lens.focusDistanceM, lens.nearScale,
          lens.farScale};
}

std::unique_ptr<Lens> makeReferenceLens() { return std::make_unique<Reference>(); }

}  // namespace satdof
