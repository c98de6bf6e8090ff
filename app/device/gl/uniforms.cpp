#include "app/device/gl/uniforms.h"

namespace satdof {

gl::Defines tableDefines(TableFormat format) {
  if (format == TableFormat::uint32) return {{"TableSampler", "usampler2D"}, {"TableElement", "uvec4"}};
  return {{"TableSampler", "sampler2D"}, {"TableElement", "vec4"}};
}

ToneLook toneOf(const SceneLook& look) {
  return {{look.highlightsFrom, look.highlights}, static_cast<int>(look.photograph)};
}

void bindTable(const gl::Program& program, const Table& table) {
  table.texture->bind(2);
  program.set("transposed", static_cast<int>(table.transposed));
}

}  // namespace satdof
