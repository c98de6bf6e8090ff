#pragma once

namespace satdof {

// The thin lens as shaders/lens/thin_lens.glsl takes it. Signed radius of the circle of confusion in pixels, positive
// behind the focus plane, at depth d = nearM / z: R = K (1 - S/z) = alpha d + beta, times nearScale where R < 0, else
// times farScale. R is the radius along y; the aperture is anamorphicRatio times as wide as high.
struct ThinLens {
  float alpha = 0.0f;
  float beta = 0.0f;
  float nearScale = 1.0f;
  float farScale = 1.0f;
  float anamorphicRatio = 1.0f;
  bool operator==(const ThinLens&) const = default;
};

}  // namespace satdof
