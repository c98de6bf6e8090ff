#version 450 core
#include "shaders/scene/output.glsl"

flat in vec2 centrePx;
flat in float discPx;
flat in vec3 light;

// A pixel with less of a body stays as it is. It would take the depth of the body, and a lens would draw it as a dark
// pixel in front of the blur behind the body.
const float kMinCovered = 0.12;

// The part of the pixel that the disc covers, from the distance to its edge.
void main() {
  beginFragment();
  float covered = clamp(discPx + 0.5 - distance(gl_FragCoord.xy, centrePx), 0.0, 1.0);
  if (covered <= kMinCovered) discard;
  colour = vec4(light * covered, 0.0);
}
