// Whether the highlight of pixel `at` is the first of its even or odd kind in its cell, by row, then column. `right`: the end of the
// rows. GLSL programs define the function
//   float radiusAt(ivec2 pixel)   of the highlight, 0: none
// C++ and CUDA pass radii with this member.
#include "shaders/bokeh/bokeh.glsl"
#ifdef __cplusplus
#define RADII_FUNCTION template <class Radii>
#define RADII const Radii& radii,
#define RADIUS_AT radii.radiusAt
#else
#define RADII_FUNCTION
#define RADII
#define RADIUS_AT radiusAt
float radiusAt(ivec2 pixel);
#endif

RADII_FUNCTION SHADER_FUNCTION bool isFirst(RADII ivec2 at, int right, uint parity) {
  uint kind = highlightKind(RADIUS_AT(at), parity);
  if (kind == 0u) return false;
  int side = 1 << cellLevel(kind);
  ivec2 from = at & -side;
  int to = min(from.x + side, right);
  for (int y = from.y; y <= at.y; ++y)
    for (int x = from.x; x < (y == at.y ? at.x : to); ++x)
      if (highlightKind(RADIUS_AT(ivec2(x, y)), parity) == kind) return false;
  return true;
}

#undef RADII_FUNCTION
#undef RADII
#undef RADIUS_AT
