// The first highlight of each kind in a cell stands for the sprite of the cell. GLSL programs define the function
//   float radiusAt(ivec2 pixel)   the radius of the pixel's highlight; 0: no highlight
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

// Whether pixel `at` is the first in its cell, by row, then column, whose highlight has its even (parity 0) or odd
// (parity 1) kind. `right`: the number of columns.
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
