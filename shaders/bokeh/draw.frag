#version 450 core
#include "shaders/bokeh/aperture.glsl"

layout(binding = 1) uniform sampler2D depth;
uniform bool underNear;  // the near field is blended over the sprites: do not hide them behind it
flat in vec3 place;
flat in vec3 variance;
flat in vec3 light;
layout(location = 0) out vec4 colour;

// The part of a sprite at s that is visible at pixel p. The ray from s through the aperture to p passes the depth of
// radius R over the pixel s + (p - s) (1 - R / R_s). The test point lies one pixel of radius behind the surface seen at
// p. The ray is hidden where the scene is nearer there, softly over one pixel.
float visiblePart(vec2 p, vec2 s, float spriteRadius) {
  float surface = signedRadius(texelFetch(depth, ivec2(p), 0).x);
  if (underNear) surface = max(surface, 0.0);
  float ray = surface + 1.0;
  if (ray >= spriteRadius) return 1.0;
  ivec2 passes = ivec2(floor(p + (s - p) * (ray / spriteRadius)));
  float there = signedRadius(texelFetch(depth, clamp(passes, ivec2(0), textureSize(depth, 0) - 1), 0).x);
  float hidden = clamp(ray - there, 0.0, 1.0);
  return underNear ? 1.0 - hidden * clamp(1.0 + there, 0.0, 1.0) : 1.0 - hidden;
}

void main() {
  float coverage = apertureCoverage(gl_FragCoord.xy - place.xy, place.z, variance);
  if (coverage <= 0.0) discard;
  colour = vec4(light * (coverage * visiblePart(gl_FragCoord.xy, place.xy, place.z)), 0.0);
}
