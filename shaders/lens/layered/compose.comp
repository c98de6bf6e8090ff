#version 450 core
// Draws the image of the layered lens, or a debug view: shaders/lens/layered/compose.glsl.
layout(local_size_x = 16, local_size_y = 16) in;
#include "shaders/lens/layered/common.glsl"
uniform float farUnit;
uniform float farScale;
uniform float nearPx;
uniform bool transposed;
uniform bool anyNear;
uniform int show;
layout(binding = 0) uniform usampler2D nearTable;
layout(binding = 1) uniform usampler2D farTable;
layout(binding = 2) uniform sampler2D background;
layout(binding = 3) uniform sampler2D backgroundRadius;
layout(binding = 4) uniform sampler2D fillRadii;
// Layers of blended surfaces behind and in front of the focus plane: their scatter, colour and depths.
uniform bool anyBlended;
uniform bool layersTransposed;
layout(binding = 5) uniform usampler2D backTable;
layout(binding = 6) uniform sampler2D backColour;
layout(binding = 7) uniform sampler2D backDepth;
layout(binding = 8) uniform usampler2D frontTable;
layout(binding = 9) uniform sampler2D frontColour;
layout(binding = 10) uniform sampler2D frontDepth;
layout(binding = 0, rgba16f) writeonly uniform image2D result;

#define TableSampler usampler2D
#define TableElement uvec4
vec2 nearLevel(vec2 at, float level) {
  return textureLod(fillRadii, at / vec2(2 * textureSize(fillRadii, 0)), level).yz;
}
#include "shaders/lens/layered/compose.glsl"

vec4 scattered(usampler2D table, bool isTransposed, ivec2 p) {
  return vec4(cornerSum(table, isTransposed, p.x + 1, p.y + 1)) * (1.0 / scatterScale());
}
vec4 layerAt(ivec2 p, ivec2 size, usampler2D table, sampler2D layerColour, sampler2D layerDepth) {
  return blendedLayer(lens, p, size, scattered(table, layersTransposed, p), texelFetch(layerColour, p, 0),
                      layerRadius(lens, texelFetch(layerDepth, p, 0)));
}

// Of all pixels of the group: whether a disc of the focus layer reaches one; rows and areas of discs.
shared bool anySoft;
shared int discRows[kFocusReach + 1][kFocusReach + 1];  // [row][disc]
shared float discAreas[kFocusReach + 1];

void findSoft(ivec2 size) {
  int thread = int(gl_LocalInvocationIndex);
  ivec2 group = ivec2(gl_WorkGroupSize.xy);
  if (thread == 0) anySoft = false;
  if (thread < 16) discRows[thread / 4][thread % 4] = discRow(steps, lens.anamorphicRatio, thread % 4, thread / 4);
  if (thread < 4) discAreas[thread] = float(discArea(steps, thread, lens.anamorphicRatio));
  barrier();
  ivec2 reach = ivec2(discRows[0][kFocusReach], kFocusReach), all = group + 2 * reach;
  ivec2 first = ivec2(gl_WorkGroupID.xy) * group - reach;
  bool soft = false;
  for (int i = thread; i < all.x * all.y; i += group.x * group.y) {
    ivec2 q = clamp(first + ivec2(i % all.x, i / all.x), ivec2(0), size - 1);
    soft = soft || isSoft(texelFetch(backgroundRadius, q, 0).r);
  }
  if (soft) anySoft = true;
  barrier();
}

FocusLayer focusAround(ivec2 p, ivec2 size) {
  FocusLayer layer = FocusLayer(vec4(0.0), vec2(0.0));
  vec4 areas = vec4(discAreas[0], discAreas[1], discAreas[2], discAreas[3]);
  for (int y = -kFocusReach; y <= kFocusReach; ++y) {
    int d = abs(y);
    ivec4 row = ivec4(discRows[d][0], discRows[d][1], discRows[d][2], discRows[d][3]);
    for (int x = -row.w; x <= row.w; ++x) {
      ivec2 q = clamp(p + ivec2(x, y), ivec2(0), size - 1);
      float r = texelFetch(backgroundRadius, q, 0).r;
      layer.far += vec2(r, 1.0) * farPart(r);
      float weight = focusWeight(r, abs(x), row, areas);
      if (weight > 0.0) layer.sum += vec4(texelFetch(background, q, 0).rgb, 1.0) * weight;
    }
  }
  return layer;
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = textureSize(background, 0);
  findSoft(size);
  if (p.x >= size.x || p.y >= size.y) return;
  ComposeRule rule = ComposeRule(lens, steps, farUnit, farScale, nearPx);
  FrontLayers layers = FrontLayers(vec4(0.0), vec4(0.0), vec4(0.0), 1.0);
  if (anyNear) layers.near = scattered(nearTable, transposed, p);
  if (anyBlended) {
    layers.back = layerAt(p, size, backTable, backColour, backDepth);
    layers.front = layerAt(p, size, frontTable, frontColour, frontDepth);
    layers.backPassed = texelFetch(background, p, 0).a;
  }
  vec3 fill = texelFetch(background, p, 0).rgb;
  float r = texelFetch(backgroundRadius, p, 0).r;
  FocusLayer focus = anySoft ? focusAround(p, size) : focusAlone(fill, r);
  imageStore(result, p, composed(farTable, transposed, rule, p, size, fill, r, focus, layers, anyBlended, show));
}
