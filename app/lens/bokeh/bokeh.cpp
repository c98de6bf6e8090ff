#include "app/lens/bokeh/bokeh.h"

#include <algorithm>
#include <numbers>
#include <optional>
#include <utility>

#include "app/device/bokeh_collector.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/program.h"
#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

class BokehLens final : public Lens {
 public:
  BokehLens(std::unique_ptr<Lens> lens, std::unique_ptr<BokehCollector> collector)
      : lens_(std::move(lens)),
        collector_(std::move(collector)),
        reduce_({"bokeh/reduce.comp"}),
        draw_({"bokeh/draw.vert", "bokeh/draw.frag"}),
        vertexArray_(gl::makeVertexArray()) {}

  void resize(glm::ivec2 size) override {
    lens_->resize(size);
    collector_->resize(size);
    reduced_ = gl::Texture(GL_RGBA16F, size);
  }

  LensResult draw(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    const SceneFrame& scene = inputs.scene;
    const BokehRule rule{.lens = thinLens(inputs.lens, scene.size.y, scene.nearM),
                         .threshold = inputs.lens.highlightThreshold};
    const bool showsSprites = inputs.image == LensImage::blurred || inputs.image == LensImage::sprites;
    const SceneFrame reducedScene = reduced(scene, reduced_, rule, timings);
    std::optional<SceneFrame> behind;
    SceneRedraw redraw;
    if (inputs.redraw != nullptr) {
      redraw.timeS = inputs.redraw->timeS;
      redraw.draw = [&](const ViewOffset& offset, const gl::Texture* peeled) {
        SceneFrame frame = inputs.redraw->draw(offset, peeled);
        if (peeled == nullptr) return frame;
        behind = frame;
        if (reducedBehind_.size() != scene.size) reducedBehind_ = gl::Texture(GL_RGBA16F, scene.size);
        return reduced(frame, reducedBehind_, rule, timings);
      };
    }
    LensInputs reducedInputs{reducedScene,  inputs.lens,    inputs.image,   inputs.mean,
                             inputs.redraw, inputs.restart, inputs.exposure};
    if (inputs.redraw != nullptr) reducedInputs.redraw = &redraw;
    const LensResult result = lens_->draw(reducedInputs, output, timings);
    if (!showsSprites) return result;
    beginSprites(rule.lens, inputs, output);
    // The surface of a sprite of the first layer does not hide the sprite.
    drawSprites(collector_->collect(scene, rule, timings), 1.0f, inputs, output, timings);
    if (behind) drawSprites(collector_->collect(*behind, rule, timings), 0.0f, inputs, output, timings);
    return result;
  }

  std::string state() const override { return lens_->state(); }

 private:
  // The scene without the light of its sprites. `into`: the texture for its colour.
  SceneFrame reduced(const SceneFrame& scene, const gl::Texture& into, const BokehRule& rule,
                     Timings& timings) {
    constexpr int kGroup = 16;
    const auto scope = timings.gpu("highlights");
    setBokehRule(reduce_, rule);
    scene.colour->bind(0);
    scene.depth->bind(1);
    glBindImageTexture(0, into.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, into.format());
    reduce_.use();
    const glm::ivec2 groups = (scene.size + kGroup - 1) / kGroup;
    glDispatchCompute(static_cast<GLuint>(groups.x), static_cast<GLuint>(groups.y), 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    SceneFrame frame = scene;
    frame.colour = &into;
    return frame;
  }

  // Sets the uniforms of the sprites; clears the output to black for LensImage::sprites. Alpha is unchanged.
  void beginSprites(const ThinLens& thin, const LensInputs& inputs, const gl::Framebuffer& output) {
    const SceneFrame& scene = inputs.scene;
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
    const float nearest = thin.alpha * scene.nearM / scene.nearestM + thin.beta;
    draw_.set("nearestRadius", std::min(nearest, 0.0f) * thin.nearScale);
    draw_.set("spritesPerRow", static_cast<int>(kSpritesPerRow));
  }

  // Adds the sprites to the output, behind the surfaces of the first layer that hide them. `bias`: how far in
  // front of a sprite surfaces begin to hide it, in pixels of radius.
  void drawSprites(const BokehDraw& found, float bias, const LensInputs& inputs,
                   const gl::Framebuffer& output, Timings& timings) {
    const auto scope = timings.gpu("sprites");
    draw_.set("bias", bias);
    glBindTextureUnit(0, found.sprites);
    inputs.scene.depth->bind(1);
    draw_.use();
    glBindVertexArray(vertexArray_.name());
    glBindFramebuffer(GL_FRAMEBUFFER, output.name());
    glViewport(0, 0, inputs.scene.size.x, inputs.scene.size.y);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_ONE, GL_ONE, GL_ZERO, GL_ONE);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, found.command);
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr);
    glDisable(GL_BLEND);
  }

  gl::Texture reduced_, reducedBehind_;  // outlive the lens, which may share them with CUDA
  std::unique_ptr<Lens> lens_;
  std::unique_ptr<BokehCollector> collector_;
  gl::Program reduce_, draw_;
  gl::VertexArrayObject vertexArray_;
};

}  // namespace

std::unique_ptr<Lens> withBokeh(std::unique_ptr<Lens> lens, std::unique_ptr<BokehCollector> collector) {
  return std::make_unique<BokehLens>(std::move(lens), std::move(collector));
}

}  // namespace satdof
