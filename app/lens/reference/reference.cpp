#include "app/lens/reference/reference.h"

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <optional>

#include "app/gl/parameter_block.h"
#include "app/lens/aperture/aperture.h"
#include "app/lens/lens_space.h"
#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

// The uniform block Optics of shaders/lens/reference/add.comp.
struct alignas(16) Optics {
  glm::vec4 channels{1.0f};
  ThinLens lens;
  Aperture aperture;
  glm::vec2 point{0.0f}, slope{0.0f};
  float curvature = 0.0f;
};

Optics opticsOf(const LensInputs& inputs, const ViewOffset& offset, const glm::vec4& channels) {
  const LensSettings& lens = inputs.lens;
  const SceneFacts& scene = inputs.scene;
  const ThinLens thin = thinLens(lens, scene.sensorPx(), scene.nearM);
  const float radius = thin.beta * lens.focusDistanceM;
  Optics optics{.channels = channels,
                .lens = thin,
                .aperture = apertureOf(lens, scene),
                .point = offset.apertureM * (scene.focalPx / radius),
                .slope = offset.tilt * (radius / scene.focalPx),
                .curvature = static_cast<float>(double(radius) * fieldCurvaturePerPx2(lens, scene))};
  optics.lens.beta = radius / offset.focusDistanceM;
  return optics;
}

// Point `index` of an additive recurrence in [-1/2, 1/2)^2, shifted by `seed`. It uses the root of x^4 = x + 1, because
// aperturePoint() uses another root: then pairs of both points are spread evenly, too.
glm::vec2 pixelPoint(int index, int seed) {
  constexpr double kRoot = 1.22074408460575947536;
  const double n = index + 0.5 + 7919.0 * seed;
  return glm::vec2(glm::fract(n / glm::dvec2(kRoot, kRoot * kRoot)) - 0.5);
}

class Reference final : public Lens {
 public:
  Reference() : add_({"lens/reference/add.comp"}) {}

  void resize(glm::ivec2 size) override {
    for (auto& sum : sums_) sum = gl::Texture(GL_RGBA32F, size);
    timeS_.reset();
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
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
    for (int drawn = 0; done_ < samples_ && goesOn(drawn); ++drawn, ++done_) addSample(inputs, timings);
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
  // Adds a sample: one view, or one for each channel if they focus apart.
  void addSample(const LensInputs& inputs, Timings& timings) {
    const bool apart = inputs.lens.axialColour != 0.0f;
    const glm::vec3 shifts = focusShifts(inputs.lens);
    for (int channel = 0; channel < (apart ? 3 : 1); ++channel) {
      ViewOffset offset = viewOffset(inputs.lens, inputs.scene, done_, apart ? shifts[channel] : 0.0f);
      if (inputs.lens.jitter) offset.pixel = pixelPoint(done_, inputs.lens.lensSeed);
      const SceneFrame frame = inputs.redraw->draw(offset, nullptr);
      const auto scope = timings.gpu("accumulate");
      frame.colour->bind(0);
      frame.depth->bind(1);
      glBindImageTexture(0, sums_[static_cast<std::size_t>(done_ % 2)].name(), 0, GL_FALSE, 0, GL_READ_WRITE,
                         GL_RGBA32F);
      const auto drawn = [&](int of) { return !apart || channel == of ? 1.0f : 0.0f; };
      optics_.bind(0, opticsOf(inputs, offset, {drawn(0), drawn(1), drawn(2), drawn(1)}));
      add_.dispatch(sums_[0].size());
    }
  }

  gl::Program add_;
  gl::ParameterBlock optics_{sizeof(Optics)};
  MeanOfSums mean_;
  std::array<gl::Texture, 2> sums_;  // of the even samples, of the odd samples
  std::optional<double> timeS_;      // of the samples in sums_; none if there are no samples
  int done_ = 0, samples_ = 1;
  bool jumped_ = false,
       moving_ = false;  // the time of the scene changed: in the last draw(), in the last two
};

}  // namespace

void MeanOfSums::draw(const gl::Texture& a, const gl::Texture& b, const gl::Framebuffer& output) const {
  program_.use();
  a.bind(0);
  b.bind(1);
  gl::drawFullScreen(output.name(), a.size());
}

ViewOffset viewOffset(const LensSettings& lens, const SceneFacts& scene, int index, float shift) {
  const ThinLens thin = thinLens(lens, scene.sensorPx(), scene.nearM);
  // The radius of the aperture. A view from there shifts a point at z by R = K (1 - S/z) pixels.
  const float apertureM = thin.beta * lens.focusDistanceM / scene.focalPx;
  const glm::vec2 point = aperturePoint(lens, index);
  if (lens.spherical != 0.0f) shift += lens.spherical * (glm::dot(point, point) - 2.0f / 3.0f);
  return {point * glm::vec2(apertureM * lens.anamorphicRatio, apertureM),
          shift == 0.0f ? lens.focusDistanceM : 1.0f / (1.0f / lens.focusDistanceM + shift), lens.nearScale,
          lens.farScale, tiltSlope(lens, scene)};
}

std::unique_ptr<Lens> makeReferenceLens() { return std::make_unique<Reference>(); }

}  // namespace satdof
