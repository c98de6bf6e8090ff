#version 450 core

// The image that the tables of the tent lens sum: cells of shrink x shrink pixels, with their light in fixed point and
// their number of pixels. An additive recurrence in two dimensions (Roberts 2018) dithers the rounding. It is even over
// every neighbourhood, so the errors of neighbouring cells cancel. Light above the ceiling keeps its hue.
layout(binding = 0) uniform sampler2D colour;
uniform int shrink;
uniform float scale;
uniform float ceiling_;
layout(location = 0) out uvec4 element;

void main() {
  ivec2 cell = ivec2(gl_FragCoord.xy);
  ivec2 from = cell * shrink, to = min(from + shrink, textureSize(colour, 0));
  vec3 sum = vec3(0.0);
  for (int y = from.y; y < to.y; ++y)
    for (int x = from.x; x < to.x; ++x) {
      vec3 light = max(texelFetch(colour, ivec2(x, y), 0).rgb, 0.0);
      sum += light * min(ceiling_ / max(max(light.r, light.g), max(light.b, 1e-6)), 1.0);
    }
  float dither = fract(dot(vec2(cell), vec2(0.7548776662, 0.5698402910)));
  element = uvec4(sum * scale + dither, (to.x - from.x) * (to.y - from.y));
}
