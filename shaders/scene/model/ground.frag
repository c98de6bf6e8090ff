#version 450 core
#include "shaders/scene/camera.glsl"
#include "shaders/scene/environment.glsl"
#include "shaders/scene/output.glsl"
#include "shaders/scene/model/shadow.glsl"

layout(binding = 0) uniform sampler2D sky;
layout(binding = 1) uniform sampler2D casters;  // covered part, and the covered part times nearness: Ground
in vec3 worldPosition;
in vec2 place;

const float kDarkness = 0.75;
const float kLeast = 0.004;  // of a shadow that is drawn
const int kTaps = 24;

// The mean over a disc of the ground. Each tap is a mean itself, of its share of the disc.
vec2 meanAround(float radiusM) {
  float side = high.x - low.x, texels = float(textureSize(casters, 0).x);
  float level = log2(max(radiusM / side * texels * 0.5, 1.0));
  vec2 sum = vec2(0.0);
  for (int i = 0; i < kTaps; ++i) {
    // A sunflower: equal areas, the golden angle.
    float r = sqrt((float(i) + 0.5) / float(kTaps)) * radiusM / side, angle = 2.39996323 * float(i);
    sum += textureLod(casters, place + r * vec2(cos(angle), sin(angle)), level).rg;
  }
  return sum / float(kTaps);
}

// The nearer the casters are to the ground, the smaller is the half shadow (percentage-closer soft shadows, Fernando 2005).
void main() {
  beginFragment();
  vec2 around = meanAround(0.5 * spread * heightM);
  float caster = around.x > 0.0 ? -log2(clamp(around.y / around.x, 1.0 / 64.0, 1.0)) / 6.0 * heightM : 0.0;
  float shadow = kDarkness * meanAround(max(spread * caster, 0.01 * heightM)).x;
  if (shadow < kLeast) discard;
  vec3 radiance = textureLod(sky, skyCoordinates(toEnvironment(normalize(worldPosition - eye.xyz))), skyLevel).rgb;
  colour = vec4(min(radiance * environment.z * (1.0 - shadow), 60000.0), 1.0);
}
