#include "app/lens/sprites.h"

#include <numbers>
#include <utility>

#include "app/gl/program.h"
#include "app/lens/circle_of_confusion.h"
#include "app/lens/highlight_source.h"
#include "app/lens/view_pass.h"

namespace satdof {

namespace {

class HighlightLens final : public Lens {
 public:
  HighlightLens(std::unique_ptr<Lens> lens, const Method& method, NearField nearField)
      : lens_(std::move(lens)),
        source_(makeHighlightSource(resolve(method.backend),
                                    {.compaction = method.compaction, .sort = method.sort})),
        nearField_(nearField),
        reduce_({"fullscreen.vert", "sprite_reduce.frag"}),
        draw_({"sprite_draw.vert", "sprite_draw.frag"}),
        add_({"fullscreen.vert", "sprite_add.frag"}),
        vertexArray_(gl::makeVertexArray()) {}

  void resize(glm::ivec2 size) override {
    lens_->resize(size);
    source_->resize(size);
    reduced_ = Target(GL_RGBA16F, size);
    blurred_ = Target(GL_RGBA16F, size);
    sprites_ = Target(GL_RGBA32F, size);
  }

  void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    const SceneFrame& scene = inputs.scene;
    const CircleOfConfusion coc = circleOfConfusion(inputs.lens, scene.size.y, scene.nearM);
    const HighlightRule rule{.alpha = coc.alpha,
                             .beta = coc.beta,
                             .nearScale = inputs.lens.nearScale,
                             .farScale = inputs.lens.farScale,
                             .threshold = inputs.lens.highlightThreshold};
    reduce(scene, rule, timings);
    SceneFrame reducedScene = scene;
    reducedScene.colour = &reduced_.texture;
    LensInputs reducedInputs{reducedScene, inputs.lens, inputs.method, inputs.mean, inputs.redraw};
    if (isOfLayers(inputs.method.view)) {
      lens_->process(reducedInputs, output, timings);
      return;
    }
    lens_->process(reducedInputs, blurred_.framebuffer, timings);

    const HighlightDraw found = source_->collect(scene, rule, timings);
    const auto scope = timings.gpu("sprites");
    draw(scene, rule, inputs.lens, found);
    add_.set("blurredPart", inputs.method.view == View::sprites ? 0.0f : 1.0f);
    blurred_.texture.bind(0);
    sprites_.texture.bind(1);
    add_.use();
    gl::drawFullScreen(output.name(), scene.size);
  }

  SatView table() const override { return lens_->table(); }
  bool drawsSprites() const override { return true; }
  float progress() const override { return lens_->progress(); }
  std::string state() const override { return lens_->state(); }

 private:
  struct Target {
    gl::Texture texture;
    gl::Framebuffer framebuffer;

    Target() = default;
    Target(GLenum format, glm::ivec2 size) : texture(format, size), framebuffer(texture) {}
  };

  static void setRadius(const gl::Program& program, const HighlightRule& rule) {
    program.set("alpha", rule.alpha);
    program.set("beta", rule.beta);
    program.set("sideScale", glm::vec2(rule.nearScale, rule.farScale));
  }

  void reduce(const SceneFrame& scene, const HighlightRule& rule, Timings& timings) {
    const auto scope = timings.gpu("highlights");
    setRadius(reduce_, rule);
    reduce_.set("threshold", rule.threshold);
    reduce_.set("minRadiusPx", rule.minRadiusPx);
    scene.colour->bind(0);
    scene.depth->bind(1);
    reduce_.use();
    gl::drawFullScreen(reduced_.framebuffer.name(), scene.size);
  }

  void draw(const SceneFrame& scene, const HighlightRule& rule, const LensSettings& lens,
            const HighlightDraw& found) {
    const glm::vec4 black(0.0f);
    glClearNamedFramebufferfv(sprites_.framebuffer.name(), GL_COLOR, 0, &black.x);
    setRadius(draw_, rule);
    draw_.set("blades", lens.blades);
    draw_.set("turn", lens.bladeRotationDegrees * std::numbers::pi_v<float> / 180.0f);
    draw_.set("stretch", lens.stretch);
    draw_.set("size", glm::vec2(scene.size));
    draw_.set("spritesPerRow", static_cast<int>(kSpritesPerRow));
    draw_.set("coverageInAlpha", static_cast<int>(nearField_ == NearField::spread));
    glBindTextureUnit(0, found.sprites);
    scene.depth->bind(1);
    blurred_.texture.bind(2);
    draw_.use();
    glBindVertexArray(vertexArray_.name());
    glBindFramebuffer(GL_FRAMEBUFFER, sprites_.framebuffer.name());
    glViewport(0, 0, scene.size.x, scene.size.y);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, found.command);
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr);
    glDisable(GL_BLEND);
  }

  std::unique_ptr<Lens> lens_;
  std::unique_ptr<HighlightSource> source_;
  NearField nearField_;
  gl::Program reduce_, draw_, add_;
  gl::VertexArrayObject vertexArray_;
  Target reduced_, blurred_, sprites_;
};

}  // namespace

std::unique_ptr<Lens> withHighlights(std::unique_ptr<Lens> lens, const Method& method,
                                     std::optional<NearField> nearField) {
  if (!method.highlights || !nearField) return lens;
  return std::make_unique<HighlightLens>(std::move(lens), method, *nearField);
}

bool needsNewHighlights(const Method& from, const Method& to) {
  if (from.highlights != to.highlights) return true;
  return to.highlights && resolve(to.backend) == Backend::cuda &&
         (from.compaction != to.compaction || from.sort != to.sort);
}

}  // namespace satdof
