#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <limits>
#include <span>
#include <vector>

#include "app/core/thread_pool.h"
#include "app/device/cpu/vector4.h"
#include "shaders/lens/layered/background.h"
#include "shaders/lens/layered/compose.h"

namespace satdof {

inline size_t pixelsOf(glm::ivec2 size) { return static_cast<size_t>(size.x) * static_cast<size_t>(size.y); }

// The pixels [from, to) of a tile.
struct PixelTile {
  glm::ivec2 from{0}, to{0};
  size_t index = 0;
};

// The pyramid for hole filling: shaders/lens/layered/fill.glsl.
class FillPyramid {
 public:
  void resize(glm::ivec2 imageSize) {
    glm::ivec2 size = glsl::fillSizeOf(imageSize);
    for (auto& level : levels_) {
      const size_t cells = pixelsOf(size);
      level = {size, std::vector<Cell>(cells), std::vector<float>(cells)};
      size /= 2;
    }
  }

  // `cellOf`: the cell of a pixel, by its index in an image of this size.
  template <class CellOf>
  void build(glm::ivec2 size, ThreadPool& pool, const CellOf& cellOf) {
    merge(0, pool, [&](glm::ivec2 at) {
      at = glm::min(at, size - 1);
      return cellOf(static_cast<size_t>(at.y) * static_cast<size_t>(size.x) + static_cast<size_t>(at.x));
    });
    for (int level = 1; level < glsl::kFillLevels; ++level)
      merge(level, pool, [&](glm::ivec2 at) {
        const Level& below = levels_[static_cast<size_t>(level - 1)];
        return glsl::FillCell(below.cells[below.index(at)]);
      });
  }

  // The first level with a cell that a pixel of radius r in the tile takes.
  int firstLevel(const PixelTile& tile, float r) const {
    int level = 0;
    while (level < glsl::kFillLevels &&
           !anyAround(tile, level, &Level::radii, [&](float v) { return v > glsl::kFillLimit * r; }))
      ++level;
    return level;
  }

  // Whether all pixels within `reach` of the tile are near, as far as nearLevel() tells.
  bool allNear(const PixelTile& tile, float reach) const {
    const int level = std::min(static_cast<int>(std::ceil(glsl::tentLevel(reach))), glsl::kFillLevels - 1);
    return !anyAround(tile, level, &Level::cells, [](const Cell& cell) { return cell.radii.y < 1.0f; });
  }

  // filledBehind() of shaders/lens/layered/background.glsl for all levels from `level` on.
  SATDOF_INLINE glsl::Filled filledBehind(glm::ivec2 p, float r, int level) const {
    Float4 sum{};
    float part = 0.0f;
    for (; level < glsl::kFillLevels && part < 1.0f; ++level) {
      const Level& from = levels_[static_cast<size_t>(level)];
      const Corners corners = cornersAround(glm::vec2(p) + 0.5f, level);
      const std::array cells = {&from.cells[corners.at[0]], &from.cells[corners.at[1]],
                                &from.cells[corners.at[2]], &from.cells[corners.at[3]]};
      const Float4 radii{cells[0]->radius, cells[1]->radius, cells[2]->radius, cells[3]->radius};
      const Float4 weights{cells[0]->behind.w, cells[1]->behind.w, cells[2]->behind.w, cells[3]->behind.w};
      const Float4 covered{cells[0]->radii.w, cells[1]->radii.w, cells[2]->radii.w, cells[3]->radii.w};
      Float4 share = (radii - glsl::kFillLimit * r) / std::max(-glsl::kFillRamp * r, glsl::kLeastFillRampPx);
      share = share < 1.0f ? share : Float4{} + 1.0f;
      share = (share > 0.0f ? share : Float4{}) * corners.share;
      const float sumWeight = sumOf(share * weights);
      if (sumWeight <= 0.0f) continue;
      Float4 ofLevel{};
      for (int i = 0; i < 4; ++i) {
        if (share[i] <= 0.0f) continue;
        Float4 light = loadVector<Float4>(&cells[static_cast<size_t>(i)]->behind);
        light[3] *= std::abs(radii[i]);
        ofLevel += light * share[i];
      }
      const float taken = (1.0f - part) * std::min(glsl::kFillGain * sumOf(share * covered), 1.0f);
      sum += ofLevel * (taken / sumWeight);
      part += taken;
    }
    return {{sum[0], sum[1], sum[2], sum[3]}, part};
  }

