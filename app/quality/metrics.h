#pragma once
#include <glm/vec2.hpp>
#include <span>

namespace satdof {

// Both take two display-encoded RGB images with values in [0, 1], three floats a pixel, rows in the same
// order. Throw std::runtime_error when the spans do not hold size.x * size.y * 3 values.

// Peak signal-to-noise ratio in dB over all channels, 10 log10(1 / mean squared error). Infinite for equal
// images.
double psnr(std::span<const float> a, std::span<const float> b, glm::ivec2 size);

// Side of the window of ssim().
inline constexpr int kSsimWindow = 11;

// Mean structural similarity (Wang et al. 2004): Gaussian window of 11 x 11, sigma 1.5, K1 = .01, K2 = .03,
// the mean of the three channels, over the pixels whose window lies inside the image. At least 11 x 11
// pixels.
double ssim(std::span<const float> a, std::span<const float> b, glm::ivec2 size);

}  // namespace satdof
