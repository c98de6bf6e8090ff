#pragma once
#include "shaders/lens/near_scatter.h"

namespace satdof {

// Discs 0 to 2 of the focus layer. Disc 0 is one pixel whatever the anamorphic ratio, so surfaces in focus stay sharp.
struct alignas(16) FocusDiscs {
  // Half-width along x of each disc in the row y pixels from its centre: rows[y][disc]. -1: the disc has no such row.
  glm::ivec4 rows[3] = {};
  glm::vec4 areas{1.0f};
  bool operator==(const FocusDiscs&) const = default;
};

namespace glsl {
#include "shaders/lens/layered/focus.glsl"

#if !SATDOF_KERNEL
// The discs for K = `steps` of the staircase.
static inline FocusDiscs focusDiscs(int steps, float anamorphicRatio) {
  FocusDiscs discs{.rows = {{0, -1, -1, 0}, {-1, -1, -1, 0}, {-1, -1, -1, 0}}};
  for (int n = 1; n <= kFocusReach; ++n) {
    discs.areas[n] = static_cast<float>(discArea(steps, n, anamorphicRatio));
    for (int y = 0; y <= kFocusReach; ++y) {
      discs.rows[y][n] = -1;
      for (int i = 0; i < steps; ++i)
        if (y <= stairHalfWidthY(steps, i, n))
          discs.rows[y][n] = max(discs.rows[y][n], stairHalfWidthX(steps, i, n, anamorphicRatio));
    }
  }
  return discs;
}
#endif
}  // namespace glsl

}  // namespace satdof
