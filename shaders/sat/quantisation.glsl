#include "shaders/common/shared.glsl"

// Fixed-point element of the image value v: clamp(v, 0, ceiling) * scale, rounded to nearest, half to even. The scale
// is a power of two, so the product is exact and every device rounds alike.
SHADER_FUNCTION uint quantise(float v, float scale, float ceiling) {
  return uint(roundEven(min(max(v, 0.0f), ceiling) * scale));
}
