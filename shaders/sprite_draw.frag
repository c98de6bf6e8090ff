#version 450 core
#include "sprite_common.glsl"
#include "sprite_radius.glsl"

layout(binding = 1) uniform sampler2D depth;
layout(binding = 2) uniform sampler2D blurred;
uniform bool coverageInAlpha;  // of the near field; else what is near hides sprites as anything else does
flat in vec3 place;
flat in vec3 light;
layout(location = 0) out vec4 colour;

// The ray from a sprite at s through the aperture to pixel p passes the depth of radius R above the pixel
// s + (p - s) (1 - R / R_s). It is hidden where it stands one pixel of radius behind the surface seen at p (or at its
// own depth) and is then behind what the scene shows there, softly over one pixel.
float visiblePart(vec2 p, vec2 s, float spriteRadius) {
  float surface = signedRadius(texelFetch(depth, ivec2(p), 0).x);
  bool underNear = coverageInAlpha && spriteRadius > 0.0;
  if (underNear) surface = max(surface, 0.0);
  float ray = min(surface + 1.0, spriteRadius);
  ivec2 passes = ivec2(floor(p + (s - p) * (ray / spriteRadius)));
  float there = signedRadius(texelFetch(depth, clamp(passes, ivec2(0), textureSize(depth, 0) - 1), 0).x);
  float hidden = clamp(ray - there, 0.0, 1.0);
  if (!underNear) return 1.0 - hidden;
  return (1.0 - hidden * clamp(1.0 + there, 0.0, 1.0)) * texelFetch(blurred, ivec2(p), 0).a;
}

void main() {
  float coverage = apertureCoverage(gl_FragCoord.xy - place.xy, place.z);
  if (coverage <= 0.0) discard;
  colour = vec4(light * (coverage * visiblePart(gl_FragCoord.xy, place.xy, place.z)), 0.0);
}
