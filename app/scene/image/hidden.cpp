#include "app/scene/image/hidden.h"

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/gtc/packing.hpp>
#include <glm/vec3.hpp>

#include "app/core/pixels.h"
#include "shaders/scene/separation.h"

namespace satdof {

namespace {

const float kFarther = 1.0f - glsl::kSeparation;

// A cell of the pyramid: means over its farthest surface.
struct FarCell {
  glm::vec3 light{0.0f};  // premultiplied by the weight
  float weight = 0.0f;    // 0: empty
  float part = 0.0f;      // fraction of the texels of the cell
  float depth = 0.0f;

  // In a sum, the depth is multiplied by the weight.
  void add(const FarCell& cell, float share) {
    light += share * cell.light;
    weight += share * cell.weight;
    part += share * cell.part;
    depth += share * cell.weight * cell.depth;
  }
};

// The mean of the cells that belong to the farthest surface: those less than the separation nearer than the farthest
// cell.
FarCell mergedCells(const std::array<FarCell, 4>& cells) {
  float farthest = 2.0f;
  for (const FarCell& cell : cells)
    if (cell.weight > 0.0f) farthest = std::min(farthest, cell.depth);
  FarCell sum;
  for (const FarCell& cell : cells)
    if (cell.weight > 0.0f && kFarther * cell.depth <= farthest) sum.add(cell, 0.25f);
  if (sum.weight > 0.0f) sum.depth /= sum.weight;
  return sum;
}

struct CellLevel {
  glm::ivec2 size{0};
  std::vector<FarCell> cells;
};

// The next level above a level of `below` cells: merges 2 x 2 cells. cell(x, y) returns a cell of the level below.
template <class Cell>
CellLevel levelAbove(glm::ivec2 below, ThreadPool& threads, Cell cell) {
  CellLevel level{(below + 1) / 2, {}};
  level.cells.resize(pixelCount(level.size));
  threads.forEach(level.size.y, [&](int y) {
    for (int x = 0; x < level.size.x; ++x) {
      std::array<FarCell, 4> four;
      for (int i = 0; i < 4; ++i)
        four[static_cast<std::size_t>(i)] =
            cell(std::min(2 * x + i % 2, below.x - 1), std::min(2 * y + i / 2, below.y - 1));
      level.cells[pixelIndex(level.size, {x, y})] = mergedCells(four);
    }
  });
  return level;
}

// The surface with a depth of at most `limit` at cell (x, y) of the finest level, interpolated from the finest levels
// that have one. Weight 0: there is none.
FarCell filledBehind(const std::vector<CellLevel>& levels, int x, int y, float limit) {
  constexpr float kGain = 4.0f;  // a level fills completely if at least 1 / kGain of its texels are behind the limit
  FarCell filled;
  for (std::size_t l = 0; l < levels.size() && filled.part < 1.0f; ++l) {
    const CellLevel& level = levels[l];
    const glm::vec2 at = (glm::vec2(x, y) + 0.5f) / static_cast<float>(1 << l) - 0.5f, low = glm::floor(at);
    const glm::vec2 far = at - low;
    FarCell sum;
    for (int i = 0; i < 4; ++i) {
      const glm::ivec2 corner(i % 2, i / 2);
      const glm::ivec2 place = glm::clamp(glm::ivec2(low) + corner, glm::ivec2(0), level.size - 1);
      const FarCell& cell = level.cells[pixelIndex(level.size, {place.x, place.y})];
      if (cell.weight <= 0.0f || cell.depth > limit) continue;
      sum.add(cell, (corner.x == 1 ? far.x : 1.0f - far.x) * (corner.y == 1 ? far.y : 1.0f - far.y));
    }
    if (sum.weight <= 0.0f) continue;
    const float taken = (1.0f - filled.part) * std::min(kGain * sum.part, 1.0f);
    filled.light += taken / sum.weight * sum.light;
    filled.depth += taken / sum.weight * sum.depth;
    filled.part += taken;
  }
  if (filled.part > 0.0f) {
    filled.light /= filled.part;
    filled.depth /= filled.part;
    filled.weight = 1.0f;
  }
  return filled;
}

// The depth of the surface in front of each texel: of its nearest neighbour across an edge, or without such a neighbour
// or with exact edges, its own.
std::vector<float> surfacesInFront(const DepthMap& map, ThreadPool& threads) {
  std::vector<float> front = map.depth;
  if (map.exactEdges) return front;
  threads.forEach(map.size.y, [&](int y) {
    for (int x = 0; x < map.size.x; ++x) {
      float nearest = 0.0f;
      for (const glm::ivec2 by : {glm::ivec2(1, 0), glm::ivec2(-1, 0), glm::ivec2(0, 1), glm::ivec2(0, -1)})
        nearest = std::max(
            nearest, map.depth[pixelIndex(map.size, glm::clamp(glm::ivec2(x, y) + by, glm::ivec2(0), map.size - 1))]);
      float& here = front[pixelIndex(map.size, {x, y})];
      if (here < kFarther * nearest) here = nearest;
    }
  });
  return front;
}

}  // namespace

HiddenLayer hiddenLayer(const Picture& picture, const DepthMap& map, ThreadPool& threads,
                        const LoadProgress& progress) {
  constexpr std::size_t kLevels = 8;
  constexpr float kBrightest = 15.0f;
  const std::vector<float> front = surfacesInFront(map, threads);
  std::vector<CellLevel> levels;
  levels.push_back(levelAbove(map.size, threads, [&](int x, int y) {
    const std::size_t at = pixelIndex(map.size, {x, y});
    if (front[at] != map.depth[at]) return FarCell{};  // mixed
    const glm::vec3 light = lightAt(picture, at);
    const float most = std::min(std::max({light.r, light.g, light.b}), kBrightest);
    const float weight = 1.0f / (1.0f + most * most);
    return FarCell{light * weight, weight, 1.0f, map.depth[at]};
  }));
  while (levels.size() < kLevels && std::max(levels.back().size.x, levels.back().size.y) > 1) {
    const CellLevel& below = levels.back();
    levels.push_back(levelAbove(below.size, threads, [&](int x, int y) {
      return below.cells[pixelIndex(below.size, {x, y})];
    }));
  }
  HiddenLayer layer{.size = levels.front().size, .rgba = {}, .depth = {}, .mixed = {}};
  layer.depth.resize(levels.front().cells.size());
  layer.rgba.resize(4 * layer.depth.size());
  layer.mixed.resize(layer.depth.size());
  threads.forEach(layer.size.y, [&](int y) {
    progress.throwIfCancelled();
    for (int x = 0; x < layer.size.x; ++x) {
      std::array<std::size_t, 4> texels;
      for (int i = 0; i < 4; ++i)
        texels[static_cast<std::size_t>(i)] =
            pixelIndex(map.size, glm::min(glm::ivec2(2 * x + i % 2, 2 * y + i / 2), map.size - 1));
      float nearest = 0.0f;
      for (const std::size_t texel : texels) nearest = std::max(nearest, front[texel]);
      const FarCell cell = filledBehind(levels, x, y, kFarther * nearest);
      const std::size_t at = pixelIndex(layer.size, {x, y});
      layer.depth[at] = cell.depth;
      for (int c = 0; c < 4; ++c)
        layer.rgba[4 * at + static_cast<std::size_t>(c)] =
            glm::packHalf1x16(c < 3 ? cell.light[c] : cell.weight * nearest);
      const float inFront = glm::unpackHalf1x16(layer.rgba[4 * at + 3]);
      const bool mixed = !map.exactEdges && std::ranges::any_of(texels, [&](std::size_t texel) {
        const float there = map.depth[texel];
        return there < kFarther * inFront && kFarther * std::max(there, cell.depth) <= std::min(there, cell.depth);
      });
      layer.mixed[at] = mixed ? 255 : 0;
    }
  });
  return layer;
}

}  // namespace satdof
