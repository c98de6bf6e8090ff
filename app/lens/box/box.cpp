#include "app/lens/box/box.h"

#include <stdexcept>

#include "app/device/gl/uniforms.h"
#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

gl::Program makeProgram(TableFormat format, const BlurRule& rule) {
  gl::Defines defines = tableDefines(format);
  defines.emplace_back("BLUR_RULE", rule.define);
  return gl::Program({"common/fullscreen.vert", "lens/box/box.frag"}, defines);
}

}  // namespace

TableSource tableSource(const BlurRule& rule, const LensInputs& inputs) {
  const SceneFrame& scene = inputs.scene;
  const float halfWidthPx = boxHalfWidthPx(rule.largestRadiusPx(inputs.lens, scene));
  const float anamorphicRatio = rule.values(inputs.lens, scene).lens.anamorphicRatio;
  const float ceiling = fixedPointCeiling(halfWidthPx, scene.size, anamorphicRatio);
  return {scene.colour, fixedPointScale(halfWidthPx, scene.size, ceiling, anamorphicRatio), ceiling,
          inputs.mean};
}

std::unique_ptr<Lens> makeSingleTableLens(const Technique& technique, const BlurRule& rule) {
  if (technique.lensOn == LensOn::openGl) return std::make_unique<SingleTableLens>(technique, rule);
  if (resolve(technique.device) != DeviceId::cuda)
    throw std::runtime_error(std::string("--lens-on ") + name(technique.lensOn) +
                             " needs the cuda device, not " + name(resolve(technique.device)));
  return makeCudaSingleTableLens(technique, rule);
}

SingleTableLens::SingleTableLens(const Technique& technique, const BlurRule& rule)
    : SingleTableLens(makeTableBuilder(technique), technique.format, rule) {}

SingleTableLens::SingleTableLens(std::unique_ptr<TableBuilder> device, TableFormat format,
                                 const BlurRule& rule)
    : rule_(rule), builder_(std::move(device)), program_(makeProgram(format, rule)) {}

void SingleTableLens::resize(glm::ivec2 size) { builder_->resize(size); }

void SingleTableLens::process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) {
  const SceneFrame& scene = inputs.scene;
  table_ = builder_->build(tableSource(rule_, inputs), timings);

  const auto stage = timings.gpu("lens");
  rule_.setUniforms(program_, inputs.lens, scene);
  bindTable(program_, table_);
  scene.colour->bind(0);
  scene.depth->bind(1);
  program_.use();
  gl::drawFullScreen(output.name(), scene.size);
}

}  // namespace satdof
