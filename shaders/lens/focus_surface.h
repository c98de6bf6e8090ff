#pragma once
#include "shaders/common/glsl.h"

namespace satdof {

// See shaders/lens/focus_surface.glsl. In units of depth, nearM / z.
struct alignas(16) FocusSurface {
  glm::vec2 axisPx{0.0f};  // where the optical axis meets the image
  glm::vec2 slope{0.0f};   // per pixel
  float curvature = 0.0f;  // per square pixel
  float moved = 0.0f;      // added to every depth: the shift of the focus, and what keeps depths above 0
  int keepsInfinity = 0;   // 1: depth 0 stays 0
  bool operator==(const FocusSurface&) const = default;
};

namespace glsl {
#include "shaders/lens/focus_surface.glsl"
}  // namespace glsl

}  // namespace satdof
