#pragma once
#include <span>
#include <vector>

#include "app/core/thread_pool.h"
#include "app/device/cpu/collect_bokeh.h"
#include "app/lens/cpu.h"
#include "shaders/bokeh/sprite.h"

namespace satdof {

// Bokeh sprites in main memory: collects them, removes their light from the image, adds them to the image of a lens.
class CpuBokeh {
 public:
  // `margin`: kOwnSurfacePx, or 0 for the lights of the second layer.
  CpuBokeh(NearField nearField, float margin);

  // Allocates for images of `size`.
  void resize(glm::ivec2 size);
  // Collects the sprites of the frame and removes their light.
  void extract(const CpuFrame& frame, const LensInputs& inputs, Timings& timings);
  // Adds the sprites of extract() to `image`: shaders/bokeh/sprite.glsl.
  void draw(const CpuFrame& frame, const LensInputs& inputs, std::span<glm::vec4> image, Timings& timings);

 private:
  struct Shape {
    float reach,
        solid;  // pixels from the centre, at anamorphicRatio 1: no coverage beyond, full coverage within
    glm::vec3 light;  // of a covered pixel
    bool hidden;      // a surface may hide a part
  };
  void findDepthTiles(const CpuFrame& frame);
  void drawBand(int band, const CpuFrame& frame, const ThinLens& lens, const glsl::Aperture& aperture,
                std::span<glm::vec4> image) const;
  void drawSprite(const BokehSprite& sprite, const Shape& shape, int y, const CpuFrame& frame,
                  const ThinLens& lens, const glsl::Aperture& aperture, std::span<glm::vec4> image) const;

  NearField nearField_;
  float margin_;
  ThreadPool pool_;
  CpuBokehSprites collector_;
  std::vector<BokehSprite> sprites_;
  std::vector<Shape> shapes_;                 // of the sprites
  std::vector<float> depthTiles_;             // row by row
  std::vector<std::vector<unsigned>> bands_;  // the sprites that reach into each band of rows
};

}  // namespace satdof
