#version 450 core
// Compaction without scatter (Horn 2005): element k of the output searches the inclusive scan of the flags for the
// first sum above k. ceil(log2 count) fetches. Writes NONE beyond the flagged elements and the capacity.
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
