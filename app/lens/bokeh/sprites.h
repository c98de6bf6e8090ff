#pragma once
#include <span>

#include "app/device/bokeh_collector.h"
#include "app/gl/program.h"
#include "app/lens/lens.h"

namespace satdof {

// A surface hides a sprite if its radius of blur is smaller by this much: the image also shows the surface that the
// light of the sprite comes from. The lights of the second layer are not in the image.
inline constexpr float kOwnSurfacePx = 1.0f;

// Draws bokeh sprites: adds the light of each, evenly over the image of the aperture, behind the surfaces that hide it.
class SpritePass {
 public:
  SpritePass();
  // Adds the sprites of `found`, of the image and of the second layer, to `output`, or to black for
  // LensImage::sprites; nothing for other images but LensImage::blurred. Leaves alpha unchanged.
  void draw(const LensInputs& inputs, NearField nearField, std::span<const BokehDraw> found,
            const gl::Target& output, Timings& timings);

 private:
  void findDepthTiles(const SceneFrame& scene);
  void drawSides(glm::vec2 sides, GLenum factor) const;

  gl::Program tileProgram_, program_;
  gl::Texture depthTiles_;
  gl::VertexArrayObject vertexArray_;
};

// Which pixels of a scene become sprites.
BokehRule bokehRule(const LensInputs& inputs);

}  // namespace satdof
