#include "app/lens/box/box.h"

#include <utility>

#include "app/device/device.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/pixel_pass.h"
#include "app/lens/box/plan.h"

namespace satdof {

namespace {

gl::PixelPass makePass(gl::PixelStage stage, TableFormat format, const BlurRule& rule) {
  gl::Defines defines = tableDefines(format);
  defines.emplace_back("BLUR_RULE", rule.define);
  return {stage, "lens/box/box", defines};
}

class BoxLens final : public Lens {
 public:
  BoxLens(std::unique_ptr<TableBuilder> table, TableFormat format, const BlurRule& rule, gl::PixelStage stage)
      : rule_(rule), builder_(std::move(table)), pass_(makePass(stage, format, rule)) {}

  void resize(glm::ivec2 size) override { builder_->resize(size); }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    const SceneFrame& scene = inputs.scene;
    const BoxPlan plan = boxPlan(rule_, inputs.lens, scene);
    const Table table = builder_->build({scene.colour, {plan.scale, plan.ceiling, inputs.mean}}, timings);

    const auto stage = timings.gpu("lens");
    const gl::Program& program = pass_.program();
    setBlurRule(program, plan.blur);
    bindTable(program, table);
    program.set("unit", 1.0f / table.scale);
    program.set("offset", table.mean);
    scene.colour->bind(0);
    scene.depth->bind(1);
    pass_.run(output.texture, output.framebuffer);
    return {.table = table};
  }

  std::string state() const override { return builder_->state(); }

 private:
  const BlurRule& rule_;
  std::unique_ptr<TableBuilder> builder_;
  gl::PixelPass pass_;
};

}  // namespace

std::unique_ptr<Lens> makeBoxLens(const Technique& technique, const BlurRule& rule) {
  const Device& device = availableDevice(technique.device);
  return makeBoxLens(device.makeTableBuilder(technique.table), technique.table.format, rule,
                     device.lensStage);
}

std::unique_ptr<Lens> makeBoxLens(std::unique_ptr<TableBuilder> table, TableFormat format,
                                  const BlurRule& rule, gl::PixelStage stage) {
  return std::make_unique<BoxLens>(std::move(table), format, rule, stage);
}

}  // namespace satdof
