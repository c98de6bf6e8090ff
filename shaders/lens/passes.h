#pragma once
#include <variant>

#include "shaders/lens/box/rule.h"
#include "shaders/lens/layered/background.h"
#include "shaders/lens/layered/compose.h"
#include "shaders/lens/layered/hidden.h"
#include "shaders/lens/tent/tent.h"

namespace satdof {

// Draws the mean depth of a layer of blended surfaces: shaders/bokeh/blended_depth.comp.
struct BlendedDepthRule {
  bool operator==(const BlendedDepthRule&) const = default;
};

// Parameters of a pass of a lens. The type selects the pass: rowOf() in app/lens/graph.h. In OpenGL the parameters are
// the uniform block `Rule` of the shader of that pass.
using PassRule =
    std::variant<BoxRule, ConvolutionRule, glsl::TentCellRule, glsl::TentRule, glsl::FillRule, glsl::FarRule,
                 glsl::HiddenRule, glsl::BackgroundRule, glsl::ComposeRule, BlendedDepthRule>;

}  // namespace satdof
