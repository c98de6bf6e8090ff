#pragma once
#include <glm/vec2.hpp>
#include <vector>

#include "app/core/pixels.h"
#include "app/device/scene_facts.h"
#include "app/render/resolve.h"

namespace satdof {

// A rectangle of an image, drawn with a margin. In pixels of TilePlan::settings.size.
struct Tile {
  PixelRectangle drawn;  // with margin
  PixelRectangle shown;  // without margin and overscan
};

// An image that is drawn in tiles.
struct TilePlan {
  Settings settings;       // their size includes the overscan, and they ask for none
  glm::ivec2 cornerPx{0};  // lower left pixel of the image without overscan
  float nearestM = 0.1f;   // SceneFacts::nearestM of the whole image
  std::vector<Tile> tiles;
};

// Whether the image can be drawn in tiles: finished images and views of the scene, without a split.
bool canTile(const Settings& settings);

// Plans tiles as large as `freeBytes` allow, each with a margin of reachPx(), aligned to the largest cells that
// lenses use. The joined tiles equal the image drawn as a whole, up to rounding; see docs/files.md. Cost: ((side + 2
// margin) / side)^2 times the pixels. `overview`: facts of the same image at another size. `part`: its
// overscanDivisor(). `fileBytes`: main memory a pixel of the joined image. Throws std::runtime_error if even the
// smallest tiles do not fit.
TilePlan planTiles(const ResolvedSettings& settings, const SceneFacts& overview, int part, double freeBytes,
                   double fileBytes);

}  // namespace satdof
