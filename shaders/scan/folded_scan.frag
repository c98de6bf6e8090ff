#version 450 core
// One pass of an inclusive scan of an array folded into a texture: reduce, doubling, or down-sweep.
#include "shaders/scan/folded.glsl"

layout(binding = 0) uniform usampler2D elements;
uniform uint count;  // of `elements`
#if PASS_DOUBLE
uniform uint distance_;
#elif PASS_DOWN
layout(binding = 1) uniform usampler2D scanned;
#endif

layout(location = 0) out uint result;

uint elementAt(uint i) { return i < count ? fetchElement(elements, i) : 0u; }

void main() {
  uint i = elementOf(gl_FragCoord);
#if PASS_REDUCE
  // r(i) = e(2i) + e(2i + 1)
  result = elementAt(2u * i) + elementAt(2u * i + 1u);
#elif PASS_DOUBLE
  // r(i) = e(i) + e(i - distance)
  result = elementAt(i) + (i < distance_ ? 0u : elementAt(i - distance_));
#elif PASS_DOWN
  // r(i) = s((i + 1) / 2 - 1) + (i even ? e(i) : 0), s the scan of the reduced elements, s(-1) = 0
  uint pairs = (i + 1u) / 2u;
  result = i % 2u == 0u ? elementAt(i) : 0u;
  if (pairs > 0u) result += fetchElement(scanned, pairs - 1u);
#endif
}
