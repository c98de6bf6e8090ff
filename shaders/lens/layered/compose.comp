#version 450 core
// Draws the image of the layered lens, or a debug view: shaders/lens/layered/compose.glsl.
layout(local_size_x = 16, local_size_y = 16) in;
#define TableSampler usampler2D
#define TableElement uvec4
#include "shaders/lens/layered/compose.glsl"
uniform bool transposed;
layout(binding = kComposeNear) uniform usampler2D nearTable;
layout(binding = kComposeFar) uniform usampler2D farTable;
layout(binding = kComposeBackground) uniform sampler2D background;
layout(binding = kComposeRadius) uniform sampler2D backgroundRadius;
layout(binding = kComposeFillRadii) uniform sampler2D fillRadii;
// Layers of blended surfaces behind and in front of the focus plane: scatter, colour and depth (BlendedLayer).
layout(binding = kComposeBack) uniform usampler2D backTable;
layout(binding = kComposeBackColour) uniform sampler2D backColour;
layout(binding = kComposeBackDepth) uniform sampler2D backDepth;
layout(binding = kComposeFront) uniform usampler2D frontTable;
layout(binding = kComposeFrontColour) uniform sampler2D frontColour;
layout(binding = kComposeFrontDepth) uniform sampler2D frontDepth;
layout(binding = kComposeForemost) uniform usampler2D foremostTable;
layout(binding = kComposeFirst) uniform usampler2D firstTable;
layout(binding = kComposeSecond) uniform usampler2D secondTable;
layout(binding = kComposeHidden) uniform usampler2D hiddenTable;
layout(binding = kComposeHiddenSums) uniform sampler2D hiddenSums;
layout(binding = kComposeResult, rgba16f) writeonly uniform image2D result;
layout(std140, binding = 0) uniform Rule { ComposeRule rule; };

vec4 scattered(usampler2D table, bool isTransposed, ivec2 p) {
  return vec4(cornerSum(table, isTransposed, p.x + 1, p.y + 1)) * (1.0 / scatterScale());
}
vec4 layerAt(ivec2 p, ivec2 size, usampler2D table, sampler2D layerColour, sampler2D layerDepth) {
  return blendedLayer(rule.lens, p, size, scattered(table, transposed, p), texelFetch(layerColour, p, 0),
                      layerRadius(rule.lens, texelFetch(layerDepth, p, 0)));
}

// The pixels of the work group and around it that discs of the focus layer reach.
const int kGroup = 16, kMaxSources = (kGroup + 2 * kMaxFocusReachX) * (kGroup + 2 * kFocusReach);
shared vec4 sourceLight[kMaxSources];
shared float sourceWeights[kFocusDiscs][kMaxSources], sourceRadius[kMaxSources];
shared bool anySoft;

// Reads these pixels, if one of them spreads to others. Sets anySoft.
void findSources(ivec2 size) {
  const int threads = kGroup * kGroup;
  int thread = int(gl_LocalInvocationIndex);
  if (thread == 0) anySoft = false;
  barrier();
  ivec2 reach = ivec2(rule.discs.rows[0].z, kFocusReach), all = kGroup + 2 * reach;
  ivec2 first = ivec2(gl_WorkGroupID.xy) * kGroup - reach, last = size - 1;
  bool soft = false;
  for (int i = thread; i < all.x * all.y; i += threads) {
    float r = texelFetch(backgroundRadius, clamp(first + ivec2(i % all.x, i / all.x), ivec2(0), last), 0).r;
    sourceRadius[i] = r;
    soft = soft || isSoft(r);
  }
  if (soft) anySoft = true;
  barrier();
  if (!anySoft) return;
  for (int i = thread; i < all.x * all.y; i += threads) {
    vec3 c = texelFetch(background, clamp(first + ivec2(i % all.x, i / all.x), ivec2(0), last), 0).rgb;
    FocusSource source = focusSource(c, sourceRadius[i], vec3(rule.discs.areas));
    sourceLight[i] = source.light;
    sourceWeights[0][i] = source.weights.x;
    sourceWeights[1][i] = source.weights.y;
    sourceWeights[2][i] = source.weights.z;
  }
  barrier();
}

// The focus layer at this pixel, from the pixels that findSources() read.
FocusLayer focusHere() {
  FocusLayer layer = FocusLayer(vec4(0.0), vec2(0.0));
  ivec2 reach = ivec2(rule.discs.rows[0].z, kFocusReach), p = ivec2(gl_LocalInvocationID.xy) + reach;
  int pitch = kGroup + 2 * reach.x;
  for (int y = -kFocusReach; y <= kFocusReach; ++y) {
    ivec4 row = rule.discs.rows[abs(y)];
    int at = (p.y + y) * pitch + p.x;
    for (int x = -row.z; x <= row.z; ++x)
      layer = withSource(layer, sourceLight[at + x], sourceRadius[at + x], sourceWeights[focusDisc(row, x)][at + x]);
  }
  return layer;
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = textureSize(background, 0);
  findSources(size);
  if (p.x >= size.x || p.y >= size.y) return;
  FrontLayers layers =
      FrontLayers(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
  if (rule.anyNear != 0) layers.near = scattered(nearTable, transposed, p);
  if (rule.anyMiddle != 0) {
    layers.first = scattered(firstTable, transposed, p);
    layers.second = scattered(secondTable, transposed, p);
  }
  if (rule.anyHidden != 0) layers.hidden = scattered(hiddenTable, transposed, p);
  if (rule.anyForemost != 0) layers.foremost = scattered(foremostTable, transposed, p);
  if (rule.anyBlended != 0) {
    layers.back = layerAt(p, size, backTable, backColour, backDepth);
    layers.ownBack = texelFetch(backColour, p, 0);
    layers.front = layerAt(p, size, frontTable, frontColour, frontDepth);
  }
  vec3 fill = texelFetch(background, p, 0).rgb;
  float r = texelFetch(backgroundRadius, p, 0).r;
  FocusLayer focus = anySoft ? focusHere() : focusAlone(fill, r);
  imageStore(result, p, composed(fillRadii, hiddenSums, farTable, transposed, rule, p, size, fill, r, focus, layers));
}
