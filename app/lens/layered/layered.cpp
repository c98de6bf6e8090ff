#include "app/lens/layered/layered.h"

#include <algorithm>
#include <cmath>

#include "app/device/gl/uniforms.h"
#include "app/device/near_scatter.h"
#include "app/gl/program.h"
#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

constexpr int kGroup = 16;
constexpr int kLargestFillPx = 256;

// SHOW_... of shaders/lens/layered/compose.comp.
int shown(View view) {
  constexpr View kShown[] = {View::near, View::fill, View::layers, View::weights};
  const auto* found = std::ranges::find(kShown, view);
  return found == std::end(kShown) ? 0 : static_cast<int>(found - kShown) + 1;
}

class Layered final : public Lens {
 public:
  explicit Layered(Technique technique)
      : fillProgram_({"lens/layered/fill.comp"}),
        background_({"lens/layered/background.comp"}),
        compose_({"lens/layered/compose.comp"}) {
    technique.format = TableFormat::uint32;
    for (auto* device : {&fill_, &far_}) *device = makeTableBuilder(technique);
    scatter_ = makeNearScatter(technique);
  }

  void resize(glm::ivec2 size) override {
    size_ = size;
    const glm::ivec2 fillSize((size.x + 1) / 2 * 2, (size.y + 1) / 2);
    far_->resize(size);
    fill_->resize(fillSize);
    scatter_->resize(size);
    farImage_ = gl::Texture(GL_RGBA32UI, size);
    fillImage_ = gl::Texture(GL_RGBA32UI, fillSize);
    backgroundColour_ = gl::Texture(GL_RGBA16F, size);
    backgroundRadius_ = gl::Texture(GL_R32F, size);
  }

  void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    const LensSettings& lens = inputs.lens;
    const ThinLens thin = thinLens(lens, size_.y, inputs.scene.nearM);
    const float widest = std::max(1.0f, lens.anamorphicRatio);
    const bool secondLayer = lens.layers == 2 && inputs.redraw != nullptr;
    const float nearPx =
        std::max(-radiusPx(thin, inputs.scene.nearM / inputs.scene.nearestM) * lens.nearScale, 0.0f);
    const float farPx = std::max({thin.beta * lens.farScale, secondLayer ? nearPx : 0.0f, 1.0f});
    const bool anyNear = nearPx > 0.5f;
    const int largestFill = std::clamp(static_cast<int>(2 * nearPx * widest) + 8, 16, kLargestFillPx);
    const float fillCeiling = fixedPointCeiling(static_cast<float>(largestFill), size_);
    // Half the resolution, four times the value.
    const float fillScale = fixedPointScale(static_cast<float>(largestFill), size_, fillCeiling) / 4;
    // What is this much nearer than the focus plane fills no hole.
    const float fillRange = std::max(nearPx / 4, 2.5f);
    const float radiusScale = fixedPointScale(static_cast<float>(largestFill), size_, farPx) / 4;
    const float farCeiling = fixedPointCeiling(farPx * widest, size_);
    const float farScale = fixedPointScale(farPx * widest, size_, farCeiling);

    const auto use = [&](const gl::Program& program) {
      program.use();
      setThinLens(program, thin);
      program.set("steps", lens.kernelSteps);
    };
    const auto useOnScene = [&](const gl::Program& program) {
      use(program);
      inputs.scene.colour->bind(0);
      inputs.scene.depth->bind(1);
    };

    Table near, fill;
    if (anyNear) {
      // In steps, so that things that move seldom change the rule, and with it CUDA's graph.
      const float widestPx = 8.0f * std::ceil((nearPx + 2.0f) / 8.0f) - 2.0f;
      const ScatterRule rule{thin, lens.kernelSteps, widestPx};
      near = scatter_->scatter(inputs.scene, rule, timings);
    }
    if (anyNear && !secondLayer) {
      {
        const auto scope = timings.gpu("fill");
        useOnScene(fillProgram_);
        fillProgram_.set("fillScale", fillScale);
        fillProgram_.set("ceiling_", fillCeiling);
        fillProgram_.set("radiusScale", radiusScale);
        fillProgram_.set("fillRange", fillRange);
        bindImage(0, fillImage_);
        dispatch((size_ + 1) / 2);
      }
      fill = fill_->build({.texture = &fillImage_}, timings);
    }
    SceneFrame behind;
    if (secondLayer) behind = inputs.redraw->draw({}, inputs.scene.depth);
    {
      const auto scope = timings.gpu("background");
      useOnScene(background_);
      background_.set("farScale", farScale);
      background_.set("ceiling_", farCeiling);
      background_.set("largestFill", largestFill);
      background_.set("radiusScale", radiusScale);
      background_.set("fillScale", fillScale);
      background_.set("secondLayer", static_cast<int>(secondLayer));
      background_.set("transposed", static_cast<int>(fill.transposed));
      glBindTextureUnit(2, fill.texture);
      if (secondLayer) {
        behind.colour->bind(3);
        behind.depth->bind(4);
      }
      bindImage(0, backgroundColour_);
      bindImage(1, backgroundRadius_);
      bindImage(2, farImage_);
      dispatch(size_);
    }
    table_ = far_->build({.texture = &farImage_}, timings);
    const auto scope = timings.gpu("lens");
    use(compose_);
    compose_.set("farUnit", farCeiling);
    compose_.set("transposed", static_cast<int>(table_.transposed));
    compose_.set("farScale", farScale);
    compose_.set("show", shown(inputs.technique.view));
    compose_.set("anyNear", static_cast<int>(anyNear));
    glBindTextureUnit(0, near.texture);
    glBindTextureUnit(1, table_.texture);
    backgroundColour_.bind(2);
    backgroundRadius_.bind(3);
    glBindImageTexture(0, output.colour(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    dispatch(size_);
  }

  Table table() const override { return table_; }
  std::string state() const override { return far_->state(); }

 private:
  static void bindImage(GLuint unit, const gl::Texture& texture) {
    glBindImageTexture(unit, texture.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, texture.format());
  }
  static void dispatch(glm::ivec2 size) {
    glDispatchCompute(static_cast<GLuint>((size.x + kGroup - 1) / kGroup),
                      static_cast<GLuint>((size.y + kGroup - 1) / kGroup), 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
  }

  gl::Program fillProgram_, background_, compose_;
  std::unique_ptr<TableBuilder> fill_, far_;
  std::unique_ptr<NearScatter> scatter_;
  glm::ivec2 size_{0};
  gl::Texture farImage_, fillImage_;
  gl::Texture backgroundColour_, backgroundRadius_;
  Table table_;
};

}  // namespace

std::unique_ptr<Lens> makeLayeredLens(const Technique& technique) {
  return std::make_unique<Layered>(technique);
}

}  // namespace satdof
