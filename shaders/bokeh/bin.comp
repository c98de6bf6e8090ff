#version 450 core
// Lists the sprites that reach a bin, in their order. A work group for each bin.
layout(local_size_x = THREADS) in;
#include "shaders/bokeh/prepared.glsl"
#include "shaders/bokeh/rank.glsl"

void main() {
  uint bin = gl_WorkGroupID.x, found = 0u;
  ivec2 from = ivec2(bin % uint(binColumns), bin / uint(binColumns)) * binSide;
  for (uint first = 0u; first < spriteCount(); first += THREADS) {
    uint i = first + gl_LocalInvocationIndex, all;
    vec4 place = places[min(i, CAPACITY - 1u)];
    bool taken = i < spriteCount() && reaches(place.xy, place.w, rule.lens.anamorphicRatio, from, from + binSide);
    uint at = found + rankOf(taken, all);
    if (taken && at < listLength) indices[bin * listLength + at] = i;
    found += all;
  }
  if (gl_LocalInvocationIndex == 0u) counts[bin] = found;
}
