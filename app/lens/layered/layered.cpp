#include "app/lens/layered/layered.h"

#include <algorithm>

#include "app/device/device.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/program.h"
#include "app/lens/layered/plan.h"

namespace satdof {

namespace {

constexpr int kGroup = 16;

// Returns the SHOW_... constant of shaders/lens/layered/compose.comp.
int shown(LensImage image) {
  constexpr LensImage kShown[] = {LensImage::nearCoverage, LensImage::fill, LensImage::layers,
                                  LensImage::weights};
  const auto* found = std::ranges::find(kShown, image);
  return found == std::end(kShown) ? 0 : static_cast<int>(found - kShown) + 1;
}

class Layered final : public Lens {
 public:
  Layered(const Device& device, const TableSpec& spec)
      : fillProgram_({"lens/layered/fill.comp"}),
        background_({"lens/layered/background.comp"}),
        compose_({"lens/layered/compose.comp"}),
        fill_(device.makeTableBuilder(spec)),
        far_(device.makeTableBuilder(spec)),
        scatter_(device.makeNearScatter(spec)) {}

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

  LensResult draw(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) override {
    const LayeredPlan plan = layeredPlan(inputs.lens, inputs.scene, inputs.redraw != nullptr);
    Table near, fill;
    if (plan.anyNear) near = scatter_->scatter(inputs.scene, plan.scatter, timings);
    if (plan.anyNear && !plan.secondLayer) fill = buildFill(plan, inputs.scene, timings);
    drawBackground(plan, inputs, fill, timings);
    const Table far = far_->build({.texture = &farImage_}, timings);
    compose(plan, near, far, inputs.image, output, timings);
    return {.table = far};
  }

  std::string state() const override { return far_->state(); }

 private:
  // Builds the table for hole filling, at half the resolution.
  Table buildFill(const LayeredPlan& plan, const SceneFrame& scene, Timings& timings) {
    {
      const auto scope = timings.gpu("fill");
      useOnScene(fillProgram_, plan, scene);
      fillProgram_.set("fillScale", plan.fillScale);
      fillProgram_.set("ceiling_", plan.fillCeiling);
      fillProgram_.set("radiusScale", plan.fillRadiusScale);
      fillProgram_.set("fillRange", plan.fillRangePx);
      bindImage(0, fillImage_);
      dispatch((size_ + 1) / 2);
    }
    return fill_->build({.texture = &fillImage_}, timings);
  }

  // Draws the background (the scene without its near field) and the weighted image for the far table.
  void drawBackground(const LayeredPlan& plan, const LensInputs& inputs, const Table& fill,
                      Timings& timings) {
    SceneFrame behind;
    if (plan.secondLayer) behind = inputs.redraw->draw({}, inputs.scene.depth);
    const auto scope = timings.gpu("background");
    useOnScene(background_, plan, inputs.scene);
    background_.set("farScale", plan.farScale);
    background_.set("ceiling_", plan.farCeiling);
    background_.set("largestFill", plan.largestFillPx);
    background_.set("radiusScale", plan.fillRadiusScale);
    background_.set("fillScale", plan.fillScale);
    background_.set("secondLayer", static_cast<int>(plan.secondLayer));
    background_.set("transposed", static_cast<int>(fill.transposed));
    bindTexture(2, fill);
    if (plan.secondLayer) {
      behind.colour->bind(3);
      behind.depth->bind(4);
    }
    bindImage(0, backgroundColour_);
    bindImage(1, backgroundRadius_);
    bindImage(2, farImage_);
    dispatch(size_);
  }

  // Gathers the far field from its table and blends the near field over it.
  void compose(const LayeredPlan& plan, const Table& near, const Table& far, LensImage image,
               const gl::Framebuffer& output, Timings& timings) {
    const auto scope = timings.gpu("lens");
    use(compose_, plan);
    compose_.set("farUnit", plan.farCeiling);
    compose_.set("transposed", static_cast<int>(far.transposed));
    compose_.set("farScale", plan.farScale);
    compose_.set("show", shown(image));
    compose_.set("anyNear", static_cast<int>(plan.anyNear));
    bindTexture(0, near);
    bindTexture(1, far);
    backgroundColour_.bind(2);
    backgroundRadius_.bind(3);
    glBindImageTexture(0, output.colour(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    dispatch(size_);
  }

  static void use(const gl::Program& program, const LayeredPlan& plan) {
    program.use();
    setThinLens(program, plan.lens);
    program.set("steps", plan.scatter.steps);
  }
  static void useOnScene(const gl::Program& program, const LayeredPlan& plan, const SceneFrame& scene) {
    use(program, plan);
    scene.colour->bind(0);
    scene.depth->bind(1);
  }
  static void bindTexture(GLuint unit, const Table& table) {
    glBindTextureUnit(unit, table.texture == nullptr ? 0 : table.texture->name());
  }
  static void bindImage(GLuint unit, const gl::Texture& texture) {
    glBindImageTexture(unit, texture.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, texture.format());
  }
  static void dispatch(glm::ivec2 size) {
    glDispatchCompute(static_cast<GLuint>((size.x + kGroup - 1) / kGroup),
                      static_cast<GLuint>((size.y + kGroup - 1) / kGroup), 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
  }

  gl::Program fillProgram_, background_, compose_;
  gl::Texture farImage_, fillImage_;  // outlive the builders, which may share them with CUDA
  std::unique_ptr<TableBuilder> fill_, far_;
  std::unique_ptr<NearScatter> scatter_;
  glm::ivec2 size_{0};
  gl::Texture backgroundColour_, backgroundRadius_;
};

}  // namespace

std::unique_ptr<Lens> makeLayeredLens(const Technique& technique) {
  TableSpec integers = technique.table;
  integers.format = TableFormat::uint32;
  return std::make_unique<Layered>(availableDevice(technique.device), integers);
}

}  // namespace satdof
