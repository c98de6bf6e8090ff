#include "app/lens/bokeh/bokeh.h"

#include <numbers>
#include <utility>

#include "app/device/bokeh_collector.h"
#include "app/gl/program.h"
#include "app/lens/thin_lens.h"
#include "app/views/view_pass.h"

namespace satdof {

namespace {

class BokehLens final : public Lens {
 public:
  BokehLens(std::unique_ptr<Lens> lens, const Technique& technique, NearField nearField)
      : lens_(std::move(lens)),
        source_(makeBokehCollector(resolve(technique.device),
                                   {.compaction = technique.compaction, .sort = technique.sort})),
        nearField_(nearField),
        reduce_({"bokeh/reduce.comp"}),
        draw_({"bokeh/draw.vert", "bokeh/draw.frag"}),
        vertexArray_(gl::makeVertexArray()) {}

  void resize(glm::ivec2 size) override {
    lens_->resize(size);
    source_->resize(size);
    reduced_ = gl::Texture(GL_RGBA16F, size);
  }

  void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    const SceneFrame& scene = inputs.scene;
    const BokehRule rule{.lens = thinLens(inputs.lens, scene.size.y, scene.nearM),
                         .threshold = inputs.lens.highlightThreshold};
    reduce(scene, rule, timings);
    SceneFrame reducedScene = scene;
    reducedScene.colour = &reduced_;
    lens_->process({reducedScene, inputs.lens, inputs.technique, inputs.mean, inputs.redraw}, output,
                   timings);
    if (isOfLayers(inputs.technique.view)) return;
    const BokehDraw found = source_->collect(scene, rule, timings);
    draw(scene, rule, inputs, found, output, timings);
  }

  Table table() const override { return lens_->table(); }
  bool drawsSprites() const override { return true; }
  float progress() const override { return lens_->progress(); }
  std::string state() const override { return lens_->state(); }

 private:
  void reduce(const SceneFrame& scene, const BokehRule& rule, Timings& timings) {
    constexpr int kGroup = 16;
    const auto scope = timings.gpu("highlights");
    setBokehRule(reduce_, rule);
    scene.colour->bind(0);
    scene.depth->bind(1);
    glBindImageTexture(0, reduced_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, reduced_.format());
    reduce_.use();
    const glm::ivec2 groups = (scene.size + kGroup - 1) / kGroup;
    glDispatchCompute(static_cast<GLuint>(groups.x), static_cast<GLuint>(groups.y), 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
  }

  // Onto the lens's image, or with the view `sprites` onto black, whose alpha stays the lens's.
  void draw(const SceneFrame& scene, const BokehRule& rule, const LensInputs& inputs, const BokehDraw& found,
            const gl::Framebuffer& output, Timings& timings) {
    const auto scope = timings.gpu("sprites");
    if (inputs.technique.view == View::sprites) {
      const glm::vec4 black(0.0f);
      glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
      glClearNamedFramebufferfv(output.name(), GL_COLOR, 0, &black.x);
      glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    }
    setBokehRule(draw_, rule);
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
    const bool scatter = nearField_ == NearField::scatter;
    if (scatter) draw({0, 1}, GL_DST_ALPHA);
    draw({1, scatter ? 0 : 1}, GL_ONE);
    glDisable(GL_BLEND);
  }

  // Those in front of the focus plane and those behind it, each where `sides` is 1.
  void draw(glm::vec2 sides, GLenum factor) {
    draw_.set("sides", sides);
    draw_.set("underNear", static_cast<int>(factor == GL_DST_ALPHA));
    glBlendFuncSeparate(factor, GL_ONE, GL_ZERO, GL_ONE);
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr);
  }

  std::unique_ptr<Lens> lens_;
  std::unique_ptr<BokehCollector> source_;
  NearField nearField_;
  gl::Program reduce_, draw_;
  gl::VertexArrayObject vertexArray_;
  gl::Texture reduced_;
};

}  // namespace

std::unique_ptr<Lens> withBokeh(std::unique_ptr<Lens> lens, const Technique& technique,
                                std::optional<NearField> nearField) {
  if (!technique.highlights || !nearField) return lens;
  return std::make_unique<BokehLens>(std::move(lens), technique, *nearField);
}

bool needsNewBokeh(const Technique& from, const Technique& to) {
  if (from.highlights != to.highlights) return true;
  return to.highlights && resolve(to.device) == DeviceId::cuda &&
         (from.compaction != to.compaction || from.sort != to.sort);
}

}  // namespace satdof
