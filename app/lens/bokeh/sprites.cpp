#include "app/lens/bokeh/sprites.h"

#include <glm/trigonometric.hpp>
#include <string>

#include "app/device/gl/uniforms.h"
#include "app/gl/program.h"
#include "app/gl/software.h"
#include "app/lens/thin_lens.h"
#include "shaders/bokeh/bins.h"
#include "shaders/bokeh/sprite.h"

namespace satdof {

namespace {

bool hasSprites(LensImage image) { return image == LensImage::blurred || image == LensImage::sprites; }

// The uniforms of all programs that evaluate sprites.
void setSpriteRule(const gl::Program& program, const LensInputs& inputs, NearField nearField) {
  const SceneFrame& scene = inputs.scene;
  const ThinLens lens = thinLens(inputs.lens, scene.sensorPx(), scene.nearM);
  setThinLens(program, lens);
  program.set("blades", inputs.lens.blades);
  program.set("turn", glm::radians(inputs.lens.bladeRotationDegrees));
  program.set("scattered", static_cast<int>(nearField == NearField::scattered));
  program.set("nearest", glsl::signedRadius(lens, scene.nearM / scene.nearestM));
}

// For shaders/bokeh/panes.glsl.
void setPanes(const gl::Program& program, const BlendedLayer& panes) {
  program.set("panes", static_cast<int>(panes.colour != nullptr));
  if (panes.colour == nullptr) return;
  panes.colour->bind(3);
  panes.depth->bind(4);
}

// `layer`: 0 is the image, 1 the second layer.
float marginOf(size_t layer) { return layer == 0 ? kOwnSurfacePx : 0.0f; }

// The nearest depth of each tile, for shaders/bokeh/depth_tiles.glsl.
class DepthTiles {
 public:
  DepthTiles() : program_({"bokeh/depth_tiles.comp"}) {}
  // The depth of the scene is bound to texture unit 1.
  void bind(glm::ivec2 size, GLuint unit) {
    const glm::ivec2 tiles = (size + glsl::kDepthTilePx - 1) / glsl::kDepthTilePx;
    if (tiles_.size() != tiles) tiles_ = gl::Texture(GL_R32F, tiles);
    glBindImageTexture(0, tiles_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, tiles_.format());
    program_.dispatchGroups(tiles);
    tiles_.bind(unit);
  }

 private:
  gl::Program program_;
  gl::Texture tiles_;
};

class FragmentSpritePass final : public SpritePass {
 public:
  FragmentSpritePass()
      : program_({"bokeh/draw.vert", "bokeh/draw.frag"}), vertexArray_(gl::makeVertexArray()) {}

  void draw(const LensInputs& inputs, NearField nearField, std::span<const BokehDraw> found,
            const BlendedLayer& panes, const gl::Target& output, Timings& timings) override {
    if (!hasSprites(inputs.image)) return;
    const SceneFrame& scene = inputs.scene;
    const auto scope = timings.gpu("sprites");
    if (inputs.image == LensImage::sprites) {
      const glm::vec4 black(0.0f);
      glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
      glClearNamedFramebufferfv(output.framebuffer.name(), GL_COLOR, 0, &black.x);
      glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    }
    setSpriteRule(program_, inputs, nearField);
    setPanes(program_, panes);
    program_.set("size", glm::vec2(scene.size));
    program_.set("spritesPerRow", static_cast<int>(kSpritesPerRow));
    scene.depth->bind(1);
    const bool scattered = nearField == NearField::scattered;
    if (scattered) depthTiles_.bind(scene.size, 2);
    program_.use();
    glBindVertexArray(vertexArray_.name());
    glBindFramebuffer(GL_FRAMEBUFFER, output.framebuffer.name());
    glViewport(0, 0, scene.size.x, scene.size.y);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    for (size_t i = 0; i < found.size(); ++i) {
      program_.set("margin", marginOf(i));
      glBindTextureUnit(0, found[i].sprites);
      glBindBuffer(GL_DRAW_INDIRECT_BUFFER, found[i].command);
      if (scattered) drawSides({0, 1}, scene.opaque != nullptr ? GL_DST_ALPHA : GL_ONE);
      drawSides({1, scattered ? 0 : 1}, GL_ONE);
    }
    glDisable(GL_BLEND);
  }

