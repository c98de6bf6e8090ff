#version 450 core
// Draws the background: the image without its near field. Near pixels take colour and radius from the second depth
// layer, or keep their own if that layer is empty (on the ground). Without a second layer, near pixels take the mean of
// the surfaces behind them, from the finest level of the pyramid of shaders/lens/layered/fill.comp that has any. Writes
// colour and radius of the background, and the weighted image (colour w, w) for the far table. In that image pixels in
// focus have no weight; the second layer behind them has.
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/layered/common.glsl"
uniform float farScale;
uniform float ceiling_;
uniform int fillLevels;
uniform bool secondLayer;
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform sampler2D fillBehind;
layout(binding = 3) uniform sampler2D fillRadii;
layout(binding = 4) uniform sampler2D behindColour;
layout(binding = 5) uniform sampler2D behindDepth;
layout(binding = 0, rgba16f) writeonly uniform image2D background;
layout(binding = 1, r32f) writeonly uniform image2D backgroundRadius;
layout(binding = 2, rgba32ui) writeonly uniform uimage2D farImage;

// Adds to `total` the four cells of a level around pixel p that lie behind a surface of radius r < 0, bilinearly: colour
// and |R|, premultiplied, and their part. A cell counts in full from 0.3 r on, not at all before 0.6 r.
void addLevel(inout vec4 total, inout float part, ivec2 p, float r, int level) {
  vec2 at = (vec2(p) + 0.5) / float(2 << level) - 0.5;
  ivec2 low = ivec2(floor(at)), last = textureSize(fillBehind, level) - 1;
  vec2 f = at - vec2(low);
  vec4 sum = vec4(0.0);
  float sumPart = 0.0;
  for (int i = 0; i < 4; ++i) {
    ivec2 corner = ivec2(i & 1, i >> 1), cell = clamp(low + corner, ivec2(0), last);
    vec4 c = texelFetch(fillBehind, cell, level);
    if (c.a <= 0.0) continue;
    float radius = texelFetch(fillRadii, cell, level).x / c.a;
    float share = (corner.x == 1 ? f.x : 1.0 - f.x) * (corner.y == 1 ? f.y : 1.0 - f.y);
    share *= clamp((radius - 0.6 * r) / max(-0.3 * r, 0.25), 0.0, 1.0);
    sum += vec4(c.rgb, abs(radius) * c.a) * share;
    sumPart += c.a * share;
  }
  if (sumPart <= 0.0) return;
  float taken = (1.0 - part) * min(4.0 * sumPart, 1.0);
  total += sum * (taken / sumPart);
  part += taken;
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = textureSize(colour, 0);
  if (p.x >= size.x || p.y >= size.y) return;
  vec3 c = texelFetch(colour, p, 0).rgb;
  float r = signedRadius(texelFetch(depth, p, 0).r);
  float hidden = hiddenPart(r), weight = farWeight(r);
  vec4 behind = vec4(c, abs(r));
  float behindPart = hidden;
  if (secondLayer) {
    vec4 layer = texelFetch(behindColour, p, 0);
    float there = layer.a;
    behind = mix(behind, vec4(layer.rgb, abs(signedRadius(texelFetch(behindDepth, p, 0).r))), there);
    behindPart = max(hidden, there * clamp(1.0 - 8.0 * farPart(r), 0.0, 1.0));
  } else if (hidden > 0.0) {
    vec4 total = vec4(0.0);
    float part = 0.0;
    for (int level = 0; level < fillLevels && part < 1.0; ++level) addLevel(total, part, p, r, level);
    behind = total + behind * (1.0 - part);
    behind.w = min(behind.w, -0.6 * r);
    behindPart *= part;
  }
  vec4 farSum = vec4(c, 1.0) * weight + vec4(behind.rgb, 1.0) * (behindPart * farWeight(behind.w));
  imageStore(background, p, vec4(mix(c, behind.rgb, hidden), 1.0));
  imageStore(backgroundRadius, p, vec4(mix(max(r, 0.0), behind.w, hidden)));
  vec4 clipped = vec4(min(farSum.rgb, vec3(ceiling_ * farSum.w)), ceiling_ * farSum.w);
  imageStore(farImage, p, roundDithered(clipped * farScale, uvec2(p)));
}
