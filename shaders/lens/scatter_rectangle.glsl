#include "shaders/common/shared.glsl"

// Adds rectangles to an image of differences, reflected at the borders of the image: light that would leave the image
// stays, so a near field of constant radius covers every pixel once. GLSL programs define, before they include this
// file, the function
//   void add(ivec2 p, uvec4 v)  adds v at p if p.x < size.x and p.y < size.y; p is never negative
// C++ and CUDA pass a target with this member.
#ifdef __cplusplus
#define TARGET_FUNCTION template <class Target>
#define TARGET const Target& target,
#define PASS target,
#define ADD target.add
#else
#define TARGET_FUNCTION
#define TARGET
#define PASS
#define ADD add
#endif

SHADER_FUNCTION uvec4 negated(uvec4 v) { return uvec4(0u) - v; }

// Adds v at p and at its reflection. v starts a step: the table has v from p on. A step at y < 0 with its reflection
// equals twice the step at 0 less the step at -y. A step at y > height with its reflection equals minus the step at 2
// height - y.
TARGET_FUNCTION SHADER_FUNCTION void addReflectedY(TARGET ivec2 size, ivec2 p, uvec4 v) {
  if (p.y < 0) {
    ADD(ivec2(p.x, 0), v + v);
    v = negated(v);
    p.y = -p.y;
  } else if (p.y > size.y) {
    v = negated(v);
    p.y = 2 * size.y - p.y;
  }
  ADD(p, v);
}
TARGET_FUNCTION SHADER_FUNCTION void addReflected(TARGET ivec2 size, ivec2 p, uvec4 v) {
  if (p.x < 0) {
    addReflectedY(PASS size, ivec2(0, p.y), v + v);
    v = negated(v);
    p.x = -p.x;
  } else if (p.x > size.x) {
    v = negated(v);
    p.x = 2 * size.x - p.x;
  }
  addReflectedY(PASS size, p, v);
}

// Adds v to every pixel of the rectangle of half-widths `reach` around p: v or -v at each of its corners. Clips corners
// that lie more than one image size outside.
TARGET_FUNCTION SHADER_FUNCTION void addRectangle(TARGET ivec2 size, ivec2 p, ivec2 reach, uvec4 v) {
  ivec2 low = max(p - reach, -size), high = min(p + reach + 1, 2 * size);
  uvec4 minus = negated(v);
  addReflected(PASS size, low, v);
  addReflected(PASS size, ivec2(high.x, low.y), minus);
  addReflected(PASS size, ivec2(low.x, high.y), minus);
  addReflected(PASS size, high, v);
}

#undef TARGET_FUNCTION
#undef TARGET
#undef PASS
#undef ADD
