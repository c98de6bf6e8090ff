#version 450 core
#include "shaders/common/look.glsl"
#include "shaders/scene/separation.glsl"
#include "shaders/scene/output.glsl"

// Resamples an image and its depth to the size of the output. `origin` and `texelStep` map pixels to texels; the image
// is mirrored beyond its borders. Colour: mean of the covered texels after the inverse tone curve; magnified images are
// interpolated. Depth: the nearest covered texel. Mixed texels, beside a nearer surface, have the colour of their own
// surface if the nearer one is blurred, else the depth of the nearer one. PEEL: draws the layer behind the surfaces:
// covered texels behind them, and the hidden layer (app/scene/image/hidden.h).
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D depthMap;
layout(binding = 4) uniform sampler2D hidden;
layout(binding = 5) uniform sampler2D hiddenDepth;
layout(binding = 6) uniform sampler2D mixedTexels;
layout(std140, binding = 0) uniform Shown {  // ImageScene::Parameters in app/scene/image/image.cpp
  Look look;
  vec2 origin, texelStep;  // texel = origin + texelStep * pixel, at the corner of the pixel
  vec2 sway;               // parallax of the viewpoint: a surface moves by sway * (depth - pivot) texels
  ivec2 firstPixel;        // first pixel of the drawn part in the whole image
  float pivot, nearest_;   // depth of the surface that does not move, and of the nearest surface
  vec2 blur;               // x: radius of the circle of confusion, in pixels, of a depth that differs by 1 from y
  int onlyMixed;           // 1: another blur has drawn the image; keeps pixels that do not depend on it
};

ivec2 mirrored(ivec2 p, ivec2 size) {
  ivec2 period = 2 * size;
  p -= period * ivec2(floor((vec2(p) + 0.5) / vec2(period)));
  return min(p, period - 1 - p);
}

// Linear light of a texel: photographs have the tone curve of their camera.
vec3 lightOf(vec3 v) {
  return look.photograph != 0 ? unshouldered(v, look.highlights.x, look.highlights.y) : v;
}

ivec2 hiddenAt(ivec2 texel) { return min(texel / 2, textureSize(hidden, 0) - 1); }

bool mayBeMixed(ivec2 texel) { return texelFetch(mixedTexels, hiddenAt(texel), 0).r > 0.0; }

struct Texel {
  vec3 light;
  float depth;
};

Texel texelAt(ivec2 texel) {
  Texel shown = Texel(lightOf(texelFetch(picture, texel, 0).rgb), texelFetch(depthMap, texel, 0).r);
  if (blur.x == 0.0 || !mayBeMixed(texel)) return shown;
  vec4 own = texelFetch(hidden, hiddenAt(texel), 0);
  float there = shown.depth, far = texelFetch(hiddenDepth, hiddenAt(texel), 0).r;
  if (there >= (1.0 - kSeparation) * own.a || abs(there - far) > kSeparation * max(there, far)) return shown;
  // The surface in front: the mean and number of the texels around that are nearer.
  vec4 front = vec4(0.0);
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      ivec2 at = clamp(texel + ivec2(x, y), ivec2(0), textureSize(picture, 0) - 1);
      if (there < (1.0 - kSeparation) * texelFetch(depthMap, at, 0).r)
        front += vec4(lightOf(texelFetch(picture, at, 0).rgb), 1.0);
    }
  if (front.a == 0.0) return shown;
  vec3 mine = lightOf(own.rgb), towards = front.rgb / front.a - mine, differs = shown.light - mine;
  float covered = clamp(dot(differs, towards) / max(dot(towards, towards), 1e-6), 0.0, 1.0);
  float along = covered * length(towards), aside = length(differs - covered * towards);
  float mixed = smoothstep(0.5, 1.0, along / max(aside, 1e-4));
  float blurred = smoothstep(0.5, 2.0, blur.x * abs(own.a - blur.y));
  shown.light = mix(shown.light, mine, mixed * blurred);
  // A straight edge has three texels around; a texel of one colour is a mark on its own surface.
  bool isEdge = front.a >= 3.0 && mixed > 0.8 && covered > 0.125 && covered < 0.875;
  if (isEdge && blurred < 0.5) shown.depth = own.a;
  return shown;
}

float depthAt(vec2 p, ivec2 size) { return texelFetch(depthMap, mirrored(ivec2(floor(p)), size), 0).r; }

