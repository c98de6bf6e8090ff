// The elements of the image: uvec4 with TABLE_UINT, else vec4. FROM_TABLE: the image is in table units already.
#include "shaders/sat/quantisation.glsl"

#if TABLE_UINT
#define Elements uvec4
#define Scalar uint
#define Sampler usampler2D
#else
#define Elements vec4
#define Scalar float
#define Sampler sampler2D
#endif

#if FROM_TABLE
layout(binding = 0) uniform Sampler image;
#else
layout(binding = 0) uniform sampler2D image;
#endif

uniform ivec2 size;
uniform float scale;
uniform float ceiling_;
uniform vec4 mean;

// Zero outside the image.
Elements elementsAt(ivec2 p) {
  if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size))) return Elements(0);
#if FROM_TABLE
  return texelFetch(image, p, 0);
#elif TABLE_UINT
  vec4 v = texelFetch(image, p, 0);
  return uvec4(quantise(v.r, scale, ceiling_), quantise(v.g, scale, ceiling_),
               quantise(v.b, scale, ceiling_), quantise(v.a, scale, ceiling_));
#else
  return texelFetch(image, p, 0) - mean;
#endif
}
