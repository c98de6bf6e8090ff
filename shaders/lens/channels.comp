#version 450 core
// Joins red, green and blue images that the lens drew apart, scales red and blue (lateral colour), and darkens the
// corners. SPREAD: convolves the result by the diffraction of the aperture, whose mask has the side 2 spreadPx + 1;
// shared memory holds the tile of the work group.
#include "shaders/lens/channels.glsl"
const int kGroup = 16;
layout(local_size_x = kGroup, local_size_y = kGroup) in;
layout(binding = 0) uniform sampler2D red;
layout(binding = 1) uniform sampler2D green;
layout(binding = 2) uniform sampler2D blue;
layout(std140, binding = 0) uniform Channels {  // app/render/lens_effects.h
  Aperture aperture;
  float growth, vignetting;
  int spreadPx;
};
layout(binding = 0, rgba16f) writeonly uniform image2D result;

// The image at pixel centre p of a channel that is larger by `larger`: bilinear, or the pixel itself for 0.
vec4 at(sampler2D image, vec2 p, float larger) {
  vec2 from = channelPlace(aperture, p, larger);
  ivec2 low = ivec2(floor(from)), last = textureSize(image, 0) - 1;
  if (larger == 0.0) return texelFetch(image, clamp(ivec2(p), ivec2(0), last), 0);
  vec2 f = from - vec2(low);
  vec4 of[4];
  for (int k = 0; k < 4; ++k) of[k] = texelFetch(image, clamp(low + ivec2(k & 1, k >> 1), ivec2(0), last), 0);
  return mix(mix(of[0], of[1], f.x), mix(of[2], of[3], f.x), f.y);
}

vec4 channelsAt(vec2 p) {
  vec4 middle = at(green, p, 0.0);
  return vec4(at(red, p, growth).r, middle.g, at(blue, p, -growth).b, middle.a);
}

#ifdef SPREAD
layout(std430, binding = 0) readonly buffer Spread { vec4 spread[]; };  // the light of a point, bottom row first
const int kSide = kGroup + 2 * 16;                                     // 16: the most that diffractionPx() returns
shared float tile[3][kSide * kSide];

// The convolution at a pixel of the work group.
vec3 spreadAt(ivec2 local) {
  int side = kGroup + 2 * spreadPx;
  ivec2 corner = ivec2(gl_WorkGroupID.xy) * kGroup - spreadPx;
  for (int i = int(gl_LocalInvocationIndex); i < side * side; i += kGroup * kGroup) {
    ivec2 place = ivec2(i % side, i / side);
    vec3 light = channelsAt(vec2(corner + place) + 0.5).rgb;
    for (int channel = 0; channel < 3; ++channel) tile[channel][place.y * kSide + place.x] = light[channel];
  }
  barrier();
  vec3 sum = vec3(0.0);
  int last = 2 * spreadPx, next = last * (last + 2);
  for (int y = 0; y <= last; ++y)
    for (int x = 0; x <= last; ++x, --next) {
      int place = (local.y + y) * kSide + local.x + x;
      sum += spread[next].rgb * vec3(tile[0][place], tile[1][place], tile[2][place]);
    }
  return sum;
}
#endif

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  vec2 centre = vec2(p) + 0.5;
  vec4 light = channelsAt(centre);
#ifdef SPREAD
  light.rgb = spreadAt(ivec2(gl_LocalInvocationID.xy));
#endif
  if (vignetting > 0.0) light.rgb *= lightLeft(aperture, centre, vignetting);
  if (all(lessThan(p, imageSize(result)))) imageStore(result, p, light);
}
