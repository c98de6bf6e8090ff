#include "app/device/gl/table_uniforms.h"

namespace satdof {

gl::Defines tableDefines(TableFormat format) {
  if (format == TableFormat::uint32) return {{"TableSampler", "usampler2D"}, {"TableElement", "uvec4"}};
  return {{"TableSampler", "sampler2D"}, {"TableElement", "vec4"}};
}

void bindTable(const gl::Program& program, const Table& table) {
  glBindTextureUnit(2, table.texture);
  program.set("transposed", static_cast<int>(table.transposed));
  program.set("unit", 1.0f / table.scale);
  program.set("offset", table.mean);
}

}  // namespace satdof
