// A tile of TILE x TILE pixels, for TILE * TILE / RUN threads. Each thread takes RUN neighbours of a row, then RUN
// neighbours of a column.
#include "shaders/sat/element.glsl"

const int kRuns = TILE / RUN;
layout(local_size_x = TILE, local_size_y = TILE / RUN) in;

// rowCarries[tile column][y]: the sum of row y in that tile; after the carry pass, the sum of row y left of that tile.
// columnCarries[tile row][x]: the sum of column x in that tile; after the carry passes, the table element just below
// that tile.
layout(std430, binding = 0) restrict buffer RowCarries { Elements rowCarries[]; };
layout(std430, binding = 1) restrict buffer ColumnCarries { Elements columnCarries[]; };

// One plane a channel with an odd pitch: runs of rows and runs of columns both touch every bank once.
shared Scalar tilePlanes[4][TILE][TILE + 1];
shared Elements runSums[kRuns][TILE];

void put(int x, int y, Elements v) {
  for (int c = 0; c < 4; ++c) tilePlanes[c][y][x] = v[c];
}

Elements get(int x, int y) {
  return Elements(tilePlanes[0][y][x], tilePlanes[1][y][x], tilePlanes[2][y][x], tilePlanes[3][y][x]);
}

struct Place {
  ivec2 origin;  // of the tile, in pixels
  int row, run;  // while threads hold pieces of rows
  int column, group;  // while they hold pieces of columns
};

Place place() {
  int thread = int(gl_LocalInvocationIndex);
  return Place(ivec2(gl_WorkGroupID.xy) * TILE, thread / kRuns, thread % kRuns, thread % TILE, thread / TILE);
}

// The sum of the first `count` runs of a row or column.
Elements sumOfRuns(int count, int line) {
  Elements sum = Elements(0);
  for (int i = 0; i < count; ++i) sum += runSums[i][line];
  return sum;
}
