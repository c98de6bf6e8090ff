#pragma once
#include <glm/vec2.hpp>
#include <vector>

#include "app/core/settings.h"
#include "app/device/scene_facts.h"

namespace satdof {

// A part of an image, drawn with a margin.
struct Tile {
  glm::ivec2 drawnFrom{0}, drawnTo{0};  // what is drawn, pixels of TilePlan::settings.size
  glm::ivec2 from{0}, to{0};            // what the image takes of it
  glm::ivec2 drawnSize() const { return drawnTo - drawnFrom; }
};

// An image that is drawn in tiles.
struct TilePlan {
  Settings settings;       // of the image with its overscan, which is off then
  glm::ivec2 cornerPx{0};  // the lowest left pixel of the image in it
  float nearestM = 0.1f;   // SceneFacts::nearestM of the whole image
  std::vector<Tile> tiles;
};

// Whether tiles can give the image: finished images and views of the scene without a split.
bool canTile(const Settings& settings);

// Plans tiles as large as `freeBytes` allow, each with a margin of reachPx(), on the grid of the largest cells that lenses
// use, so that the joined tiles are the image that is drawn as a whole, up to rounding; see docs/files.md. Tiles cost
// ((side + 2 margin) / side)^2 times the pixels. `fileBytes`: a pixel of the joined image in main memory.
// `overview`: facts of the same image at another size. `part`: its overscanDivisor(). Throws std::runtime_error if even small
// tiles do not fit.
TilePlan planTiles(const Settings& settings, const SceneFacts& overview, int part, double freeBytes,
                   double fileBytes);

}  // namespace satdof
