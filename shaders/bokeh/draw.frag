#version 450 core
#include "shaders/bokeh/aperture.glsl"

layout(binding = 1) uniform sampler2D depth;
uniform bool underNear;  // a near field that hides sprites is left to the blending
flat in vec3 place;
flat in vec3 variance;
flat in vec3 light;
layout(location = 0) out vec4 colour;

// The ray from a sprite at s through the aperture to pixel p passes the depth of radius R above the pixel
// s + (p - s) (1 - R / R_s). It is hidden where it stands one pixel of radius behind the surface seen at p and is then
// behind what the scene shows there, softly over one pixel.
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
