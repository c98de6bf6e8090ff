#version 450 core
layout(binding = 0) uniform sampler2D sum;
layout(location = 0) out vec4 result;

void main() {
  vec4 total = texelFetch(sum, ivec2(gl_FragCoord.xy), 0);
  result = vec4(total.rgb / max(total.a, 1.0), 1.0);
}