  // The part of near surfaces around `at`, pixels, and its radius, as OpenGL filters a texture between texels and levels.
  SATDOF_INLINE glm::vec2 nearLevel(glm::vec2 at, float level) const {
    const float clamped = std::clamp(level, 0.0f, static_cast<float>(glsl::kFillLevels - 1));
    const int low = static_cast<int>(clamped), high = std::min(low + 1, glsl::kFillLevels - 1);
    return glm::mix(near(at, low), near(at, high), clamped - static_cast<float>(low));
  }

  // For shaders/lens/layered/background.glsl.
  glsl::FillCell fillCell(glm::ivec2 cell, int level) const {
    const Level& from = levels_[static_cast<size_t>(level)];
    return from.cells[from.index(cell)];
  }
  glm::ivec2 fillSize(int level) const { return levels_[static_cast<size_t>(level)].size; }

 private:
  struct alignas(32) Cell : glsl::FillCell {
    float radius = 0.0f;  // mean of what the cell covers; lowest() if that is nothing
  };
  struct Level {
    glm::ivec2 size{0};
    std::vector<Cell> cells;
    std::vector<float> radii;  // of the cells, for firstLevel()

    size_t index(glm::ivec2 cell) const {
      return static_cast<size_t>(cell.y) * static_cast<size_t>(size.x) + static_cast<size_t>(cell.x);
    }
  };
  // The four cells around a place and their bilinear shares.
  struct Corners {
    std::array<size_t, 4> at;
    Float4 share;
  };

  SATDOF_INLINE static float sumOf(Float4 v) { return v[0] + v[1] + v[2] + v[3]; }

  SATDOF_INLINE Corners cornersAround(glm::vec2 at, int level) const {
    const Level& from = levels_[static_cast<size_t>(level)];
    const glm::ivec2 last = from.size - 1;
    const glm::vec2 place = at * (1.0f / static_cast<float>(2 << level)) + 0.5f;  // > 0
    const glm::ivec2 above(place);
    const glm::vec2 f = place - glm::vec2(above);
    const glm::ivec2 low = glm::max(above - 1, glm::ivec2(0)), high = glm::min(above, last);
    return {{from.index(low), from.index({high.x, low.y}), from.index({low.x, high.y}), from.index(high)},
            Float4{(1.0f - f.x) * (1.0f - f.y), f.x * (1.0f - f.y), (1.0f - f.x) * f.y, f.x * f.y}};
  }

  // Whether a value of the cells around the pixels of the tile passes the test.
  template <class T, class Test>
  bool anyAround(const PixelTile& tile, int level, std::vector<T> Level::*values, const Test& test) const {
    const Level& from = levels_[static_cast<size_t>(level)];
    const int shift = level + 1;
    const glm::ivec2 low = glm::max((tile.from >> shift) - 1, glm::ivec2(0));
    const glm::ivec2 high = glm::min(((tile.to - 1) >> shift) + 1, from.size - 1);
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x)
        if (test((from.*values)[from.index({x, y})])) return true;
    return false;
  }

  // `below`: the cell of the level below, or of a pixel.
  template <class Below>
  void merge(int level, ThreadPool& pool, const Below& below) {
    Level& to = levels_[static_cast<size_t>(level)];
    pool.forEach(to.size.y, [&](int y) {
      for (int x = 0; x < to.size.x; ++x) {
        const glm::ivec2 at(2 * x, 2 * y);
        glsl::FillCell cells[4] = {below(at), below(at + glm::ivec2(1, 0)), below(at + glm::ivec2(0, 1)),
                                   below(at + 1)};
        Cell cell{glsl::mergedCell(cells)};
        cell.radius =
            cell.behind.w > 0.0f ? cell.radii.x / cell.behind.w : std::numeric_limits<float>::lowest();
        const size_t index = to.index({x, y});
        to.cells[index] = cell;
        to.radii[index] = cell.radius;
      }
    });
  }

  SATDOF_INLINE glm::vec2 near(glm::vec2 at, int level) const {
    const Corners corners = cornersAround(at, level);
    const Level& from = levels_[static_cast<size_t>(level)];
    glm::vec2 sum(0.0f);
    for (int i = 0; i < 4; ++i) {
      const glm::vec4 radii = from.cells[corners.at[static_cast<size_t>(i)]].radii;
      sum += glm::vec2(radii.y, radii.z) * corners.share[i];
    }
    return sum;
  }

  std::array<Level, glsl::kFillLevels> levels_;
};

}  // namespace satdof
