#include "app/device/gl/uniforms.h"

namespace satdof {

gl::Defines tableDefines(TableFormat format) {
  if (format == TableFormat::uint32) return {{"TableSampler", "usampler2D"}, {"TableElement", "uvec4"}};
  return {{"TableSampler", "sampler2D"}, {"TableElement", "vec4"}};
}

void setThinLens(const gl::Program& program, const ThinLens& lens) {
  program.set("lens.alpha", lens.alpha);
  program.set("lens.beta", lens.beta);
  program.set("lens.nearScale", lens.nearScale);
  program.set("lens.farScale", lens.farScale);
  program.set("lens.anamorphicRatio", lens.anamorphicRatio);
  program.set("lens.scattersFar", lens.scattersFar);
}

void setBokehRule(const gl::Program& program, const BokehRule& rule) {
  setThinLens(program, rule.lens);
  program.set("threshold", rule.threshold);
  program.set("minRadiusPx", rule.minRadiusPx);
}

void setLook(const gl::Program& program, const SceneLook& look) {
  program.set("photograph", static_cast<int>(look.photograph));
  program.set("highlights", glm::vec2(look.highlightsFrom, look.highlights));
}

void bindTable(const gl::Program& program, const Table& table) {
  table.texture->bind(2);
  program.set("transposed", static_cast<int>(table.transposed));
}

}  // namespace satdof
