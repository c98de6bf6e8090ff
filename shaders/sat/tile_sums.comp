#version 450 core
// Sums of every tile's rows and columns. Reads each pixel once.
#include "shaders/sat/tile.glsl"

void main() {
  Place at = place();
  Elements sum = Elements(0);
  for (int k = 0; k < RUN; ++k) {
    int x = at.run * RUN + k;
    Elements v = elementsAt(at.origin + ivec2(x, at.row));
    put(x, at.row, v);
    sum += v;
  }
  runSums[at.run][at.row] = sum;
  barrier();

  int y = at.origin.y + at.row;
  if (at.run == 0 && y < size.y) rowCarries[gl_WorkGroupID.x * size.y + y] = sumOfRuns(kRuns, at.row);
  sum = Elements(0);
  for (int k = 0; k < RUN; ++k) sum += get(at.column, at.group * RUN + k);
  barrier();
  runSums[at.group][at.column] = sum;
  barrier();

  int x = at.origin.x + at.column;
  if (at.group == 0 && x < size.x)
    columnCarries[gl_WorkGroupID.y * size.x + x] = sumOfRuns(kRuns, at.column);
}
