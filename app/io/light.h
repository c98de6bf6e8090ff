#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/gtc/packing.hpp>

// Encodings of light in images.
namespace satdof {

// Returns linear light as a half float, clamped to [0, 65504]; 0 for NaN.
inline std::uint16_t half(float linear) {
  constexpr float kMax = 65504.0f;
  return glm::packHalf1x16(linear > 0.0f ? std::min(linear, kMax) : 0.0f);
}

// Returns the linear light of an sRGB value from 0 to 1.
inline float decodeSrgb(float v) { return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f); }

// Returns the sRGB value of linear light, clamped to [0, 1]; 0 for NaN.
inline float srgbOf(float linear) {
  const float v = linear > 0.0f ? std::min(linear, 1.0f) : 0.0f;
  return v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1.0f / 2.4f) - 0.055f;
}
// The same as an integer of 8 bits.
inline std::uint8_t encodeSrgb(float linear) { return static_cast<std::uint8_t>(std::lround(255.0f * srgbOf(linear))); }

}  // namespace satdof
