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

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = textureSize(background, 0);
  if (p.x >= size.x || p.y >= size.y) return;
  ComposeRule rule = ComposeRule(lens, steps, farUnit, farScale, nearPx);
  FrontLayers layers = FrontLayers(vec4(0.0), vec4(0.0), vec4(0.0), 1.0);
  if (anyNear) layers.near = scattered(nearTable, transposed, p);
  if (anyBlended) {
    layers.back = layerAt(p, size, backTable, backColour, backDepth);
    layers.front = layerAt(p, size, frontTable, frontColour, frontDepth);
    layers.backPassed = texelFetch(background, p, 0).a;
  }
  imageStore(result, p,
             composed(farTable, transposed, rule, p, size, texelFetch(background, p, 0).rgb,
                      texelFetch(backgroundRadius, p, 0).r, layers, anyBlended, show));
}
