#include "app/lens/box/box.h"

#include <utility>

#include "app/device/device.h"
#include "app/device/gl/uniforms.h"
#include "app/lens/box/plan.h"

namespace satdof {

namespace {

gl::Program makeProgram(TableFormat format, const BlurRule& rule) {
  gl::Defines defines = tableDefines(format);
  defines.emplace_back("BLUR_RULE", rule.define);
  return gl::Program({"common/fullscreen.vert", "lens/box/box.frag"}, defines);
}

class BoxLens final : public Lens {
 public:
  BoxLens(std::unique_ptr<TableBuilder> table, TableFormat format, const BlurRule& rule)
      : rule_(rule), builder_(std::move(table)), program_(makeProgram(format, rule)) {}

  void resize(glm::ivec2 size) override { builder_->resize(size); }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    const SceneFrame& scene = inputs.scene;
    const BoxPlan plan = boxPlan(rule_, inputs.lens, scene);
    const Table table = builder_->build({scene.colour, {plan.scale, plan.ceiling, inputs.mean}}, timings);

    const auto stage = timings.gpu("lens");
    setBlurRule(program_, plan.blur);
    bindTable(program_, table);
    program_.set("unit", 1.0f / table.scale);
    program_.set("offset", table.mean);
    scene.colour->bind(0);
    scene.depth->bind(1);
    program_.use();
    gl::drawFullScreen(output.framebuffer.name(), scene.size);
    return {.table = table};
  }

  std::string state() const override { return builder_->state(); }

 private:
  const BlurRule& rule_;
  std::unique_ptr<TableBuilder> builder_;
  gl::Program program_;
};

}  // namespace

std::unique_ptr<Lens> makeBoxLens(const Technique& technique, const BlurRule& rule) {
  return makeBoxLens(availableDevice(technique.device).makeTableBuilder(technique.table),
                     technique.table.format, rule);
}

std::unique_ptr<Lens> makeBoxLens(std::unique_ptr<TableBuilder> table, TableFormat format,
                                  const BlurRule& rule) {
  return std::make_unique<BoxLens>(std::move(table), format, rule);
}

}  // namespace satdof
