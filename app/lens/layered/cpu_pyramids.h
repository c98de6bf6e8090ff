#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <limits>
#include <vector>

#include "app/core/pixels.h"
#include "app/core/system/thread_pool.h"
#include "app/device/cpu/vector4.h"
#include "shaders/lens/layered/background.h"
#include "shaders/lens/layered/compose.h"

// The pyramids of the layered lens in main memory, and vectorised versions of functions of shaders/lens/layered/ that
// read them. They give the same bits: see tests/lens/layered_pyramids_test.cpp.
namespace satdof {

// The pixels [from, to) of a tile.
struct PixelTile {
  glm::ivec2 from{0}, to{0};
  std::size_t index = 0;
};

// A pyramid of cells. Cells of level 0 have 2 pixels a side; each level above has half the cells along each axis.
template <class Cell>
class CpuPyramid {
 public:
  void resize(glm::ivec2 imageSize) {
    glm::ivec2 size = glsl::fillSizeOf(imageSize);
    for (Level& level : levels_) {
      level = {size, std::vector<Cell>(pixelCount(size))};
      size /= 2;
    }
  }

  // Writes all levels. pixel(i): the cell of pixel i of an image of this size. merged(a, b, c, d): the cell above four
  // cells.
  template <class Pixel, class Merged>
  void build(glm::ivec2 size, ThreadPool& pool, const Pixel& pixel, const Merged& merged) {
    merge(
        levels_[0], pool,
        [&](glm::ivec2 at) {
          at = glm::min(at, size - 1);
          return pixel(pixelIndex(size, at));
        },
        merged);
    for (std::size_t level = 1; level < levels_.size(); ++level)
      merge(
          levels_[level], pool, [&below = levels_[level - 1]](glm::ivec2 at) -> const Cell& { return below.at(at); },
          merged);
  }

  glm::ivec2 size(int level) const { return levels_[static_cast<std::size_t>(level)].size; }
  SATDOF_INLINE const Cell& at(glm::ivec2 cell, int level) const {
    return levels_[static_cast<std::size_t>(level)].at(cell);
  }

  // The four cells around a place in pixels, row by row, and the bilinear weights of the right and upper ones.
  struct Corners {
    std::array<const Cell*, 4> cells;
    glm::vec2 f;
  };
  SATDOF_INLINE Corners cornersAround(glm::vec2 at, int level) const {
    const Level& from = levels_[static_cast<std::size_t>(level)];
    const glm::vec2 place = at * (1.0f / static_cast<float>(2 << level)) + 0.5f;  // > 0
    const glm::ivec2 above(place), low = glm::max(above - 1, glm::ivec2(0)), high = glm::min(above, from.size - 1);
    return {{&from.at(low), &from.at({high.x, low.y}), &from.at({low.x, high.y}), &from.at(high)},
            place - glm::vec2(above)};
  }

 private:
  struct Level {
    glm::ivec2 size{0};
    std::vector<Cell> cells;

    SATDOF_INLINE const Cell& at(glm::ivec2 cell) const { return cells[pixelIndex(size, cell)]; }
  };

  // Writes a level. below(p): the cell at p of the level below, or of pixel p.
  template <class Below, class Merged>
  void merge(Level& to, ThreadPool& pool, const Below& below, const Merged& merged) {
    pool.forEach(to.size.y, [&](int y) {
      Cell* cell = &to.cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(to.size.x)];
      for (glm::ivec2 at(0, 2 * y); at.x < 2 * to.size.x; at.x += 2)
        *cell++ = merged(below(at), below(at + glm::ivec2(1, 0)), below(at + glm::ivec2(0, 1)), below(at + 1));
    });
  }

  std::array<Level, glsl::kFillLevels> levels_;
};

// A pyramid of means: of farCellOfPixel() in shaders/lens/layered/layers.glsl, or of HiddenNear::sums.
class MeanPyramid : public CpuPyramid<Float4> {
 public:
  template <class CellOf>
  void build(glm::ivec2 size, ThreadPool& pool, const CellOf& cellOf) {
    CpuPyramid::build(
        size, pool,
        [&](std::size_t pixel) {
          const glm::vec3 cell = cellOf(pixel);
          return Float4{cell.x, cell.y, cell.z, 0.0f};
        },
        [](const Float4& a, const Float4& b, const Float4& c, const Float4& d) { return 0.25f * (a + b + c + d); });
  }
};
// A MeanPyramid as shaders/lens/layered/levels.glsl reads it.
struct MeanLevels {
  const MeanPyramid* pyramid;
};
SATDOF_INLINE inline glm::vec4 ofLevel(const MeanLevels& means, glm::vec2 at, int level) {
  const auto [cells, f] = means.pyramid->cornersAround(at, level);
  const Float4 lower = *cells[0] * (1.0f - f.x) + *cells[1] * f.x, upper = *cells[2] * (1.0f - f.x) + *cells[3] * f.x;
  glm::vec4 mean;
  storeVector(&mean, lower * (1.0f - f.y) + upper * f.y);
  return mean;
}

struct alignas(32) CpuFillCell : glsl::FillCell {
  float radius = 0.0f;  // mean radius of the surfaces in `behind`; lowest() if there are none
};

