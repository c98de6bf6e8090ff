#pragma once
#include "shaders/common/glsl.h"

// shaders/sat/box_sum.glsl for any sampler type. It needs a member type Element, glsl::uvec4 or glsl::vec4, and in its
// namespace
//   Element texelFetch(TableSampler, glsl::ivec2, int)
#define TABLE_FUNCTION template <class TableSampler>
#define TableElement typename TableSampler::Element

namespace satdof::glsl {
#include "shaders/sat/box_sum.glsl"
}  // namespace satdof::glsl
