#version 450 core

layout(binding = 0) uniform sampler2D blurred;
layout(binding = 1) uniform sampler2D spriteLight;
uniform float blurredPart;
layout(location = 0) out vec4 sum;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  sum = vec4(texelFetch(blurred, pixel, 0).rgb * blurredPart + texelFetch(spriteLight, pixel, 0).rgb, 1.0);
}
