#pragma once
#include <span>
#include <vector>

#include "app/core/system/thread_pool.h"
#include "app/device/cpu/collect_bokeh.h"
#include "app/lens/run/cpu_graph.h"
#include "shaders/bokeh/sprite.h"

namespace satdof {

// The bokeh sprites of one layer in main memory: collects them, removes their light from the layer, adds them to the
// image of a lens.
class CpuBokeh {
 public:
  // `threads` includes the caller.
  explicit CpuBokeh(int threads);

  // Allocates for images of `size`.
  void resize(glm::ivec2 size);
  // Collects the sprites of a layer of this size, and removes their light from its colour.
  void extract(const CpuLayer& layer, glm::ivec2 size, const BokehRule& rule, CpuTimings& timings);
  // Adds the sprites of extract() to `image`: shaders/bokeh/sprite.glsl.
  void draw(const CpuFrame& frame, const SpriteRule& rule, std::span<glm::vec4> image, CpuTimings& timings);

 private:
  void findDepthTiles(const CpuFrame& frame);
  void drawBand(int band, const CpuFrame& frame, const SpriteRule& rule, std::span<glm::vec4> image) const;
  void drawSprite(const glsl::PreparedSprite& sprite, int y, const CpuFrame& frame, const SpriteRule& rule,
                  std::span<glm::vec4> image) const;

  ThreadPool pool_;
  CpuBokehSprites collector_;
  std::vector<BokehSprite> sprites_;
  std::vector<glsl::PreparedSprite> prepared_;
  std::vector<float> depthTiles_;             // row by row
  std::vector<std::vector<unsigned>> bands_;  // the sprites that reach into each band of rows
};

}  // namespace satdof
