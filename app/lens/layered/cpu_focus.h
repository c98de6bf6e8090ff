#pragma once
#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include <glm/glm.hpp>

#include "app/core/pixels.h"
#include "app/device/cpu/vector4.h"
#include "shaders/lens/layered/compose.h"

// The focus layer in main memory: shaders/lens/layered/focus.glsl.
namespace satdof {

// The pixels of a tile and around it, as far as discs of the focus layer reach. Each channel has a plane, so that loops
// over a row vectorise.
template <int kTilePx>
class FocusTile {
 public:
  // Whether a pixel spreads to pixels of the tile [from, from + kTilePx).
  SATDOF_INLINE static bool anySoft(const FocusDiscs& discs, std::span<const float> radii, glm::ivec2 size,
                                    glm::ivec2 from) {
    const glm::ivec2 reach(discs.rows[0].z, glsl::kFocusReach);
    const glm::ivec2 low = glm::max(from - reach, glm::ivec2(0)), high = glm::min(from + kTilePx + reach, size);
    for (int y = low.y; y < high.y; ++y) {
      bool soft = false;
      for (std::size_t i = pixelIndex(size, {low.x, y}), end = pixelIndex(size, {high.x - 1, y}); i <= end; ++i)
        soft |= glsl::isSoft(radii[i]);
      if (soft) return true;
    }
    return false;
  }

  SATDOF_INLINE FocusTile(const FocusDiscs& discs, std::span<const glm::vec4> colour, std::span<const float> radii,
                          glm::ivec2 size, glm::ivec2 from)
      : discs_(discs) {
    const int reachX = discs.rows[0].z;
    for (int y = 0; y < kHigh; ++y)
      for (int x = 0; x < kTilePx + 2 * reachX; ++x) {
        const glm::ivec2 q(std::clamp(from.x + x - reachX, 0, size.x - 1),
                           std::clamp(from.y + y - glsl::kFocusReach, 0, size.y - 1));
        put(static_cast<std::size_t>(y), static_cast<std::size_t>(x), colour[pixelIndex(size, q)],
            radii[pixelIndex(size, q)]);
      }
  }

  // Writes the focus layer at the pixels of row y of the tile.
  SATDOF_INLINE void gather(int y, std::array<glsl::FocusLayer, kTilePx>& layers) const {
    std::array<Row, kSums> sums{};
    for (int dy = -glsl::kFocusReach; dy <= glsl::kFocusReach; ++dy) {
      const glm::ivec4 reach = discs_.rows[std::abs(dy)];
      const auto row = static_cast<std::size_t>(y + glsl::kFocusReach + dy);
      for (int dx = -reach.z; dx <= reach.z; ++dx) {
        const auto disc = static_cast<std::size_t>(glsl::focusDisc(reach, dx));
        const auto at = static_cast<std::size_t>(discs_.rows[0].z + dx);
        const float* const weight = &weights_[disc][row][at];
        for (std::size_t i = 0; i < kTilePx; ++i) sums[3][i] += weight[i];
        for (std::size_t channel = 0; channel < 3; ++channel) {
          const float* const light = &light_[channel][row][at];
          for (std::size_t i = 0; i < kTilePx; ++i) sums[channel][i] += weight[i] * light[i];
        }
        for (std::size_t part = 0; part < 2; ++part) {
          const float* const far = &far_[part][row][at];
          for (std::size_t i = 0; i < kTilePx; ++i) sums[4 + part][i] += far[i];
        }
      }
    }
    for (std::size_t i = 0; i < kTilePx; ++i)
      layers[i] = {{sums[0][i], sums[1][i], sums[2][i], sums[3][i]}, {sums[4][i], sums[5][i]}};
  }

 private:
  static constexpr int kWide = kTilePx + 2 * glsl::kMaxFocusReachX, kHigh = kTilePx + 2 * glsl::kFocusReach;
  static constexpr std::size_t kSums = 6;
  using Row = std::array<float, kTilePx>;
  using Channel = std::array<std::array<float, kWide>, kHigh>;

  SATDOF_INLINE void put(std::size_t y, std::size_t x, const glm::vec4& colour, float r) {
    const glsl::FocusSource source = glsl::focusSource(glm::vec3(colour), r, discs_.areas);
    for (int i = 0; i < 3; ++i) {
      light_[static_cast<std::size_t>(i)][y][x] = source.light[i];
      weights_[static_cast<std::size_t>(i)][y][x] = source.weights[i];
    }
    far_[0][y][x] = r * source.light.w;
    far_[1][y][x] = source.light.w;
  }

  const FocusDiscs& discs_;
  std::array<Channel, 3> light_;
  std::array<Channel, 3> weights_;  // FocusSource::weights
  std::array<Channel, 2> far_;      // R farPart(R), farPart(R)
};

}  // namespace satdof
