#version 450 core

#include "shaders/common/luminance.glsl"
#include "shaders/views/radius.glsl"

// Drawn over the finished image: edges of the sharp image in red where the radius is below one pixel. An edge is a
// change of the logarithm of the luminance, so dark edges count as much as bright ones.
layout(binding = 0) uniform sampler2D colour;
layout(binding = 1) uniform sampler2D depth;
layout(location = 0) out vec4 peaked;

float logLuminance(ivec2 p) {
  p = clamp(p, ivec2(0), textureSize(colour, 0) - 1);
  return log2(luminance(texelFetch(colour, p, 0).rgb) + 0.01);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec2 slope = vec2(logLuminance(p + ivec2(1, 0)) - logLuminance(p - ivec2(1, 0)),
                    logLuminance(p + ivec2(0, 1)) - logLuminance(p - ivec2(0, 1)));
  float inFocus = 1.0 - smoothstep(0.5, 1.0, abs(signedRadius(texelFetch(depth, p, 0).x)));
  peaked = vec4(1.0, 0.05, 0.02, inFocus * smoothstep(0.3, 0.9, length(slope)));
}
