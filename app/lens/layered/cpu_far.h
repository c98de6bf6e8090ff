#pragma once
#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <vector>

#include "app/core/thread_pool.h"
#include "app/device/cpu/vector4.h"
#include "shaders/lens/layered/background.h"

namespace satdof {

// A pyramid of means. Cells of level 0 have 2 pixels a side.
class MeanPyramid {
 public:
  void resize(glm::ivec2 imageSize) {
    glm::ivec2 size = glsl::fillSizeOf(imageSize);
    for (Level& level : levels_) {
      level = {size, std::vector<Float4>(static_cast<size_t>(size.x) * static_cast<size_t>(size.y))};
      size /= 2;
    }
  }

  // `cellOf`: the values of a pixel, by its index in an image of this size.
  template <class CellOf>
  void build(glm::ivec2 size, ThreadPool& pool, const CellOf& cellOf) {
    merge(0, pool, [&](glm::ivec2 at) {
      at = glm::min(at, size - 1);
      const glm::vec3 cell =
          cellOf(static_cast<size_t>(at.y) * static_cast<size_t>(size.x) + static_cast<size_t>(at.x));
      return Float4{cell.x, cell.y, cell.z, 0.0f};
    });
    for (size_t level = 1; level < levels_.size(); ++level)
      merge(level, pool,
            [&, &below = levels_[level - 1]](glm::ivec2 at) { return below.cells[below.index(at)]; });
  }

  // Bilinear between the cells of a level. `at`: in pixels.
  SATDOF_INLINE Float4 ofLevel(glm::vec2 at, size_t level) const {
    const Level& from = levels_[level];
    const glm::vec2 place = at * (1.0f / static_cast<float>(2 << level)) + 0.5f;  // > 0
    const glm::ivec2 above(place), low = glm::max(above - 1, glm::ivec2(0)),
                                   high = glm::min(above, from.size - 1);
    const glm::vec2 f = place - glm::vec2(above);
    const Float4 &first = from.cells[from.index(low)], &second = from.cells[from.index({high.x, low.y})],
                 &third = from.cells[from.index({low.x, high.y})], &fourth = from.cells[from.index(high)];
    const Float4 lower = first + (second - first) * f.x, upper = third + (fourth - third) * f.x;
    return lower + (upper - lower) * f.y;
  }

 private:
  struct Level {
    glm::ivec2 size{0};
    std::vector<Float4> cells;

    SATDOF_INLINE size_t index(glm::ivec2 cell) const {
      return static_cast<size_t>(cell.y) * static_cast<size_t>(size.x) + static_cast<size_t>(cell.x);
    }
  };

  // `below`: the cell of the level below, or of a pixel.
  template <class Below>
  void merge(size_t level, ThreadPool& pool, const Below& below) {
    Level& to = levels_[level];
    pool.forEach(to.size.y, [&](int y) {
      for (int x = 0; x < to.size.x; ++x) {
        const glm::ivec2 at(2 * x, 2 * y);
        to.cells[to.index({x, y})] =
            0.25f * (below(at) + below(at + glm::ivec2(1, 0)) + below(at + glm::ivec2(0, 1)) + below(at + 1));
      }
    });
  }

  std::array<Level, glsl::kFillLevels> levels_;
};

// The pyramid of HiddenNear::sums.
class HiddenPyramid : public MeanPyramid {
 public:
  // For shaders/lens/layered/compose.glsl.
  SATDOF_INLINE glm::vec3 hiddenLevel(glm::vec2 at, float level) const {
    const float clamped = std::clamp(level, 0.0f, static_cast<float>(glsl::kFillLevels - 1));
    const auto fine = static_cast<size_t>(clamped);
    const float between = clamped - static_cast<float>(fine);
    const Float4 cell = ofLevel(at, fine);
    const Float4 mixed = between > 0.0f ? cell + (ofLevel(at, fine + 1) - cell) * between : cell;
    return {mixed[0], mixed[1], mixed[2]};
  }
};

// The pyramid of shaders/lens/layered/far.glsl.
class FarPyramid : public MeanPyramid {
 public:
  // gatheredRadius() of shaders/lens/layered/far.glsl.
  SATDOF_INLINE float gatheredRadius(glm::vec2 at, float b) const {
    if (b <= glsl::kFarPx) return b;
    const Float4 sums = sumsAround(at, b);
    return glsl::shrunkRadius({sums[0], sums[1], sums[2]}, b);
  }

  // radiusBehind() of shaders/lens/layered/far.glsl.
  SATDOF_INLINE float radiusBehind(const MiddleRule& rule, glm::vec2 at, float b, float hiddenRadius,
                                   float there) const {
    const float far = glsl::beyondPart(rule, glsl::kMiddleLayers, b);
    if (b <= glsl::kFarPx || far >= 1.0f) return b;
    const Float4 sums = sumsAround(at, rule.far.y);
    return glsl::radiusBehindMean({sums[0], sums[1]}, far, b, hiddenRadius, there);
  }

 private:
  // In the disc of radius b.
  SATDOF_INLINE Float4 sumsAround(glm::vec2 at, float b) const {
    const glsl::FarLevel level = glsl::farLevel(b);
    const auto fine = static_cast<size_t>(level.fine);
    const Float4 sums = ofLevel(at, fine);
    return level.coarser > 0.0f ? sums + (ofLevel(at, fine + 1) - sums) * level.coarser : sums;
  }
};

}  // namespace satdof
