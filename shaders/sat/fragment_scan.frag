#version 450 core
// One pass of a scan along an axis: reduce, doubling, or down-sweep. i is the position along the axis.
#include "shaders/sat/element.glsl"

uniform ivec2 along;
#if PASS_DOUBLE
uniform int distance_;
#elif PASS_DOWN
layout(binding = 1) uniform Sampler scanned;
#endif

layout(location = 0) out Elements result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
#if PASS_REDUCE
  // r(i) = e(2i) + e(2i + 1)
  ivec2 pair = p + along * p;
  result = elementsAt(pair) + elementsAt(pair + along);
#elif PASS_DOUBLE
  // r(i) = e(i) + e(i - distance)
  result = elementsAt(p) + elementsAt(p - along * distance_);
#elif PASS_DOWN
  // r(i) = s((i + 1) / 2 - 1) + (i even ? e(i) : 0), s the scan of the reduced elements, s(-1) = 0
  int i = p.x * along.x + p.y * along.y;
  int pairs = (i + 1) / 2;
  result = i % 2 == 0 ? elementsAt(p) : Elements(0);
  if (pairs > 0) result += texelFetch(scanned, p + along * (pairs - 1 - i), 0);
#endif
}
