#pragma once
#include "shaders/common/glsl.h"

namespace satdof {

// A thin lens. The signed radius of the circle of confusion in pixels, positive behind the focus plane, at
// depth d = nearM / z is R = K (1 - S/z) = alpha d + beta, times nearScale where R < 0, else times farScale.
// R is the radius along y; the aperture is anamorphicRatio times as wide as high. All parameters of passes are aligned
// as in a uniform block (std140).
struct alignas(16) ThinLens {
  float alpha = 0.0f;
  float beta = 0.0f;
  float nearScale = 1.0f;
  float farScale = 1.0f;
  float anamorphicRatio = 1.0f;
  int scattersFar = 0;  // 1: signedRadius() is negative behind the focus plane, too, except at infinity
  bool operator==(const ThinLens&) const = default;
};

namespace glsl {
#include "shaders/lens/thin_lens.glsl"
}  // namespace glsl

}  // namespace satdof
