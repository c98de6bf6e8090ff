#version 450 core
#include "shaders/scene/output.glsl"

flat in vec2 centrePx;
flat in float discPx;
flat in vec3 light;

// Pixels with less coverage are discarded. They would take the depth of the body, and a lens would draw them as dark
// pixels in front of the blur behind the body.
const float kMinCovered = 0.12;

// Approximates the covered fraction of the pixel from the distance to the edge of the disc.
void main() {
  beginFragment();
  float covered = clamp(discPx + 0.5 - distance(gl_FragCoord.xy, centrePx), 0.0, 1.0);
  if (covered <= kMinCovered) discard;
  colour = vec4(light * covered, 0.0);
}
