#include "app/views/view_pass.h"

#include "app/device/gl/uniforms.h"
#include "app/lens/blur_rule.h"

namespace satdof {

namespace {

gl::Program cocProgram(const BlurRule& rule) {
  return gl::Program({"common/fullscreen.vert", "views/coc.frag"}, {{"BLUR_RULE", rule.define}});
}

gl::Program tableProgram(TableFormat format) {
  gl::Defines defines = tableDefines(format);
  defines.emplace_back("WRAPS", format == TableFormat::uint32 ? "true" : "false");
  return gl::Program({"common/fullscreen.vert", "views/table.frag"}, defines);
}

}  // namespace

ViewPass::ViewPass()
    : thinLensCoc_(cocProgram(kThinLensRule)),
      linearCoc_(cocProgram(kLinearRule)),
      depth_({"common/fullscreen.vert", "views/depth.frag"}),
      integerTable_(tableProgram(TableFormat::uint32)),
      floatTable_(tableProgram(TableFormat::float32)),
      peaking_({"common/fullscreen.vert", "views/peaking.frag"}, {{"BLUR_RULE", kThinLensRule.define}}) {}

void ViewPass::draw(View view, const LensInputs& inputs, const Table& table,
                    const gl::Framebuffer& output) const {
  const SceneFrame& scene = inputs.scene;
  scene.depth->bind(1);
  if (view == View::coc) {
    const bool linear = inputs.technique.lens == LensKind::gems;
    const gl::Program& program = linear ? linearCoc_ : thinLensCoc_;
    (linear ? kLinearRule : kThinLensRule).setUniforms(program, inputs.lens, scene);
    program.use();
  } else if (view == View::depth) {
    depth_.set("nearestDepth", scene.nearM / scene.nearestM);
    depth_.use();
  } else if (view == View::table && table.texture != 0) {
    const gl::Program& program = table.format == TableFormat::uint32 ? integerTable_ : floatTable_;
    bindTable(program, table);
    program.set("size", table.size);
    program.use();
  } else if (view == View::peaking) {
    kThinLensRule.setUniforms(peaking_, inputs.lens, scene);
    scene.colour->bind(0);
    peaking_.use();
  } else {
    if (isOfLayers(view) && resolve(inputs.technique.lens) != LensKind::layered) {
      const float black[] = {0.0f, 0.0f, 0.0f, 1.0f};
      glClearNamedFramebufferfv(output.name(), GL_COLOR, 0, black);
    }
    return;
  }
  gl::drawFullScreen(output.name(), scene.size);
}

}  // namespace satdof
