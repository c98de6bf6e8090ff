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

  // farSums() of shaders/lens/layered/far.glsl: bilinear between the cells of a level. `at`: in pixels.
  SATDOF_INLINE Float4 ofLevel(glm::vec2 at, size_t level) const {
    const Level& from = levels_[level];
    const glm::vec2 place = at * (1.0f / static_cast<float>(2 << level)) + 0.5f;  // > 0
    const glm::ivec2 above(place), low = glm::max(above - 1, glm::ivec2(0)),
                                   high = glm::min(above, from.size - 1);
    const glm::vec2 f = place - glm::vec2(above);
    const Float4 &first = from.cells[from.index(low)], &second = from.cells[from.index({high.x, low.y})],
                 &third = from.cells[from.index({low.x, high.y})], &fourth = from.cells[from.index(high)];
    const Float4 lower = first * (1.0f - f.x) + second * f.x, upper = third * (1.0f - f.x) + fourth * f.x;
    return lower * (1.0f - f.y) + upper * f.y;
  }

  // For shaders/lens/layered/far.glsl.
  glm::vec3 farCell(glm::ivec2 cell, int level) const {
    const Level& from = levels_[static_cast<size_t>(level)];
    const Float4& values = from.cells[from.index(cell)];
    return {values[0], values[1], values[2]};
  }
  glm::ivec2 farSize(int level) const { return levels_[static_cast<size_t>(level)].size; }

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
    const Float4 mixed = between > 0.0f ? cell * (1.0f - between) + ofLevel(at, fine + 1) * between : cell;
    return {mixed[0], mixed[1], mixed[2]};
  }
};

}  // namespace satdof
