#include "app/quality/metrics.h"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/core/pixels.h"

namespace satdof {

namespace {

constexpr int kWindow = kSsimWindow;
constexpr int kRadius = kWindow / 2;
constexpr double kSigma = 1.5;

std::array<double, kWindow> gaussian() {
  std::array<double, kWindow> weights{};
  double sum = 0;
  for (int i = 0; i < kWindow; ++i)
    sum += weights[i] = std::exp(-(i - kRadius) * (i - kRadius) / (2 * kSigma * kSigma));
  for (auto& weight : weights) weight /= sum;
  return weights;
}

// Windowed means of a, b, a^2, b^2 and ab.
struct Moments {
  double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  void add(double weight, const Moments& m) {
    a += weight * m.a;
    b += weight * m.b;
    aa += weight * m.aa;
    bb += weight * m.bb;
    ab += weight * m.ab;
  }
};

}  // namespace

void requireImages(std::span<const float> a, std::span<const float> b, glm::ivec2 size) {
  const auto expected = pixelCount(size) * 3;
  if (a.size() != expected || b.size() != expected)
    throw std::runtime_error("cannot compare two images of " + std::to_string(size.x) + "x" + std::to_string(size.y) +
                             ": they hold " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                             " values, not " + std::to_string(expected));
}

double psnr(std::span<const float> a, std::span<const float> b, glm::ivec2 size) {
  requireImages(a, b, size);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - b[i];
    sum += difference * difference;
  }
  if (sum == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(static_cast<double>(a.size()) / sum);
}

double ssim(std::span<const float> a, std::span<const float> b, glm::ivec2 size) {
  requireImages(a, b, size);
  if (size.x < kWindow || size.y < kWindow)
    throw std::runtime_error("cannot compute SSIM of " + std::to_string(size.x) + "x" + std::to_string(size.y) +
                             " pixels: the window needs at least 11x11");
  constexpr double c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
  static const auto weights = gaussian();
  const int innerWidth = size.x - 2 * kRadius;
  double total = 0;
  std::vector<Moments> rows(static_cast<std::size_t>(kWindow) * innerWidth);
  for (int channel = 0; channel < 3; ++channel) {
    for (int y = 0; y < size.y; ++y) {
      Moments* row = &rows[static_cast<std::size_t>(y % kWindow) * innerWidth];
      for (int x = 0; x < innerWidth; ++x) {
        row[x] = {};
        for (int i = 0; i < kWindow; ++i) {
          const auto index = (static_cast<std::size_t>(y) * size.x + x + i) * 3 + channel;
          const double va = a[index], vb = b[index];
          row[x].add(weights[i], {va, vb, va * va, vb * vb, va * vb});
        }
      }
      if (y < kWindow - 1) continue;
      for (int x = 0; x < innerWidth; ++x) {
        Moments m;
        for (int i = 0; i < kWindow; ++i)
          m.add(weights[i], rows[static_cast<std::size_t>((y - kWindow + 1 + i) % kWindow) * innerWidth + x]);
        const double varianceA = m.aa - m.a * m.a, varianceB = m.bb - m.b * m.b, covariance = m.ab - m.a * m.b;
        total += ((2 * m.a * m.b + c1) * (2 * covariance + c2)) /
                 ((m.a * m.a + m.b * m.b + c1) * (varianceA + varianceB + c2));
      }
    }
  }
  return total / (3.0 * innerWidth * (size.y - 2 * kRadius));
}

ImageMetrics imageMetrics(std::span<const float> a, std::span<const float> b, glm::ivec2 size) {
  ImageMetrics metrics{.psnrDb = psnr(a, b, size), .ssim = std::nullopt, .flip = std::nullopt};
  if (size.x >= kSsimWindow && size.y >= kSsimWindow) metrics.ssim = ssim(a, b, size);
  return metrics;
}

}  // namespace satdof
