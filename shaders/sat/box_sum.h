#pragma once
#include "shaders/common/glsl.h"

// shaders/sat/box_sum.glsl for any sampler: a type with a type Element, glsl::uvec4 or glsl::vec4, and
//   Element texelFetch(TableSampler, glsl::ivec2, int)
// in its namespace.
#define TABLE_FUNCTION template <class TableSampler>
#define TableElement typename TableSampler::Element

namespace satdof::glsl {
#include "shaders/sat/box_sum.glsl"
}  // namespace satdof::glsl
