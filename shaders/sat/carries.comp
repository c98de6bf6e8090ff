#version 450 core
// Exclusive scans over the tiles: each thread scans one row or one column of the image.
#if TABLE_UINT
#define Elements uvec4
#else
#define Elements vec4
#endif

layout(local_size_x = CARRY_THREADS) in;
layout(std430, binding = 0) restrict buffer RowCarries { Elements rowCarries[]; };
layout(std430, binding = 1) restrict buffer ColumnCarries { Elements columnCarries[]; };
uniform ivec2 size;

// Loads of a batch do not wait for each other.
#define SCAN(carries, line, lines, tiles)                                                       \
  {                                                                                             \
    Elements carry = Elements(0), batch[CARRY_BATCH];                                           \
    for (int first = 0; first < tiles; first += CARRY_BATCH) {                                  \
      for (int k = 0; k < CARRY_BATCH; ++k)                                                     \
        if (first + k < tiles) batch[k] = carries[(first + k) * lines + line];                  \
      for (int k = 0; k < CARRY_BATCH; ++k)                                                     \
        if (first + k < tiles) carries[(first + k) * lines + line] = carry, carry += batch[k];  \
    }                                                                                           \
  }

void main() {
  ivec2 tiles = (size + TILE - 1) / TILE;
  int line = int(gl_GlobalInvocationID.x);
  if (line < size.x)
    SCAN(columnCarries, line, size.x, tiles.y)
  else if (line - size.x < size.y)
    SCAN(rowCarries, (line - size.x), size.y, tiles.x)
}
