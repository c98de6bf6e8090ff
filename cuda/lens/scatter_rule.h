#pragma once

namespace satdof {

// Which pixels are near, and how wide each is scatter: signed radius R = alpha d + beta at depth d = nearM /
// z, times nearScale where negative; staircase discs of `steps` steps (1 to 5), `anamorphicRatio` times as
// wide as high. See shaders/lens/near_scatter.glsl.
struct ScatterRule {
  float alpha = 0.0f;
  float beta = 0.0f;
  float nearScale = 1.0f;
  int steps = 3;
  float anamorphicRatio = 1.0f;
  float widestPx = 0.0f;  // no near radius is expected to be wider: those that are may take longer
  bool operator==(const ScatterRule&) const = default;
};

}  // namespace satdof
