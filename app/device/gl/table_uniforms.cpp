#include "app/device/gl/table_uniforms.h"

namespace satdof {

gl::Defines satDefines(SatFormat format) {
  if (format == SatFormat::uint32) return {{"SatSampler", "usampler2D"}, {"SatElement", "uvec4"}};
  return {{"SatSampler", "sampler2D"}, {"SatElement", "vec4"}};
}

void bindTable(const gl::Program& program, const SatView& table) {
  glBindTextureUnit(2, table.texture);
  program.set("transposed", static_cast<int>(table.transposed));
  program.set("unit", 1.0f / table.scale);
  program.set("offset", table.mean);
}

}  // namespace satdof
