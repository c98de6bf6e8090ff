#version 450 core
#include "scene_common.glsl"
#include "scene_lamps.glsl"

const int kMeridians = 12;
const int kParallels = 8;
flat out vec3 radiance;

// A sphere of kMeridians x kParallels quads, without a vertex buffer.
void main() {
  int quad = gl_VertexID / 6;
  ivec2 corner = ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(0, 1), ivec2(1, 0), ivec2(1, 1))[gl_VertexID % 6];
  vec2 at = vec2(ivec2(quad % kMeridians, quad / kMeridians) + corner) / vec2(kMeridians, kParallels);
  float longitude = -2.0 * kPi * at.x;
  float latitude = kPi * (at.y - 0.5);
  vec3 outward = vec3(cos(latitude) * cos(longitude), sin(latitude), cos(latitude) * sin(longitude));
  vec4 lamp = lamps[2 * gl_InstanceID];
  vec3 position = lamp.xyz + lamp.w * outward;
  float transmittance = fogTransmittance(distance(position, eye.xyz));
  radiance = lamps[2 * gl_InstanceID + 1].rgb * transmittance;
  gl_Position = worldToClip * vec4(position, 1.0);
}
