#version 450 core
// The table from the carries: T(x, y) = below(x) + sum over the tile's rows up to y of (left(row) + row up to x).
// Reads each pixel once and writes it once.
#include "shaders/sat/tile.glsl"

#if TABLE_UINT
layout(binding = 0, rgba32ui) writeonly restrict uniform uimage2D table;
#else
layout(binding = 0, rgba32f) writeonly restrict uniform image2D table;
#endif

void main() {
  Place at = place();
  Elements v[RUN];
  for (int k = 0; k < RUN; ++k) {
    v[k] = elementsAt(at.origin + ivec2(at.run * RUN + k, at.row));
    if (k > 0) v[k] += v[k - 1];
  }
  runSums[at.run][at.row] = v[RUN - 1];
  barrier();

  int y = at.origin.y + at.row;
  Elements left = sumOfRuns(at.run, at.row);
  if (y < size.y) left += rowCarries[gl_WorkGroupID.x * size.y + y];
  for (int k = 0; k < RUN; ++k) put(at.run * RUN + k, at.row, left + v[k]);
  barrier();

  for (int k = 0; k < RUN; ++k) {
    v[k] = get(at.column, at.group * RUN + k);
    if (k > 0) v[k] += v[k - 1];
  }
  runSums[at.group][at.column] = v[RUN - 1];
  barrier();

  int x = at.origin.x + at.column;
  Elements below = sumOfRuns(at.group, at.column);
  if (x < size.x) below += columnCarries[gl_WorkGroupID.y * size.x + x];
  for (int k = 0; k < RUN; ++k) {
    ivec2 p = ivec2(x, at.origin.y + at.group * RUN + k);
    if (all(lessThan(p, size))) imageStore(table, p, below + v[k]);
  }
}
