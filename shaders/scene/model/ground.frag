#version 450 core
#include "shaders/common/luminance.glsl"
#include "shaders/scene/camera.glsl"
#include "shaders/scene/model/light.glsl"
#include "shaders/scene/output.glsl"
#include "shaders/scene/model/shadow.glsl"

layout(binding = 0) uniform sampler2D sky;
// Red: coverage; green: coverage * exp2(-6 height / heightM).
layout(binding = 9) uniform sampler2D casters[kMaxShadows];
in vec3 worldPosition;
in vec2 place;

const float kDarkness = 0.75;    // of the environment's shadow: the rest of the environment lights the ground there
const float kMinShadow = 0.004;  // lighter fragments are discarded
const int kTaps = 24;

// Mean of `casters` over a disc on the ground, from kTaps taps of a mipmap level whose texels have the size of a tap's
// share.
vec2 meanAround(int i, float radiusM) {
  float side = high.x - low.x, texels = float(textureSize(casters[i], 0).x);
  float level = log2(max(radiusM / side * texels * 0.5, 1.0));
  vec2 sum = vec2(0.0);
  for (int tap = 0; tap < kTaps; ++tap) {
    // Vogel's spiral: equal areas, golden angle.
    float r = sqrt((float(tap) + 0.5) / float(kTaps)) * radiusM / side, angle = 2.39996323 * float(tap);
    sum += textureLod(casters[i], place + r * vec2(cos(angle), sin(angle)), level).rg;
  }
  return sum / float(kTaps);
}

// Fraction of light i that is in shadow. The mean height of the casters gives the width of the penumbra
// (percentage-closer soft shadows, Fernando 2005).
float shadowOf(int i) {
  float spread = sources[i].x;
  vec2 around = meanAround(i, 0.5 * spread * heightM);
  float caster = around.x > 0.0 ? -log2(clamp(around.y / around.x, 1.0 / 64.0, 1.0)) / 6.0 * heightM : 0.0;
  return meanAround(i, max(spread * caster, 0.01 * heightM)).x;
}

// Luminance of the irradiance of lamp i on the ground, over pi.
float lampLuminance(int i) {
  vec3 l;
  vec3 light = lampLight(i, worldPosition, l);
  return luminance(light) * max(l.y, 0.0) / kPi;
}

// Dims the sky behind the ground by the fraction of the ground's light that the model occludes.
void main() {
  beginFragment();
  float all = luminance(irradianceOverPi(vec3(0.0, 1.0, 0.0)));
  float taken = all * kDarkness * shadowOf(0);
  for (int i = 0; i < lampCount.x; ++i) all += lampLuminance(i);
  for (int i = 1; i < shadowCount.x; ++i) taken += lampLuminance(int(sources[i].y)) * shadowOf(i);
  float shadow = all > 0.0 ? taken / all : 0.0;
  if (shadow < kMinShadow) discard;
  vec3 radiance = textureLod(sky, skyCoordinates(toEnvironment(normalize(worldPosition - eye.xyz))), skyLevel).rgb;
  colour = vec4(min(radiance * environment.z * (1.0 - shadow), 60000.0), 1.0);
}
