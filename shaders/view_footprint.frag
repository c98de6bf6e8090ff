#version 450 core

#include "blur_rule.glsl"
#include "staircase.glsl"

// What the kernel at one pixel takes of the sharp picture: bright where it counts, outlined. With `reading` two texels
// instead: the blurred picture there; radius, half-width of the inner kernel, weight of the outer one, area.
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform sampler2D blurred;
uniform ivec2 cursor;
uniform bool disc;  // a staircase disc, else a box
uniform int steps;
uniform float stretch;
uniform bool reading;
layout(location = 0) out vec4 shown;

struct Kernel {
  int n;  // of the inner box, 2n + 1 a side, or disc; the outer one is n + 1
  float outer;
};

Kernel kernelOf(float radius) {
  if (disc) return Kernel(discIndex(abs(radius)), discBlend(abs(radius)));
  float h = boxHalfWidth(radius);
  int n = int(h - 0.5);
  float inner = float(2 * n + 1);
  return Kernel(n, clamp((4.0 * h * h - inner * inner) / (8.0 * float(n + 1)), 0.0, 1.0));
}

bool inside(ivec2 d, int n) {
  if (!disc) return max(d.x, d.y) <= n;
  for (int i = 0; i < steps; ++i)
    if (d.x <= stairHalfWidthX(steps, i, n, stretch) && d.y <= stairHalfWidthY(steps, i, n)) return true;
  return false;
}

float share(Kernel k, ivec2 p) {
  ivec2 d = abs(p - cursor);
  return inside(d, k.n) ? 1.0 : inside(d, k.n + 1) ? k.outer : 0.0;
}

float area(int n) { return disc ? float(discArea(steps, n, stretch)) : float((2 * n + 1) * (2 * n + 1)); }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  float radius = signedRadius(texelFetch(depth, cursor, 0).x);
  Kernel k = kernelOf(radius);
  if (reading) {
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
