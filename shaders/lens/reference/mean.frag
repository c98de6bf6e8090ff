#version 450 core
layout(binding = 0) uniform sampler2D sum0;
layout(binding = 1) uniform sampler2D sum1;
layout(location = 0) out vec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 total = texelFetch(sum0, p, 0) + texelFetch(sum1, p, 0);
  result = vec4(total.rgb / max(total.a, 1.0), 1.0);
}
