#version 450 core
// Draws the background: the image without its near field. Near pixels take colour and radius from the second depth
// layer, or keep their own if that layer is empty (on the ground). Without a second layer, near pixels take the mean of
// the other pixels, in boxes that grow until a tenth of the box is covered. Writes colour and radius of the background,
// and the weighted image (colour w, w) for the far table. In that image pixels in focus have no weight; the second
// layer behind them has.
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/layered/common.glsl"
#define TableSampler usampler2D
#define TableElement uvec4
#include "shaders/sat/box_sum.glsl"
uniform float farScale;
uniform float ceiling_;
uniform int largestFill;
uniform float radiusScale;
uniform float fillScale;
uniform bool secondLayer;
uniform bool transposed;
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform usampler2D fillTable;
layout(binding = 3) uniform sampler2D behindColour;
layout(binding = 4) uniform sampler2D behindDepth;
layout(binding = 0, rgba16f) writeonly uniform image2D background;
layout(binding = 1, r32f) writeonly uniform image2D backgroundRadius;
layout(binding = 2, rgba32ui) writeonly uniform uimage2D farImage;

// Colour and radius of the fill. Each box takes a share of the remaining weight, in proportion to its coverage, so the
// result is continuous in all boxes.
vec4 filled(ivec2 p, ivec2 size, vec3 otherwise) {
  vec4 total = vec4(0.0);
  float left = 1.0;
  ivec2 radii = ivec2((size.x + 1) / 2, 0);
  for (int h = 3; left > 0.0; h = (h * 3 + 1) / 2) {
    h = min(h, largestFill);
    ivec2 low = max(p - h, ivec2(0)) / 2, high = (min(p + h + 1, size) + 1) / 2;
    ivec2 side = high - low;
    uvec4 sum = boxSum(fillTable, transposed, low, high);
    if (sum.w > 0u) {
      float weight = float(sum.w) / fillScale;
      float part = left * min(weight / (0.1 * 4.0 * float(side.x * side.y)), 1.0);
      float radius = float(boxSum(fillTable, transposed, low + radii, high + radii).x) / radiusScale;
      total += vec4(vec3(sum.rgb) / fillScale, radius) * (part / weight);
      left -= part;
    }
    if (h == largestFill) break;
  }
  return total + vec4(otherwise, 0.0) * left;
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
    behind = filled(p, size, c);
  }
  vec4 farSum = vec4(c, 1.0) * weight + vec4(behind.rgb, 1.0) * (behindPart * farWeight(behind.w));
  imageStore(background, p, vec4(mix(c, behind.rgb, hidden), 1.0));
  imageStore(backgroundRadius, p, vec4(mix(max(r, 0.0), behind.w, hidden)));
  vec4 clipped = vec4(min(farSum.rgb, vec3(ceiling_ * farSum.w)), ceiling_ * farSum.w);
  imageStore(farImage, p, roundDithered(clipped * farScale, uvec2(p)));
}
