#include "app/run/tiles.h"

#include <algorithm>
#include <glm/common.hpp>
#include <stdexcept>

#include "app/render/overscan.h"
#include "app/render/reach.h"
#include "app/run/limits.h"
#include "app/views/views.h"
#include "shaders/lens/layered/fill.h"

namespace satdof {

namespace {

constexpr int kGridPx = glsl::kMaxCellPx;
constexpr int kLongestSidePx = 1 << 20;

int onGrid(int px) { return (px + kGridPx - 1) / kGridPx * kGridPx; }
glm::ivec2 onGrid(glm::ivec2 px) { return {onGrid(px.x), onGrid(px.y)}; }

std::vector<Tile> tilesOf(const TilePlan& plan, glm::ivec2 imageSize, glm::ivec2 side, int marginPx) {
  const glm::ivec2 whole = plan.settings.size, end = plan.cornerPx + imageSize;
  std::vector<Tile> tiles;
  for (int y = 0; y < whole.y; y += side.y)
    for (int x = 0; x < whole.x; x += side.x) {
      const glm::ivec2 cell(x, y);
      const glm::ivec2 drawnFrom = glm::max(cell - marginPx, glm::ivec2(0)), from = glm::max(cell, plan.cornerPx);
      const Tile tile{{drawnFrom, glm::min(cell + side + marginPx, whole) - drawnFrom},
                      {from, glm::min(cell + side, end) - from}};
      if (!tile.shown.empty()) tiles.push_back(tile);
    }
  return tiles;
}

}  // namespace

bool canTile(const Settings& settings) {
  const ViewRow& view = viewOf(settings.technique.view);
  return !showsB(settings) && (view.filtered || view.source == ViewSource::scene);
}

TilePlan planTiles(const ResolvedSettings& settings, const SceneFacts& overview, int part, double freeBytes,
                   double fileBytes) {
  TilePlan plan;
  const int overscan = overscanPx(settings.size, part, kLongestSidePx);
  plan.settings = settings;
  addMargin(plan.settings, overscan);
  plan.settings.lens.overscan = Overscan::off;
  plan.cornerPx = glm::ivec2(overscan);
  plan.nearestM = overview.nearestM;
  SceneFacts facts = overview;
  facts.size = plan.settings.size;
  facts.whole = glm::ivec2(0);
  facts.photographPx = 0;
  const int marginPx = onGrid(reachPx(plan.settings, facts));
  const double left =
      freeBytes - fileBytes * static_cast<double>(settings.size.x) * static_cast<double>(settings.size.y);
  glm::ivec2 side = onGrid(plan.settings.size);
  Settings drawn = plan.settings;
  for (;;) {
    drawn.size = glm::min(side + 2 * marginPx, plan.settings.size);
    if (shortage(drawn, left).empty()) break;
    if (side == glm::ivec2(kGridPx))
      throw std::runtime_error(shortage(settings, freeBytes) + "; tiles do not fit either");
    (side.x >= side.y ? side.x : side.y) = onGrid(std::max(side.x, side.y) / 2);
  }
  plan.tiles = tilesOf(plan, settings.size, side, marginPx);
  return plan;
}

}  // namespace satdof
