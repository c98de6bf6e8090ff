#include "app/lens/bokeh/bokeh.h"

#include <utility>

#include "app/device/bokeh_collector.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/program.h"
#include "app/lens/bokeh/sprites.h"

namespace satdof {

namespace {

class BokehLens final : public Lens {
 public:
  BokehLens(std::unique_ptr<Lens> lens, std::unique_ptr<BokehCollector> collector, NearField nearField)
      : lens_(std::move(lens)),
        collector_(std::move(collector)),
        nearField_(nearField),
        reduce_({"bokeh/reduce.comp"}) {}

  void resize(glm::ivec2 size) override {
    lens_->resize(size);
    collector_->resize(size);
    reduced_ = gl::Texture(GL_RGBA16F, size);
  }
  void prepareBlended() override { lens_->prepareBlended(); }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    // A lens that scatters its near field blurs blended surfaces in layers of their own.
    SceneFrame scene = inputs.scene;
    const bool layers = scene.opaque != nullptr && nearField_ == NearField::scattered;
    if (layers) scene.colour = scene.opaque;
    const BokehRule rule = bokehRule(inputs);
    const BokehDraw found = collector_->collect(scene, rule, timings);
    reduce(scene, rule, found, timings);
    SceneFrame reducedScene = scene;
    reducedScene.colour = &reduced_;
    if (layers) reducedScene.opaque = &reduced_;
    const LensInputs reducedInputs{.scene = reducedScene,
                                   .lens = inputs.lens,
                                   .image = inputs.image,
                                   .mean = inputs.mean,
                                   .redraw = inputs.redraw,
                                   .restart = inputs.restart,
                                   .exposure = inputs.exposure,
                                   .samplesPerFrame = inputs.samplesPerFrame,
                                   .wantsTable = inputs.wantsTable};
    const LensResult result = lens_->draw(reducedInputs, output, timings);
    sprites_.draw(inputs, nearField_, found, output, timings);
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

  gl::Texture reduced_;  // outlives the lens, which may share it with CUDA
  std::unique_ptr<Lens> lens_;
  std::unique_ptr<BokehCollector> collector_;
  NearField nearField_;
  gl::Program reduce_;
  SpritePass sprites_;
};

}  // namespace

std::unique_ptr<Lens> withBokeh(std::unique_ptr<Lens> lens, std::unique_ptr<BokehCollector> collector,
                                NearField nearField) {
  return std::make_unique<BokehLens>(std::move(lens), std::move(collector), nearField);
}

}  // namespace satdof