 private:
  // `sides`: 1 to draw the sprites in front of (x) or behind (y) the focus plane, else 0. `factor`: the blend
  // factor of the sprites.
  void drawSides(glm::vec2 sides, GLenum factor) const {
    program_.set("sides", sides);
    glBlendFuncSeparate(factor, GL_ONE, GL_ZERO, GL_ONE);
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr);
  }

  gl::Program program_;
  DepthTiles depthTiles_;
  gl::VertexArrayObject vertexArray_;
};

class ComputeSpritePass final : public SpritePass {
 public:
  explicit ComputeSpritePass(unsigned indices)
      : indices_(indices),
        prepare_(makeProgram("bokeh/prepare.comp", kPrepareThreads)),
        bin_(makeProgram("bokeh/bin.comp", kBinThreads)),
        add_(makeProgram("bokeh/add.comp", kThreads)),
        prepared_(GLsizeiptr{kBokehCapacity} * 3 * GLsizeiptr{sizeof(glm::vec4)}, nullptr),
        bins_((GLsizeiptr{kMostSpriteBins} + indices) * GLsizeiptr{sizeof(GLuint)}, nullptr) {}

  void draw(const LensInputs& inputs, NearField nearField, std::span<const BokehDraw> found,
            const BlendedLayer& panes, const gl::Target& output, Timings& timings) override {
    if (!hasSprites(inputs.image)) return;
    const SceneFrame& scene = inputs.scene;
    const auto scope = timings.gpu("sprites");
    scene.depth->bind(1);
    if (nearField == NearField::scattered) depthTiles_.bind(scene.size, 2);
    for (const gl::Program* program : {&prepare_, &add_}) setSpriteRule(*program, inputs, nearField);
    bin_.set("anamorphicRatio", inputs.lens.anamorphicRatio);
    add_.set("blended", static_cast<int>(scene.opaque != nullptr));
    setPanes(add_, panes);
    const SpriteBins bins = spriteBins(scene.size);
    for (const gl::Program* program : {&bin_, &add_}) {
      program->set("binSide", bins.sidePx);
      program->set("binColumns", bins.columns);
      program->set("listLength", indices_ / static_cast<unsigned>(bins.count));
    }
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, prepared_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, bins_.name());
    glBindImageTexture(0, output.texture.name(), 0, GL_FALSE, 0, GL_READ_WRITE, output.texture.format());
    for (size_t i = 0; i < found.size(); ++i) {
      for (const gl::Program* program : {&prepare_, &add_}) program->set("margin", marginOf(i));
      add_.set("alone", static_cast<int>(i == 0 && inputs.image == LensImage::sprites));
      glBindTextureUnit(0, found[i].sprites);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, found[i].command);
      prepare_.dispatchGroups({kPrepareGroups, 1});
      bin_.dispatchGroups({bins.count, 1});
      add_.dispatchGroups((scene.size + kSpriteTilePx - 1) / kSpriteTilePx);
    }
  }

 private:
  static constexpr int kThreads = kSpriteTilePx * kSpriteTilePx * kSpriteParts;
  static constexpr int kPrepareThreads = 64, kPrepareGroups = 256;
  static constexpr int kBinThreads = 1024;

  gl::Program makeProgram(const char* file, int threads) const {
    return gl::Program({file}, {{"THREADS", std::to_string(threads)},
                                {"TILE", std::to_string(kSpriteTilePx)},
                                {"PARTS", std::to_string(kSpriteParts)},
                                {"SPRITES_PER_ROW", std::to_string(kSpritesPerRow)},
                                {"CAPACITY", std::to_string(kBokehCapacity)},
                                {"MOST_BINS", std::to_string(kMostSpriteBins)},
                                {"INDICES", std::to_string(indices_)}});
  }

  unsigned indices_;
  DepthTiles depthTiles_;
  gl::Program prepare_, bin_, add_;
  gl::Buffer prepared_, bins_;
};

}  // namespace

std::unique_ptr<SpritePass> makeSpritePass() {
  return gl::isSoftwareRenderer() ? makeFragmentSpritePass() : makeComputeSpritePass();
}

std::unique_ptr<SpritePass> makeFragmentSpritePass() { return std::make_unique<FragmentSpritePass>(); }

std::unique_ptr<SpritePass> makeComputeSpritePass(unsigned indices) {
  return std::make_unique<ComputeSpritePass>(indices);
}

BokehRule bokehRule(const LensInputs& inputs) {
  return {.lens = thinLens(inputs.lens, inputs.scene.sensorPx(), inputs.scene.nearM),
          .threshold = inputs.lens.highlightThreshold};
}

}  // namespace satdof
