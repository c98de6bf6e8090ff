// The elements of an image: uvec4 with TABLE_UINT, else vec4. FROM_TABLE: the texels of the image are elements already.
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
#define Texel Elements
layout(binding = 0) uniform Sampler image;
#else
#define Texel vec4
layout(binding = 0) uniform sampler2D image;
#endif

layout(std140, binding = 0) uniform Elements_ {  // ElementBlock in app/device/gl/uniforms.h
  vec4 mean;
  float scale, ceiling;
};
ivec2 size = textureSize(image, 0);

Elements elementOf(Texel v) {
#if FROM_TABLE
  return v;
#elif TABLE_UINT
  return uvec4(quantise(v.r, scale, ceiling), quantise(v.g, scale, ceiling),
               quantise(v.b, scale, ceiling), quantise(v.a, scale, ceiling));
#else
  return v - mean;
#endif
}

// The element of pixel p; 0 outside the image.
Elements elementsAt(ivec2 p) {
  if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size))) return Elements(0);
  return elementOf(texelFetch(image, p, 0));
}
