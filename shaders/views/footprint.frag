#version 450 core

#include "shaders/views/radius.glsl"
#include "shaders/lens/aperture/staircase.glsl"

// The sharp image, brighter inside the kernel of the pixel at the cursor, with an outline. With `reading`, two texels
// instead: the blurred colour at the cursor; then radius, n of the inner kernel, weight of the outer kernel, area.
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform sampler2D blurred;
layout(std140, binding = 1) uniform Cursor {
  ivec2 cursor;
  int shape, steps;
  int reading;
};
layout(location = 0) out vec4 shown;

const int kBox = 0, kDisc = 1, kTent = 2;

struct Kernel {
  // Of the inner kernel: a box 2n + 1 pixels high, disc n, or a tent of half-width n. The outer kernel has n + 1.
  int n;
  float outer;  // weight of the outer kernel
};

Kernel kernelOf(float radius) {
  if (shape == kDisc) return Kernel(discIndex(abs(radius)), discBlend(abs(radius)));
  if (shape == kTent) {
    float m2 = 1.0 + 1.5 * radius * radius;
    int n = int(sqrt(m2));
    return Kernel(n, (m2 - float(n * n)) / float(2 * n + 1));
  }
  float h = boxHalfWidth(radius);
  int n = int(h - 0.5);
  float inner = float(2 * n + 1);
  return Kernel(n, clamp((4.0 * h * h - inner * inner) / (8.0 * float(n + 1)), 0.0, 1.0));
}

vec2 tentHalfWidths(int n) {
  return vec2(sqrt(1.0 + float(n * n - 1) * rule.lens.anamorphicRatio * rule.lens.anamorphicRatio), n);
}

bool inside(ivec2 d, int n) {
  if (shape == kBox) return d.x <= boxReachX(n, rule.lens.anamorphicRatio) && d.y <= n;
  for (int i = 0; i < steps; ++i)
    if (all(lessThanEqual(d, stairHalf(steps, i, n, rule.lens.anamorphicRatio)))) return true;
  return false;
}

// The weight of pixel p in the kernel, 0 to 1.
float share(Kernel k, ivec2 p) {
  ivec2 d = abs(p - cursor);
  if (shape == kTent) {
    vec2 slope = max(1.0 - vec2(d) / mix(tentHalfWidths(k.n), tentHalfWidths(k.n + 1), k.outer), 0.0);
    return slope.x * slope.y;
  }
  return inside(d, k.n) ? 1.0 : inside(d, k.n + 1) ? k.outer : 0.0;
}

float area(int n) {
  if (shape == kDisc) return float(discArea(steps, n, rule.lens.anamorphicRatio));
  if (shape == kTent) return tentHalfWidths(n).x * float(n);
  return float((2 * boxReachX(n, rule.lens.anamorphicRatio) + 1) * (2 * n + 1));
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  float radius = signedRadius(texelFetch(depth, cursor, 0).x);
  Kernel k = kernelOf(radius);
  if (reading != 0) {
    vec4 numbers = vec4(radius, k.n, k.outer, mix(area(k.n), area(k.n + 1), k.outer));
    shown = p.x == 0 ? texelFetch(blurred, cursor, 0) : numbers;
    return;
  }
  float here = share(k, p);
  float beside = min(min(share(k, p + ivec2(1, 0)), share(k, p - ivec2(1, 0))),
                     min(share(k, p + ivec2(0, 1)), share(k, p - ivec2(0, 1))));
  vec3 sharp = texelFetch(colour, p, 0).rgb * mix(0.3, 1.0, here);
  shown = vec4(here > 0.0 && beside == 0.0 ? vec3(1.0, 0.45, 0.05) : sharp, 1.0);
}
