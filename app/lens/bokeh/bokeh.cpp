#include "app/lens/bokeh/bokeh.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "app/device/bokeh_collector.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/program.h"
#include "app/lens/bokeh/pane_depth.h"
#include "app/lens/bokeh/sprites.h"

namespace satdof {

namespace {

// The highlights of an image, and the image without them.
class Highlights {
 public:
  Highlights(std::unique_ptr<BokehCollector> collector, glm::ivec2 size)
      : reduced_(GL_RGBA16F, size), collector_(std::move(collector)) {
    collector_->resize(size);
  }

  // Replaces the colour of `scene` by the image without its highlights.
  BokehDraw take(SceneFrame& scene, const BokehRule& rule, const gl::Program& reduce, Timings& timings) {
    const BokehDraw found = collector_->collect(scene, rule, timings);
    const auto scope = timings.gpu("highlights");
    setBokehRule(reduce, rule);
    scene.colour->bind(0);
    scene.depth->bind(1);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, found.command);
    glBindImageTexture(0, reduced_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, reduced_.format());
    reduce.dispatch(scene.size);
    scene.colour = &reduced_;
    return found;
  }

 private:
  gl::Texture reduced_;
  std::unique_ptr<BokehCollector> collector_;
};

// The highlights of a layer of blended surfaces, and the layer without them.
class PaneHighlights {
 public:
  PaneHighlights(std::unique_ptr<BokehCollector> collector, glm::ivec2 size)
      : depth_(size), highlights_(std::move(collector), size) {}

  // Replaces the colour of `layer`. `scene`: the image with the layer.
  BokehDraw take(BlendedLayer& layer, SceneFrame scene, const BokehRule& rule, const gl::Program& toDepth,
                 const gl::Program& reduce, Timings& timings) {
    {
      const auto scope = timings.gpu("highlights");
      depth_.draw(layer, toDepth);
    }
    scene.colour = layer.colour;
    scene.depth = &depth_.texture();
    const BokehDraw found = highlights_.take(scene, rule, reduce, timings);
    layer.colour = scene.colour;
    return found;
  }

 private:
  PaneDepth depth_;
  Highlights highlights_;
};

class BokehLens final : public Lens {
 public:
  BokehLens(std::unique_ptr<Lens> lens, std::function<std::unique_ptr<BokehCollector>()> makeCollector,
            NearField nearField)
      : lens_(std::move(lens)),
        makeCollector_(std::move(makeCollector)),
        nearField_(nearField),
        reduce_({"bokeh/reduce.comp"}),
        paneDepth_(PaneDepth::makeProgram()),
        sprites_(makeSpritePass()) {}

  void resize(glm::ivec2 size) override {
    size_ = size;
    lens_->resize(size);
    highlights_.emplace(makeCollector_(), size);
    hidden_.reset();
    for (auto& side : panes_) side.reset();
  }
  void prepareBlended() override {
    lens_->prepareBlended();
    if (nearField_ == NearField::scattered)
      for (auto& side : panes_) side.emplace(makeCollector_(), size_);
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    // A lens that scatters its near field blurs blended surfaces in layers of their own.
    SceneFrame scene = inputs.scene;
    const bool layers = scene.opaque != nullptr && nearField_ == NearField::scattered;
    if (layers) scene.colour = scene.opaque;
    const BokehRule rule = bokehRule(inputs);
    std::vector<BokehDraw> found{highlights_->take(scene, rule, reduce_, timings)};
    if (layers) scene.opaque = scene.colour;
    SceneRedraw redraw;
    BlendedLayer panes;
    if (inputs.redraw != nullptr) {
      redraw = *inputs.redraw;
      redraw.draw = [&](const ViewOffset& offset, const gl::Texture* behind) {
        SceneFrame second = inputs.redraw->draw(offset, behind);
        if (behind == nullptr) return second;
        if (!hidden_) hidden_.emplace(makeCollector_(), size_);
        found.push_back(hidden_->take(second, rule, reduce_, timings));
        return second;
      };
      redraw.blended = [&](bool front, float atM) {
        BlendedLayer layer = inputs.redraw->blended(front, atM);
        if (!front) panes = layer;
        if (auto& side = panes_[front ? 1 : 0])
          found.push_back(side->take(layer, inputs.scene, rule, paneDepth_, reduce_, timings));
        return layer;
      };
    }
    LensInputs below = inputs;
    below.scene = scene;
    below.redraw = inputs.redraw != nullptr ? &redraw : nullptr;
    below.mayDefer = false;  // the sprites are drawn over the image
    const LensResult result = lens_->draw(below, output, timings);
    sprites_->draw(inputs, nearField_, found, panes, output, timings);
    return result;
  }

  std::string state() const override { return lens_->state(); }

 private:
  // They outlive the lens, which may share their images with CUDA.
  std::optional<Highlights> highlights_, hidden_;  // of the image, and of the second layer behind it
  // Behind, in front of the focus plane; none before prepareBlended().
  std::array<std::optional<PaneHighlights>, 2> panes_;
  std::unique_ptr<Lens> lens_;
  std::function<std::unique_ptr<BokehCollector>()> makeCollector_;
  NearField nearField_;
  glm::ivec2 size_{0};
  gl::Program reduce_, paneDepth_;
  std::unique_ptr<SpritePass> sprites_;
};

}  // namespace

std::unique_ptr<Lens> withBokeh(std::unique_ptr<Lens> lens,
                                std::function<std::unique_ptr<BokehCollector>()> makeCollector,
                                NearField nearField) {
  return std::make_unique<BokehLens>(std::move(lens), std::move(makeCollector), nearField);
}

}  // namespace satdof
