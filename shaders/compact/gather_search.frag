#version 450 core
// Compaction without scatter (Horn 2005): element k of the output is the position of the first sum above k in the
// inclusive scan of the flags. Cost: ceil(log2 count) fetches. Elements beyond the flagged ones and beyond the capacity
// are NONE.
#include "shaders/scan/folded.glsl"

layout(binding = 0) uniform usampler2D sums;
uniform uint count;
layout(location = 0) out uint result;

void main() {
  uint k = uint(gl_FragCoord.y) * OUTPUT_WIDTH + uint(gl_FragCoord.x);
  result = NONE;
  if (k >= min(fetchElement(sums, count - 1u), CAPACITY)) return;
  uint low = 0u, high = count - 1u;
  while (low < high) {
    uint middle = low + (high - low) / 2u;
    if (fetchElement(sums, middle) > k)
      high = middle;
    else
      low = middle + 1u;
  }
  result = low;
}
