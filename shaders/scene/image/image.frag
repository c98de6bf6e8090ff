#version 450 core
#include "shaders/common/tone.glsl"

// An image with its depth at the size of the output. Output pixels are mapped to texels by `origin` and `step`; outside, the
// image is mirrored. Colour: the mean of the texels that the pixel covers, after the inverse tone curve; magnified images
// are interpolated. Depth: the nearest texel of those covered.
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D depthMap;
uniform vec2 origin, texelStep;  // texel = origin + texelStep * pixel, at the corner of the pixel
uniform bool photograph;
uniform vec2 highlights;  // from, to
layout(location = 0) out vec4 colour;
layout(location = 1) out float depth;

ivec2 mirrored(ivec2 p, ivec2 size) {
  ivec2 period = 2 * size;
  p -= period * ivec2(floor((vec2(p) + 0.5) / vec2(period)));
  return min(p, period - 1 - p);
}

vec3 lightAt(ivec2 p, ivec2 size) {
  vec3 v = texelFetch(picture, mirrored(p, size), 0).rgb;
  return photograph ? unshouldered(v, highlights.x, highlights.y) : v;
}

void main() {
  ivec2 size = textureSize(picture, 0);
  vec2 from = origin + texelStep * (gl_FragCoord.xy - 0.5), to = from + texelStep;
  vec2 centre = 0.5 * (from + to);
  bool magnified = texelStep.x < 1.0;
  if (magnified) {
    from = centre - 0.5;
    to = centre + 0.5;
  }
  ivec2 first = ivec2(floor(from)), last = max(ivec2(ceil(to)) - 1, first);
  vec3 sum = vec3(0.0);
  float total = 0.0, nearest = 0.0;
  for (int y = first.y; y <= last.y; ++y)
    for (int x = first.x; x <= last.x; ++x) {
      vec2 covered = min(to, vec2(x, y) + 1.0) - max(from, vec2(x, y));
      float weight = covered.x * covered.y;
      sum += weight * lightAt(ivec2(x, y), size);
      total += weight;
      nearest = max(nearest, texelFetch(depthMap, mirrored(ivec2(x, y), size), 0).r);
    }
  colour = vec4(min(sum / total, vec3(65504.0)), 1.0);
  depth = magnified ? texelFetch(depthMap, mirrored(ivec2(floor(centre)), size), 0).r : nearest;
}
