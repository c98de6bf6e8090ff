#include "app/scene/image/depth_correction.h"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/core/pixels.h"

namespace satdof {

namespace {

constexpr int kTilePx = 64;
constexpr float kSpacing = 0.25f;  // between dabs, in radii

int tilesAcross(glm::ivec2 size) { return (size.x + kTilePx - 1) / kTilePx; }

// Bounding rectangle of two rectangles; `b` is not empty.
PixelRectangle united(const PixelRectangle& a, const PixelRectangle& b) {
  if (a.empty()) return b;
  const glm::ivec2 from = glm::min(a.from, b.from);
  return {from, glm::max(a.to(), b.to()) - from};
}

// Calls use(iterator to the first depth, number of depths) for each row of a rectangle.
template <class Use>
void forRows(const PixelRectangle& rect, int width, std::vector<float>& depth, Use use) {
  for (int y = rect.from.y; y < rect.to().y; ++y)
    use(depth.begin() + (static_cast<std::ptrdiff_t>(y) * width + rect.from.x), rect.size.x);
}

}  // namespace

PixelRectangle DepthCorrection::tileRect(std::uint32_t tile) const {
  const glm::ivec2 size = depth_->map.size;
  const auto across = static_cast<std::uint32_t>(tilesAcross(size));
  const glm::ivec2 from = kTilePx * glm::ivec2(tile % across, tile / across);
  return {from, glm::min(glm::ivec2(kTilePx), size - from)};
}

void DepthCorrection::begin(Dab dab, long step) {
  const DepthMap& map = depth_->map;
  const glm::ivec2 at = glm::clamp(glm::ivec2(glm::floor(dab.at)), glm::ivec2(0), map.size - 1);
  dab.depth = map.depth[pixelIndex(map.size, at)];
  dab.depthRange = std::max(std::ranges::max(map.depth), 1e-6f);
  dab_ = dab;
  isInStroke_ = true;
  forgetRedo();
  strokes_.done.push_back({step});
  this->dab();
}

void DepthCorrection::moveTo(glm::vec2 at) {
  if (!isInStroke_ || dab_.kind == BrushKind::same) return;
  const float spacing = std::max(kSpacing * dab_.radiusPx, 1.0f);
  for (float left = glm::distance(at, dab_.at); left >= spacing; left = glm::distance(at, dab_.at)) {
    dab_.at += spacing / left * (at - dab_.at);
    dab();
  }
}

void DepthCorrection::dab() {
  DepthMap& map = depth_->map;
  const PixelRectangle reach = reachOf(dab_, map.size);
  auto& tiles = strokes_.done.back().tiles;
  for (int y = reach.from.y / kTilePx; y <= (reach.to().y - 1) / kTilePx; ++y)
    for (int x = reach.from.x / kTilePx; x <= (reach.to().x - 1) / kTilePx; ++x) {
      const auto tile = static_cast<std::uint32_t>(y * tilesAcross(map.size) + x);
      const auto [kept, isNew] = tiles.try_emplace(tile);
      if (!isNew) continue;
      forRows(tileRect(tile), map.size.x, map.depth,
              [&values = kept->second](auto row, int count) { values.insert(values.end(), row, row + count); });
    }
  applyDab(dab_, *picture_, map.depth);
  if (dab_.kind == BrushKind::same) std::erase_if(tiles, [&](auto& kept) { return !differs(kept.first, kept.second); });
  depth_->changed = united(depth_->changed, reach);
  ++depth_->edits;
  forgetOldest();
}

bool DepthCorrection::differs(std::uint32_t tile, const std::vector<float>& values) {
  DepthMap& map = depth_->map;
  bool equal = true;
  auto other = values.begin();
  forRows(tileRect(tile), map.size.x, map.depth, [&](auto row, int count) {
    equal = equal && std::equal(row, row + count, other);
    other += count;
  });
  return !equal;
}

void DepthCorrection::forgetOldest() {
  constexpr std::size_t kMaxTiles = kMaxBytes / (sizeof(float) * kTilePx * kTilePx);
  std::size_t tiles = 0;
  for (const Stroke& stroke : strokes_.done) tiles += stroke.tiles.size();
  for (; tiles > kMaxTiles && strokes_.done.size() > 1; strokes_.done.pop_front()) {
    tiles -= strokes_.done.front().tiles.size();
    strokes_.hasFinal = true;
  }
}

bool DepthCorrection::swapLast(std::deque<Stroke>& from, std::deque<Stroke>& to) {
  if (from.empty() || isInStroke_) return false;
  DepthMap& map = depth_->map;
  for (auto& [tile, values] : from.back().tiles) {
    const PixelRectangle rect = tileRect(tile);
    auto other = values.begin();
    forRows(rect, map.size.x, map.depth,
            [&](auto row, int count) { other = std::swap_ranges(row, row + count, other); });
    depth_->changed = united(depth_->changed, rect);
  }
  ++depth_->edits;
  to.push_back(std::move(from.back()));
  from.pop_back();
  return true;
}

}  // namespace satdof
