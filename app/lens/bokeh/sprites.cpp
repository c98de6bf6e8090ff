#include "app/lens/bokeh/sprites.h"

#include <glm/trigonometric.hpp>

#include "app/device/gl/uniforms.h"
#include "app/lens/thin_lens.h"
#include "shaders/bokeh/sprite.h"

namespace satdof {

SpritePass::SpritePass()
    : tileProgram_({"bokeh/depth_tiles.comp"}),
      program_({"bokeh/draw.vert", "bokeh/draw.frag"}),
      vertexArray_(gl::makeVertexArray()) {}

void SpritePass::draw(const LensInputs& inputs, NearField nearField, std::span<const BokehDraw> found,
                      const gl::Target& output, Timings& timings) {
  if (inputs.image != LensImage::blurred && inputs.image != LensImage::sprites) return;
  const SceneFrame& scene = inputs.scene;
  const auto scope = timings.gpu("sprites");
  if (inputs.image == LensImage::sprites) {
    const glm::vec4 black(0.0f);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    glClearNamedFramebufferfv(output.framebuffer.name(), GL_COLOR, 0, &black.x);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  }
  const ThinLens lens = thinLens(inputs.lens, scene.wholeSize().y, scene.nearM);
  const bool scattered = nearField == NearField::scattered;
  setThinLens(program_, lens);
  program_.set("scattered", static_cast<int>(scattered));
  program_.set("nearest", glsl::signedRadius(lens, scene.nearM / scene.nearestM));
  program_.set("blades", inputs.lens.blades);
  program_.set("turn", glm::radians(inputs.lens.bladeRotationDegrees));
  program_.set("size", glm::vec2(scene.size));
  program_.set("spritesPerRow", static_cast<int>(kSpritesPerRow));
  scene.depth->bind(1);
  if (scattered) {
    findDepthTiles(scene);
    depthTiles_.bind(2);
  }
  program_.use();
  glBindVertexArray(vertexArray_.name());
  glBindFramebuffer(GL_FRAMEBUFFER, output.framebuffer.name());
  glViewport(0, 0, scene.size.x, scene.size.y);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glEnable(GL_BLEND);
  for (size_t i = 0; i < found.size(); ++i) {
    const BokehDraw& sprites = found[i];
    program_.set("margin", i == 0 ? kOwnSurfacePx : 0.0f);
    glBindTextureUnit(0, sprites.sprites);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, sprites.command);
    if (scattered) drawSides({0, 1}, scene.opaque != nullptr ? GL_DST_ALPHA : GL_ONE);
    drawSides({1, scattered ? 0 : 1}, GL_ONE);
  }
  glDisable(GL_BLEND);
}

void SpritePass::findDepthTiles(const SceneFrame& scene) {
  const glm::ivec2 tiles = (scene.size + glsl::kDepthTilePx - 1) / glsl::kDepthTilePx;
  if (depthTiles_.size() != tiles) depthTiles_ = gl::Texture(GL_R32F, tiles);
  tileProgram_.use();
  glBindImageTexture(0, depthTiles_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, depthTiles_.format());
  glDispatchCompute(static_cast<GLuint>(tiles.x), static_cast<GLuint>(tiles.y), 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

// `sides`: 1 to draw the sprites in front of (x) or behind (y) the focus plane, else 0. `factor`: the blend
// factor of the sprites.
void SpritePass::drawSides(glm::vec2 sides, GLenum factor) const {
  program_.set("sides", sides);
  glBlendFuncSeparate(factor, GL_ONE, GL_ZERO, GL_ONE);
  glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr);
}

BokehRule bokehRule(const LensInputs& inputs) {
  return {.lens = thinLens(inputs.lens, inputs.scene.wholeSize().y, inputs.scene.nearM),
          .threshold = inputs.lens.highlightThreshold};
}

}  // namespace satdof
