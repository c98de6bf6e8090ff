#include "app/lens/bokeh/bokeh.h"

#include <numbers>
#include <utility>

#include "app/device/bokeh_collector.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/program.h"
#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

class BokehLens final : public Lens {
 public:
  BokehLens(std::unique_ptr<Lens> lens, std::unique_ptr<BokehCollector> collector, NearField nearField)
      : lens_(std::move(lens)),
        collector_(std::move(collector)),
        nearField_(nearField),
        reduce_({"bokeh/reduce.comp"}),
        draw_({"bokeh/draw.vert", "bokeh/draw.frag"}),
        vertexArray_(gl::makeVertexArray()) {}

  void resize(glm::ivec2 size) override {
    lens_->resize(size);
    collector_->resize(size);
    reduced_ = gl::Texture(GL_RGBA16F, size);
  }
  void prepareBlended() override { lens_->prepareBlended(); }

  LensResult draw(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    // A lens that scatters its near field blurs blended surfaces in layers of their own.
    SceneFrame scene = inputs.scene;
    const bool layers = scene.opaque != nullptr && nearField_ == NearField::scattered;
    if (layers) scene.colour = scene.opaque;
    const BokehRule rule{.lens = thinLens(inputs.lens, scene.size.y, scene.nearM),
                         .threshold = inputs.lens.highlightThreshold};
    const BokehDraw found = collector_->collect(scene, rule, timings);
    reduce(scene, rule, found, timings);
    SceneFrame reducedScene = scene;
    reducedScene.colour = &reduced_;
    if (layers) reducedScene.opaque = &reduced_;
    const LensInputs reducedInputs{reducedScene,  inputs.lens,    inputs.image,   inputs.mean,
                                   inputs.redraw, inputs.restart, inputs.exposure};
    const LensResult result = lens_->draw(reducedInputs, output, timings);
    if (inputs.image == LensImage::blurred || inputs.image == LensImage::sprites)
      drawSprites(rule.lens, inputs, found, output, timings);
    return result;
  }

  std::string state() const override { return lens_->state(); }

 private:
  void reduce(const SceneFrame& scene, const BokehRule& rule, const BokehDraw& found, Timings& timings) {
    constexpr int kGroup = 16;
    const auto scope = timings.gpu("highlights");
    setBokehRule(reduce_, rule);
    scene.colour->bind(0);
    scene.depth->bind(1);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, found.command);
    glBindImageTexture(0, reduced_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, reduced_.format());
    reduce_.use();
    const glm::ivec2 groups = (scene.size + kGroup - 1) / kGroup;
    glDispatchCompute(static_cast<GLuint>(groups.x), static_cast<GLuint>(groups.y), 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
  }

  // Adds the sprites to the lens's image, or to black for LensImage::sprites. Leaves alpha unchanged.
  void drawSprites(const ThinLens& thin, const LensInputs& inputs, const BokehDraw& found,
                   const gl::Framebuffer& output, Timings& timings) {
    const SceneFrame& scene = inputs.scene;
    const auto scope = timings.gpu("sprites");
    if (inputs.image == LensImage::sprites) {
      const glm::vec4 black(0.0f);
      glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
      glClearNamedFramebufferfv(output.name(), GL_COLOR, 0, &black.x);
      glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    }
    setThinLens(draw_, thin);
    draw_.set("blades", inputs.lens.blades);
    draw_.set("turn", inputs.lens.bladeRotationDegrees * std::numbers::pi_v<float> / 180.0f);
    draw_.set("size", glm::vec2(scene.size));
    draw_.set("spritesPerRow", static_cast<int>(kSpritesPerRow));
    glBindTextureUnit(0, found.sprites);
    scene.depth->bind(1);
    draw_.use();
    glBindVertexArray(vertexArray_.name());
    glBindFramebuffer(GL_FRAMEBUFFER, output.name());
    glViewport(0, 0, scene.size.x, scene.size.y);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, found.command);
    const bool scatter = nearField_ == NearField::scattered;
    if (scatter) draw({0, 1}, GL_DST_ALPHA);
    draw({1, scatter ? 0 : 1}, GL_ONE);
    glDisable(GL_BLEND);
  }

  // `sides`: 1 to draw the sprites in front of (x) or behind (y) the focus plane, else 0. `factor`: the blend
  // factor of the sprites.
  void draw(glm::vec2 sides, GLenum factor) {
    draw_.set("sides", sides);
    draw_.set("underNear", static_cast<int>(factor == GL_DST_ALPHA));
    glBlendFuncSeparate(factor, GL_ONE, GL_ZERO, GL_ONE);
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr);
  }

  gl::Texture reduced_;  // outlives the lens, which may share it with CUDA
  std::unique_ptr<Lens> lens_;
  std::unique_ptr<BokehCollector> collector_;
  NearField nearField_;
  gl::Program reduce_, draw_;
  gl::VertexArrayObject vertexArray_;
};

}  // namespace

std::unique_ptr<Lens> withBokeh(std::unique_ptr<Lens> lens, std::unique_ptr<BokehCollector> collector,
                                NearField nearField) {
  return std::make_unique<BokehLens>(std::move(lens), std::move(collector), nearField);
}

}  // namespace satdof
