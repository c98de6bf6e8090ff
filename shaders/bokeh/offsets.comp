#version 450 core
// Replaces the sprite counts of the tiles by their exclusive scan. Writes the command of glDrawArraysIndirect for all
// sprites, or for none if there are more than CAPACITY. One work group: each thread sums a piece, then recursive
// doubling scans the sums.
layout(local_size_x = THREADS) in;
layout(std430, binding = 0) buffer Tiles { uint tiles[]; };
layout(std430, binding = 1) writeonly buffer Command { uint command[]; };
shared uint sums[THREADS];

void main() {
  uint thread = gl_LocalInvocationID.x, tileCount = uint(tiles.length()),
       piece = (tileCount + THREADS - 1u) / THREADS;
  uint begin = min(thread * piece, tileCount), end = min(begin + piece, tileCount), mine = 0u;
  for (uint i = begin; i < end; ++i) mine += tiles[i];
  sums[thread] = mine;
  barrier();
  for (uint apart = 1u; apart < THREADS; apart *= 2u) {
    uint before = thread >= apart ? sums[thread - apart] : 0u;
    barrier();
    sums[thread] += before;
    barrier();
  }
  uint offset = sums[thread] - mine;
  for (uint i = begin; i < end; ++i) {
    uint count = tiles[i];
    tiles[i] = offset;
    offset += count;
  }
  if (thread != THREADS - 1u) return;
  command[0] = VERTICES;
  command[1] = offset > CAPACITY ? 0u : offset;
  command[2] = 0u;
  command[3] = 0u;
}
