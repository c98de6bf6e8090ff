#pragma once
#include <glm/vec2.hpp>
#include <optional>
#include <span>

namespace satdof {

// All functions take two display-encoded RGB images with values in [0, 1]: three floats a pixel, rows in the
// same order. They throw std::runtime_error if a span does not hold size.x * size.y * 3 values.

// Peak signal-to-noise ratio in dB over all channels, 10 log10(1 / mean squared error). Infinite for equal
// images.
double psnr(std::span<const float> a, std::span<const float> b, glm::ivec2 size);

// Side of the window of ssim() in pixels.
inline constexpr int kSsimWindow = 11;

// Mean structural similarity (Wang et al. 2004): Gaussian window of 11 x 11, sigma 1.5, K1 = .01, K2 = .03,
// averaged over the three channels and over the pixels whose window lies inside the image. Throws
// std::runtime_error for an image below 11 x 11.
double ssim(std::span<const float> a, std::span<const float> b, glm::ivec2 size);

// Mean FLIP error (Andersson et al. 2020) at 67 pixels per degree: 0 for equal images, at most 1. None in a
// build without NVIDIA's FLIP.h.
std::optional<double> flip(std::span<const float> reference, std::span<const float> test, glm::ivec2 size);

// Throws std::runtime_error unless both spans hold size.x * size.y * 3 values.
void requireImages(std::span<const float> a, std::span<const float> b, glm::ivec2 size);

struct ImageMetrics {
  double psnrDb = 0;           // infinite for equal images
  std::optional<double> ssim;  // none for an image below 11 x 11
  std::optional<double> flip;  // only from compare()
};

// PSNR and SSIM.
ImageMetrics imageMetrics(std::span<const float> a, std::span<const float> b, glm::ivec2 size);

}  // namespace satdof
