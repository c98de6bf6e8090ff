#pragma once
#include "shaders/lens/near_scatter.h"

namespace satdof {

namespace glsl {
#include "shaders/lens/layered/layers.glsl"
}  // namespace glsl

// The radii between which surfaces behind the focus plane enter the second middle layer and the far field. The default,
// the radii of the focus layer for both, means that there are no middle layers.
struct alignas(16) MiddleRule {
  glm::vec2 second{glsl::kFocusPx, glsl::kFarPx}, far{glsl::kFocusPx, glsl::kFarPx};
  bool operator==(const MiddleRule&) const = default;
};

namespace glsl {
#include "shaders/lens/layered/middle.glsl"
}  // namespace glsl

}  // namespace satdof
