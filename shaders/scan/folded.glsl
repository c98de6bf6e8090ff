// An array of unsigned integers folded into a texture: element i is the texel (i mod width, i / width).
uniform uint width;

uint elementOf(vec4 fragment) { return uint(fragment.y) * width + uint(fragment.x); }
uint fetchElement(usampler2D array, uint i) { return texelFetch(array, ivec2(i % width, i / width), 0).x; }
