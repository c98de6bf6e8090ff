#version 450 core

// One pass of a filter, with replicated borders. LAST_PASS also adds the offset, limits the colour to the range of half
// floats, and copies alpha from the original.
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) uniform sampler2D original;
layout(std140, binding = 4) uniform Mask {
  vec4 weights[993];  // 63 x 63 numbers in groups of four
};
uniform ivec2 maskSize;
#ifdef LAST_PASS
uniform float offset;
#endif
layout(location = 0) out vec4 filtered;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy), last = textureSize(image, 0) - 1;
  vec3 sum = vec3(0.0);
  for (int j = 0; j < maskSize.y; ++j) {
    int y = clamp(p.y + j - maskSize.y / 2, 0, last.y);
    for (int i = 0; i < maskSize.x; ++i) {
      int x = clamp(p.x + i - maskSize.x / 2, 0, last.x), k = j * maskSize.x + i;
      sum += weights[k >> 2][k & 3] * texelFetch(image, ivec2(x, y), 0).rgb;
    }
  }
#ifdef LAST_PASS
  filtered = vec4(clamp(sum + offset, -65504.0, 65504.0), texelFetch(original, p, 0).a);
#else
  filtered = vec4(sum, 1.0);
#endif
}
