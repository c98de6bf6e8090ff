#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace satdof {

// How often each displayed value occurs in an image.
struct Histogram {
  static constexpr std::size_t kBins = 256;
  std::array<std::array<std::uint32_t, kBins>, 3> counts{};  // red, green, blue
  std::size_t pixels = 0;
  std::size_t black = 0, white = 0;  // pixels with a channel at the lower, at the upper end
};

}  // namespace satdof
