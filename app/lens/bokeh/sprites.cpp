#include "app/lens/bokeh/sprites.h"

#include <array>
#include <string>

#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/gl/software.h"

namespace satdof {

namespace {

// Binds the textures of shaders/bokeh/scene.glsl, except depth.
void bindScene(std::span<const SpriteLayer> layers, const BlendedLayer& back) {
  if (layers.front().aperture != nullptr) layers.front().aperture->bind(5);
  if (back.colour == nullptr) return;
  back.colour->bind(3);
  back.depth->bind(4);
}

// A uniform block for each layer.
class SpriteRules {
 public:
  void bind(std::size_t layer, const SpriteRule& rule) { blocks_.at(layer).bind(0, rule); }

 private:
  static constexpr std::size_t kBytes = sizeof(SpriteRule);
  std::array<gl::ParameterBlock, kMaxSpriteLayers> blocks_{gl::ParameterBlock(kBytes), gl::ParameterBlock(kBytes),
                                                           gl::ParameterBlock(kBytes), gl::ParameterBlock(kBytes)};
};

// Draws the tiles of shaders/bokeh/depth_tiles.glsl.
class DepthTiles {
 public:
  DepthTiles() : program_({"bokeh/depth_tiles.comp"}) {}
  // Draws the tiles of the depth in texture unit 1, and binds them to `unit`.
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
      : program_({"bokeh/draw.vert", "bokeh/draw.frag"}, {{"SPRITES_PER_ROW", std::to_string(kSpritesPerRow)}}),
        vertexArray_(gl::makeVertexArray()) {}

  void draw(std::span<const SpriteLayer> layers, const gl::Texture& depth, const BlendedLayer& back,
            const gl::Target& output, Timings& timings) override {
    const auto scope = timings.gpu("sprites");
    const glm::ivec2 size = depth.size();
    const bool scattered = layers.front().rule.scattered != 0;
    if (layers.front().rule.alone != 0) {
      const glm::vec4 black(0.0f);
      glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
      glClearNamedFramebufferfv(output.framebuffer.name(), GL_COLOR, 0, &black.x);
      glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    }
    bindScene(layers, back);
    depth.bind(1);
    if (scattered) depthTiles_.bind(size, 2);
    program_.use();
    glBindVertexArray(vertexArray_.name());
    glBindFramebuffer(GL_FRAMEBUFFER, output.framebuffer.name());
    glViewport(0, 0, size.x, size.y);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      rules_.bind(i, layers[i].rule);
      glBindTextureUnit(0, layers[i].found.sprites);
      glBindBuffer(GL_DRAW_INDIRECT_BUFFER, layers[i].found.command);
      if (scattered) drawSides({0, 1}, layers[i].rule.blended != 0 ? GL_DST_ALPHA : GL_ONE);
      drawSides({1, scattered ? 0 : 1}, GL_ONE);
    }
    glDisable(GL_BLEND);
  }

 private:
  // Draws the sprites in front of the focus plane if sides.x is 1, behind it if sides.y is 1. `factor`: the blend
  // factor of the sprites.
  void drawSides(glm::vec2 sides, GLenum factor) const {
    program_.set("sides", sides);
    glBlendFuncSeparate(factor, GL_ONE, GL_ZERO, GL_ONE);
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr);
  }

  gl::Program program_;
  SpriteRules rules_;
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
        bins_((GLsizeiptr{kMaxSpriteBins} + indices) * GLsizeiptr{sizeof(GLuint)}, nullptr) {}

  void draw(std::span<const SpriteLayer> layers, const gl::Texture& depth, const BlendedLayer& back,
            const gl::Target& output, Timings& timings) override {
    const auto scope = timings.gpu("sprites");
    const glm::ivec2 size = depth.size();
    const bool scattered = layers.front().rule.scattered != 0;
    depth.bind(1);
    if (scattered) depthTiles_.bind(size, 2);
    bindScene(layers, back);
    const SpriteBins bins = spriteBins(size);
    binRule_.bind(1, BinRule{bins, indices_ / static_cast<unsigned>(bins.count)});
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, prepared_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, bins_.name());
    glBindImageTexture(0, output.texture.name(), 0, GL_FALSE, 0, GL_READ_WRITE, output.texture.format());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      rules_.bind(i, layers[i].rule);
      glBindTextureUnit(0, layers[i].found.sprites);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, layers[i].found.command);
      prepare_.dispatchGroups({kPrepareGroups, 1});
      bin_.dispatchGroups({bins.count, 1});
      add_.dispatchGroups((size + kSpriteTilePx - 1) / kSpriteTilePx);
    }
  }

 private:
  // Parameters of shaders/bokeh/prepared.glsl.
  struct alignas(16) BinRule {
    SpriteBins bins;
    unsigned listLength;
  };
  static constexpr int kThreads = kSpriteTilePx * kSpriteTilePx * kSpriteParts;
  static constexpr int kPrepareThreads = 64, kPrepareGroups = 256;
  static constexpr int kBinThreads = 1024;

  gl::Program makeProgram(const char* file, int threads) const {
    return gl::Program({file}, {{"THREADS", std::to_string(threads)},
                                {"TILE", std::to_string(kSpriteTilePx)},
                                {"PARTS", std::to_string(kSpriteParts)},
                                {"SPRITES_PER_ROW", std::to_string(kSpritesPerRow)},
                                {"CAPACITY", std::to_string(kBokehCapacity)},
                                {"MOST_BINS", std::to_string(kMaxSpriteBins)},
                                {"INDICES", std::to_string(indices_)}});
  }

  unsigned indices_;
  SpriteRules rules_;
  DepthTiles depthTiles_;
  gl::Program prepare_, bin_, add_;
  gl::ParameterBlock binRule_{sizeof(BinRule)};
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

}  // namespace satdof
