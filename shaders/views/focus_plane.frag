#version 450 core

#include "shaders/views/radius.glsl"

// Drawn over the finished image: a green veil where the radius is below one pixel, and a bright line where surfaces
// cross the focus plane.
layout(binding = 1) uniform sampler2D depth;
layout(location = 0) out vec4 colour;

float radiusAt(ivec2 p) { return signedRadius(texelFetch(depth, min(p, textureSize(depth, 0) - 1), 0).x); }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  float radius = radiusAt(p), right = radiusAt(p + ivec2(1, 0)), above = radiusAt(p + ivec2(0, 1));
  float inFocus = 1.0 - smoothstep(0.5, 1.0, abs(radius));
  bool crosses = inFocus > 0.0 && (radius < 0.0 != right < 0.0 || radius < 0.0 != above < 0.0);
  colour = vec4(0.05, 0.9, 0.3, crosses ? 0.9 : 0.3 * inFocus);
}
