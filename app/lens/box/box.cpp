#include "app/lens/box/box.h"

#include <stdexcept>

#include "app/device/gl/table_uniforms.h"
#include "app/lens/thin_lens.h"

namespace satdof {

namespace {

gl::Program makeProgram(SatFormat format, const BlurRule& rule) {
  gl::Defines defines = satDefines(format);
  defines.emplace_back("BLUR_RULE", rule.define);
  return gl::Program({"common/fullscreen.vert", "lens/box/box.frag"}, defines);
}

}  // namespace

SatSource tableSource(const BlurRule& rule, const LensInputs& inputs) {
  const SceneFrame& scene = inputs.scene;
  const float halfWidthPx = boxHalfWidthPx(rule.largestRadiusPx(inputs.lens, scene));
  const float stretch = rule.values(inputs.lens, scene).stretch;
  const float ceiling = fixedPointCeiling(halfWidthPx, scene.size, stretch);
  return {scene.colour, fixedPointScale(halfWidthPx, scene.size, ceiling, stretch), ceiling, inputs.mean};
}

std::unique_ptr<Lens> makeSingleTableLens(const Method& method, const BlurRule& rule) {
  if (method.lensOn == LensOn::openGl) return std::make_unique<SingleTableLens>(method, rule);
  if (resolve(method.backend) != Backend::cuda)
    throw std::runtime_error(std::string("--lens-on ") + name(method.lensOn) +
                             " needs the cuda backend, not " + name(resolve(method.backend)));
  return makeCudaSingleTableLens(method, rule);
}

SingleTableLens::SingleTableLens(const Method& method, const BlurRule& rule)
    : SingleTableLens(makeSatBackend(method), method.format, rule) {}

SingleTableLens::SingleTableLens(std::unique_ptr<SatBackend> backend, SatFormat format, const BlurRule& rule)
    : rule_(rule), backend_(std::move(backend)), program_(makeProgram(format, rule)) {}

void SingleTableLens::resize(glm::ivec2 size) { backend_->resize(size); }

void SingleTableLens::process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) {
  const SceneFrame& scene = inputs.scene;
  table_ = backend_->build(tableSource(rule_, inputs), timings);

  const auto stage = timings.gpu("lens");
  rule_.setUniforms(program_, inputs.lens, scene);
  bindTable(program_, table_);
  scene.colour->bind(0);
  scene.depth->bind(1);
  program_.use();
  gl::drawFullScreen(output.name(), scene.size);
}

}  // namespace satdof
