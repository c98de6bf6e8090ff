#include "app/lens/single_table.h"

#include "app/lens/circle_of_confusion.h"
#include "app/lens/sat_program.h"

namespace satdof {

namespace {

gl::Program makeProgram(SatFormat format, const BlurRule& rule) {
  gl::Defines defines = satDefines(format);
  defines.emplace_back("BLUR_RULE", rule.define);
  return gl::Program({"fullscreen.vert", "lens_box.frag"}, defines);
}

}  // namespace

SingleTableLens::SingleTableLens(const Method& method, const BlurRule& rule)
    : SingleTableLens(makeSatBackend(method), method.format, rule) {}

SingleTableLens::SingleTableLens(std::unique_ptr<SatBackend> backend, SatFormat format, const BlurRule& rule)
    : rule_(rule), backend_(std::move(backend)), program_(makeProgram(format, rule)) {}

void SingleTableLens::resize(glm::ivec2 size) { backend_->resize(size); }

void SingleTableLens::process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) {
  const SceneFrame& scene = inputs.scene;
  const float halfWidthPx = boxHalfWidthPx(rule_.largestRadiusPx(inputs.lens, scene));
  const float ceiling = fixedPointCeiling(halfWidthPx, scene.size);
  const float scale = fixedPointScale(halfWidthPx, scene.size, ceiling);
  table_ = backend_->build({scene.colour, scale, ceiling, inputs.mean}, timings);

  const auto stage = timings.gpu("lens");
  rule_.setUniforms(program_, inputs.lens, scene);
  bindTable(program_, table_);
  scene.colour->bind(0);
  scene.depth->bind(1);
  program_.use();
  gl::drawFullScreen(output.name(), scene.size);
}

}  // namespace satdof