// Parallax: returns the texel that the moved viewpoint shows at texel p. Surfaces move to p along a
// line; marches the line in steps of a texel from the nearest depth on until it meets a surface (relief
// mapping, Policarpo et al. 2005). A surface that is much nearer than the line where the two meet is
// the edge of a hole. The background in front of the hole, mirrored at the edge, fills the hole.
vec2 swayed(vec2 p, ivec2 size) {
  float edge = 0.02 * nearest_, step_ = 1.0 / length(sway);  // of depth
  vec2 along = sway * step_, last = p - sway * (nearest_ - pivot);
  float behind = nearest_;  // depth at `last`
  for (float at = nearest_; at > -step_; at -= step_) {
    vec2 q = p - sway * (at - pivot);
    float there = depthAt(q, size);
    if (there >= at) {
      if (there - behind <= 2.0 * step_ + edge) {
        float before = behind - (at + step_), above = there - at;
        return mix(q, last, clamp(above / max(above - before, 1e-6), 0.0, 1.0));
      }
      if (there - at <= step_ && depthAt(q + along, size) - there <= edge) return q;
      vec2 rim = last - along;  // the last texel may mix both surfaces
      float far = min(behind, depthAt(rim, size));
      vec2 other = 2.0 * rim - (p - sway * (far - pivot));
      return depthAt(other, size) <= far + edge ? other : rim;
    }
    last = q;
    behind = there;
  }
  return p + sway * pivot;
}

void main() {
  ivec2 size = textureSize(picture, 0);
  vec2 from = origin + texelStep * (gl_FragCoord.xy + vec2(firstPixel) - 0.5), to = from + texelStep;
  vec2 centre = 0.5 * (from + to);
  if (sway != vec2(0.0)) {
    vec2 moved = swayed(centre, size) - centre;
    from += moved;
    to += moved;
    centre += moved;
  }
  bool magnified = texelStep.x < 1.0;
#ifdef PEEL
  float limit = (1.0 - kSeparation) * texelFetch(behind, ivec2(gl_FragCoord.xy), 0).r;
  ivec2 first = ivec2(floor(centre)), last = first;
  if (!magnified && texelFetch(depthMap, mirrored(first, size), 0).r < limit) {
    first = ivec2(floor(from));
    last = max(ivec2(ceil(to)) - 1, first);
  }
  vec3 sum = vec3(0.0);
  float total = 0.0;
  depth = 0.0;
  for (int y = first.y; y <= last.y; ++y)
    for (int x = first.x; x <= last.x; ++x) {
      ivec2 at = mirrored(ivec2(x, y), size);
      Texel shown = texelAt(at);
      if (shown.depth >= limit) {
        vec4 light = texelFetch(hidden, hiddenAt(at), 0);
        shown = Texel(lightOf(light.rgb), texelFetch(hiddenDepth, hiddenAt(at), 0).r);
        if (light.a == 0.0 || shown.depth >= limit) continue;
      }
      // Only the nearest surface behind.
      if (shown.depth < (1.0 - kSeparation) * depth) continue;
      if (depth < (1.0 - kSeparation) * shown.depth) {
        sum = vec3(0.0);
        total = 0.0;
      }
      depth = max(depth, shown.depth);
      sum += shown.light;
      total += 1.0;
    }
  colour = total > 0.0 ? vec4(sum / total, 1.0) : vec4(0.0);
#else
  if (magnified) {
    from = centre - 0.5;
    to = centre + 0.5;
  }
  ivec2 first = ivec2(floor(from)), last = max(ivec2(ceil(to)) - 1, first);
  if (onlyMixed != 0) {
    ivec2 a = hiddenAt(mirrored(first, size)), b = hiddenAt(mirrored(last, size)), high = max(a, b);
    float mixed = 0.0;
    for (int y = min(a.y, b.y); y <= high.y; ++y)
      for (int x = min(a.x, b.x); x <= high.x; ++x) mixed += texelFetch(mixedTexels, ivec2(x, y), 0).r;
    if (mixed == 0.0) discard;
  }
  vec3 sum = vec3(0.0);
  float total = 0.0, nearest = 0.0;
  for (int y = first.y; y <= last.y; ++y)
    for (int x = first.x; x <= last.x; ++x) {
      vec2 covered = min(to, vec2(x, y) + 1.0) - max(from, vec2(x, y));
      float weight = covered.x * covered.y;
      Texel texel = texelAt(mirrored(ivec2(x, y), size));
      sum += weight * texel.light;
      total += weight;
      nearest = max(nearest, texel.depth);
    }
  colour = vec4(min(sum / total, vec3(65504.0)), 1.0);
  depth = magnified ? texelAt(mirrored(ivec2(floor(centre)), size)).depth : nearest;
#endif
}
