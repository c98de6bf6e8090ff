#include "app/lens/aperture/diffraction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "app/lens/aperture/image.h"
#include "shaders/bokeh/sprite.h"

namespace satdof {

namespace {

constexpr std::array kWavelengthsMm = {611e-6, 549e-6, 464e-6};
constexpr int kRadius = 48;  // of the aperture, in samples

// Pixels of one order: the wavelength of green light times the f-number. The first dark ring of a disc has a radius of
// 1.22 orders.
double orderPx(const LensSettings& lens, int sensorPx) {
  return kWavelengthsMm[1] * double(lens.fNumber) * sensorPx / double(lens.sensorHeightMm);
}

// The transmission of the aperture at 2 kRadius samples a side, bottom row first.
std::vector<float> sampledAperture(const LensSettings& lens, const SceneFacts& scene) {
  SpriteRule rule;
  rule.aperture = apertureOf(lens, scene);
  rule.aperture.catEye = rule.aperture.spherical = 0.0f;
  rule.aperture.anamorphicRatio = rule.aperture.scale = 1.0f;
  ApertureTable table;
  if (const ApertureImage* image = apertureImage(lens)) table.sums = image->table();
  const glsl::PreparedSprite sprite{{0.0f, 0.0f, kRadius, 1.5f * kRadius}, glm::vec4(0.0f), glm::vec4(0.0f)};
  std::vector<float> open;
  for (int y = -kRadius; y < kRadius; ++y)
    for (int x = -kRadius; x < kRadius; ++x)
      open.push_back(glsl::spriteCoverage(table, rule, sprite, glm::vec2(x, y) + 0.5f));
  return open;
}

}  // namespace

int diffractionPx(const LensSettings& lens, int sensorPx) {
  constexpr double kOrders = 24.0;
  constexpr int kMaxPx = 16;
  const double reach = kOrders * orderPx(lens, sensorPx);
  return reach < 0.5 ? 0 : std::min(static_cast<int>(std::ceil(reach)), kMaxPx);
}

std::vector<glm::vec4> diffraction(const LensSettings& lens, const SceneFacts& scene) {
  using Complex = std::complex<float>;
  const std::vector<float> open = sampledAperture(lens, scene);
  const int reach = diffractionPx(lens, scene.sensorPx()), side = 2 * reach + 1;
  // Sample places per pixel along each axis: at most half an order apart, so that they miss no ring.
  const int parts = std::max(2, static_cast<int>(std::ceil(2.0 / orderPx(lens, scene.sensorPx()))));
  const int places = side * parts;
  constexpr int kSamples = 2 * kRadius;
  std::vector<glm::vec4> spread(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), glm::vec4(0.0f));
  for (int channel = 0; channel < 3; ++channel) {
    // From one sample of the aperture to the next, the phase turns by pi / kRadius per order of the place in the image.
    const double orderOfPx = double(lens.sensorHeightMm) / scene.sensorPx() /
                             (kWavelengthsMm[static_cast<std::size_t>(channel)] * double(lens.fNumber));
    const auto wave = [&](int place, int sample, double ratio) {
      const double px = (place + 0.5) / parts - 0.5 * side;
      const double phase = std::numbers::pi * px * orderOfPx * ratio * (sample + 0.5 - kRadius) / kRadius;
      return Complex(static_cast<float>(std::cos(phase)), static_cast<float>(std::sin(phase)));
    };
    const auto waves = [&](double ratio) {
      std::vector<Complex> of;
      for (int place = 0; place < places; ++place)
        for (int sample = 0; sample < kSamples; ++sample) of.push_back(wave(place, sample, ratio));
      return of;
    };
    const std::vector<Complex> alongX = waves(double(lens.anamorphicRatio)), alongY = waves(1.0);
    const auto at = [](int row, int column) { return static_cast<std::size_t>(row * kSamples + column); };
    double sum = 0.0;
    std::vector<Complex> rows(kSamples);
    for (int x = 0; x < places; ++x) {
      for (int y = 0; y < kSamples; ++y) {
        Complex total = 0.0f;
        for (int sample = 0; sample < kSamples; ++sample) total += open[at(y, sample)] * alongX[at(x, sample)];
        rows[static_cast<std::size_t>(y)] = total;
      }
      for (int y = 0; y < places; ++y) {
        Complex field = 0.0f;
        for (int sample = 0; sample < kSamples; ++sample)
          field += rows[static_cast<std::size_t>(sample)] * alongY[at(y, sample)];
        spread[static_cast<std::size_t>(y / parts * side + x / parts)][channel] += std::norm(field);
        sum += double(std::norm(field));
      }
    }
    for (glm::vec4& pixel : spread) pixel[channel] = static_cast<float>(double(pixel[channel]) / sum);
  }
  return spread;
}

}  // namespace satdof
