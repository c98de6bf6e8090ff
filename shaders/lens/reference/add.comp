#version 450 core
#include "shaders/lens/aperture/aperture.glsl"
#include "shaders/lens/thin_lens.glsl"
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) uniform sampler2D depth;
layout(binding = 0, rgba32f) uniform image2D sum;

// Effects that no pinhole view has: the cut by the second stop, and a curved field. Let a point appear q pixels off the
// axis from the centre of the aperture. From another point of the aperture it appears point (R - slope . q + curvature
// q^2) farther. The pinhole view lacks the last term.
layout(std140, binding = 0) uniform Optics {
  vec4 channels;  // 1: this view draws the channel, else 0
  ThinLens lens;
  Aperture aperture;
  vec2 point, slope;
  float curvature;
};

// The light that the curved field shows at p, bilinear. Its place in the image without curvature is a fixed point,
// because the shift depends on the depth at that place: four iterations.
vec3 curvedAt(vec2 p) {
  vec2 at = p, q = p - aperture.axisPx;
  ivec2 last = textureSize(image, 0) - 1;
  for (int i = 0; i < 4; ++i) {
    float d = texelFetch(depth, clamp(ivec2(floor(at)), ivec2(0), last), 0).r;
    float flatRadius = thinLensRadius(d, lens.alpha, lens.beta) - dot(slope, q);
    float shown = scaledRadius(flatRadius, lens.nearScale, lens.farScale);
    q = at - aperture.axisPx - point * shown;
    at = p - point * (scaledRadius(flatRadius + curvature * dot(q, q), lens.nearScale, lens.farScale) - shown);
  }
  vec2 f = fract(at - 0.5);
  ivec2 low = ivec2(floor(at - 0.5));
  vec3 of[4];
  for (int k = 0; k < 4; ++k) of[k] = texelFetch(image, clamp(low + ivec2(k & 1, k >> 1), ivec2(0), last), 0).rgb;
  return mix(mix(of[0], of[1], f.x), mix(of[2], of[3], f.x), f.y);
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, imageSize(sum)))) return;
  if (isCut(aperture, point, vec2(p) + 0.5)) return;
  vec3 light = curvature != 0.0 ? curvedAt(vec2(p) + 0.5) : texelFetch(image, p, 0).rgb;
  imageStore(sum, p, imageLoad(sum, p) + vec4(light, 1.0) * channels);
}
