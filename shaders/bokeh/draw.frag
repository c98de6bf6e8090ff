#version 450 core
#include "shaders/bokeh/aperture.glsl"

layout(binding = 1) uniform sampler2D depth;
uniform float nearestRadius;  // signed radius of the nearest surface, at most 0
uniform float bias;           // how far in front of a sprite surfaces begin to hide it, in pixels of radius
flat in vec3 place;
flat in vec3 variance;
flat in vec3 light;
layout(location = 0) out vec4 colour;

const int kLeastSteps = 16, kMostSteps = 64;

float radiusAt(vec2 p) {
  return signedRadius(texelFetch(depth, clamp(ivec2(floor(p)), ivec2(0), textureSize(depth, 0) - 1), 0).x);
}

vec4 radiiAround(vec2 p) {
  vec4 depths = textureGather(depth, p / vec2(textureSize(depth, 0)));
  return vec4(signedRadius(depths.x), signedRadius(depths.y), signedRadius(depths.z), signedRadius(depths.w));
}

// The part of a sprite at s that is visible at pixel p. The ray from s through the aperture to p passes the depth of
// radius R over the pixel s + (p - s) (1 - R / R_s) = p + (s - p) R / R_s. Follows the ray from the nearest surface to
// the sprite, mostly in steps of one pixel of radius. A step hides the sprite if the ray gets behind a surface by at most
// one step, interpolated between four pixels. A ray further behind an outline stays visible: only what the camera sees is
// known to be solid. The surface seen at p gets a test of its own, one pixel of radius behind it: its outline may be
// sharp.
float visiblePart(vec2 p, vec2 s, float spriteRadius) {
  vec2 slope = (s - p) / spriteRadius;
  float last = spriteRadius - bias, hidden = 0.0;
  float own = radiusAt(p) + 1.0;
  if (own >= 0.0 && own < spriteRadius) hidden = clamp(own - radiusAt(p + slope * own), 0.0, 1.0);
  float range = last - nearestRadius;
  int steps = range > 0.0 ? clamp(int(range), kLeastSteps, kMostSteps) : 0;
  float stride = range / float(max(steps, 1));
  for (int i = 1; i <= steps && hidden < 1.0; ++i) {
    float ray = nearestRadius + stride * float(i);
    vec2 at = p + slope * ray, f = fract(at - 0.5);
    vec4 behind = (ray - radiiAround(at)) / stride;
    vec4 hit = clamp(behind * 4.0, 0.0, 1.0) * clamp(6.0 - 4.0 * behind, 0.0, 1.0);
    hidden = max(hidden, mix(mix(hit.w, hit.z, f.x), mix(hit.x, hit.y, f.x), f.y));
  }
  return 1.0 - hidden;
}

void main() {
  float coverage = apertureCoverage(gl_FragCoord.xy - place.xy, place.z, variance);
  if (coverage <= 0.0) discard;
  colour = vec4(light * (coverage * visiblePart(gl_FragCoord.xy, place.xy, place.z)), 0.0);
}
