#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace satdof {

// Histogram of the displayed values of an image.
struct Histogram {
  static constexpr std::size_t kBins = 256;
  std::array<std::array<std::uint32_t, kBins>, 3> counts{};  // red, green, blue
  std::size_t pixels = 0;
  std::size_t black = 0, white = 0;  // clipped pixels: with a channel at 0, with a channel at 255
};

}  // namespace satdof
