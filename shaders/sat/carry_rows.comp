#version 450 core
// Inclusive scans of the rows of column carries, one workgroup a row of tiles, in place.
#if TABLE_UINT
#define Elements uvec4
#else
#define Elements vec4
#endif

layout(local_size_x = ROW_THREADS) in;
layout(std430, binding = 1) restrict buffer ColumnCarries { Elements columnCarries[]; };
uniform ivec2 size;

shared Elements sums[2][ROW_THREADS];

void main() {
  int thread = int(gl_LocalInvocationID.x);
  int row = int(gl_WorkGroupID.x) * size.x;
  Elements carry = Elements(0);
  for (int first = 0; first < size.x; first += ROW_THREADS * RUN) {
    Elements v[RUN];
    for (int k = 0; k < RUN; ++k) {
      int x = first + thread * RUN + k;
      v[k] = x < size.x ? columnCarries[row + x] : Elements(0);
      if (k > 0) v[k] += v[k - 1];
    }
    int side = 0;
    sums[side][thread] = v[RUN - 1];
    barrier();
    for (int distance_ = 1; distance_ < ROW_THREADS; distance_ *= 2) {
      Elements sum = sums[side][thread];
      if (thread >= distance_) sum += sums[side][thread - distance_];
      side = 1 - side;
      sums[side][thread] = sum;
      barrier();
    }
    Elements before = carry;
    if (thread > 0) before += sums[side][thread - 1];
    for (int k = 0; k < RUN; ++k) {
      int x = first + thread * RUN + k;
      if (x < size.x) columnCarries[row + x] = before + v[k];
    }
    carry += sums[side][ROW_THREADS - 1];
    barrier();
  }
}