// The pyramid for hole filling: shaders/lens/layered/fill.glsl.
class FillPyramid : public CpuPyramid<CpuFillCell> {
 public:
  template <class CellOf>
  void build(glm::ivec2 size, ThreadPool& pool, const CellOf& cellOf) {
    using Cell = glsl::FillCell;
    CpuPyramid::build(size, pool, cellOf, [](const Cell& a, const Cell& b, const Cell& c, const Cell& d) {
      Cell four[4] = {a, b, c, d};
      CpuFillCell cell{glsl::mergedCell(four)};
      cell.radius = cell.behind.w > 0.0f ? cell.radii.x / cell.behind.w : std::numeric_limits<float>::lowest();
      return cell;
    });
  }

  // The first level with a cell that fills a hole behind a surface of radius r in the tile.
  int firstLevel(const PixelTile& tile, float r) const {
    int level = 0;
    while (level < glsl::kFillLevels &&
           !anyAround(tile, level, [&](const CpuFillCell& cell) { return cell.radius > glsl::kFillLimit * r; }))
      ++level;
    return level;
  }

  // Whether the cells that FillRadii interpolates within `reach` of the tile have near pixels only.
  bool allNear(const PixelTile& tile, float reach) const {
    const int level = std::min(static_cast<int>(std::ceil(glsl::tentLevel(reach))), glsl::kFillLevels - 1);
    return !anyAround(tile, level, [](const CpuFillCell& cell) { return cell.radii.y < 1.0f; });
  }

 private:
  // Whether one of the cells around the pixels of the tile passes the test.
  template <class Test>
  bool anyAround(const PixelTile& tile, int level, const Test& test) const {
    const int shift = level + 1;
    const glm::ivec2 low = glm::max((tile.from >> shift) - 1, glm::ivec2(0));
    const glm::ivec2 high = glm::min(((tile.to - 1) >> shift) + 1, size(level) - 1);
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x)
        if (test(at({x, y}, level))) return true;
    return false;
  }
};

// The bilinear weights of CpuPyramid::Corners::cells.
SATDOF_INLINE inline Float4 sharesOf(glm::vec2 f) {
  return Float4{(1.0f - f.x) * (1.0f - f.y), f.x * (1.0f - f.y), (1.0f - f.x) * f.y, f.x * f.y};
}
SATDOF_INLINE inline float sumOf(Float4 v) { return v[0] + v[1] + v[2] + v[3]; }

// The pyramid of FillCell::behind.
struct FillBehind {
  const FillPyramid* pyramid;
  int firstLevel = 0;  // FillPyramid::firstLevel(): no level below fills a hole of the tile
};
// The pyramid of FillCell::radii.
struct FillRadii {
  const FillPyramid* pyramid;
  bool allNear = false;  // FillPyramid::allNear() for the largest near radius
};

// glsl::filledBehind() with the four cells of a level as a vector. Reads up to the last level.
SATDOF_INLINE inline glsl::Filled filledBehind(const FillBehind& from, const FillRadii&, glm::ivec2 p, float r,
                                               int first, int) {
  Float4 sum{};
  float part = 0.0f;
  for (int level = std::max(first, from.firstLevel); level < glsl::kFillLevels && part < 1.0f; ++level) {
    const auto [cells, f] = from.pyramid->cornersAround(glm::vec2(p) + 0.5f, level);
    const Float4 radii{cells[0]->radius, cells[1]->radius, cells[2]->radius, cells[3]->radius};
    const Float4 weights{cells[0]->behind.w, cells[1]->behind.w, cells[2]->behind.w, cells[3]->behind.w};
    const Float4 covered{cells[0]->radii.w, cells[1]->radii.w, cells[2]->radii.w, cells[3]->radii.w};
    Float4 share = (radii - glsl::kFillLimit * r) / std::max(-glsl::kFillRamp * r, glsl::kMinFillRampPx);
    share = share < 1.0f ? share : Float4{} + 1.0f;
    share = (share > 0.0f ? share : Float4{}) * sharesOf(f);
    const float sumWeight = sumOf(share * weights);
    if (sumWeight <= 0.0f) continue;
    Float4 levelSum{};
    for (int i = 0; i < 4; ++i) {
      if (share[i] <= 0.0f) continue;
      Float4 light = loadVector<Float4>(&cells[static_cast<std::size_t>(i)]->behind);
      light[3] *= std::abs(radii[i]);
      levelSum += light * share[i];
    }
    const float taken = (1.0f - part) * std::min(glsl::kFillGain * sumOf(share * covered), 1.0f);
    sum += levelSum * (taken / sumWeight);
    part += taken;
  }
  return {{sum[0], sum[1], sum[2], sum[3]}, part};
}

SATDOF_INLINE inline glm::vec4 ofLevel(const FillRadii& from, glm::vec2 at, int level) {
  const auto [cells, f] = from.pyramid->cornersAround(at, level);
  const Float4 shares = sharesOf(f);
  glm::vec4 sum(0.0f);
  for (int i = 0; i < 4; ++i) sum += cells[static_cast<std::size_t>(i)]->radii * shares[i];
  return sum;
}

// glsl::nearCoverage(), without reading the pyramid where all pixels around are near.
SATDOF_INLINE inline float nearCoverage(const FillRadii& radii, const glsl::ComposeRule& rule, glm::vec2 at,
                                        glm::ivec2 size, float scattered) {
  if (radii.allNear && scattered > glsl::kInsideFrom && !glsl::losesLight(rule, size))
    return glm::mix(std::min(scattered, 1.0f), 1.0f, glm::smoothstep(glsl::kInsideFrom, glsl::kInsideTo, scattered));
  return glsl::nearCoverage<FillRadii>(radii, rule, at, size, scattered);
}

}  // namespace satdof
