#include "shaders/common/shared.glsl"

// From linear light to the display.

// Narkowicz's fit of the ACES reference transform (2015): toe, straight part, shoulder. 0 <= v <= 1000.
SHADER_FUNCTION SHADER_FLOATS filmic(SHADER_FLOATS v) {
  return v * (2.51f * v + 0.03f) / (v * (2.43f * v + 0.59f) + 0.14f);
}
// The filmic curve: 0 -> 0, increasing, 1 from about 10 on. `v` >= 0.
SHADER_FUNCTION float toneCurve(float v) { return min(filmic(min(v, 1000.0f)), 1.0f); }

// The tone curve for a colour >= 0 whose largest channel is m. Up to m = 1 the curve applies to each channel. Brighter
// light keeps the channels' ratios of m = 1, so that a lamp in focus does not clip to white, and only the brightness
// follows the curve. It fades to white by 1 - m^(-1/6), a choice of this program: a lamp of m = 24 keeps 59 % of its
// colour, m = 1000 32 %. Grey keeps the values of toneCurve().
SHADER_FUNCTION vec3 toneMapped(vec3 v) {
  float m = min(max(max(v.x, v.y), max(v.z, 1.0f)), 1e6f);
  vec3 c = vec3(toneCurve(v.x / m), toneCurve(v.y / m), toneCurve(v.z / m));
  float bright = toneCurve(m), kept = pow(m, -1.0f / 6.0f);
  return c * (kept * bright / toneCurve(1.0f)) + vec3((1.0f - kept) * bright);
}

// The tone curve of photographs, and its inverse. Values up to `from` stay. Above, with x = (v - from) / (1 - from) and
// X the same for `peak`, x becomes x / (1 + x (X - 1) / X): the slope is 1 at `from`, and `peak` becomes 1. The inverse
// restores highlights: white becomes `peak`, and the displayed image in focus equals the photograph. 0 <= from < 1 <=
// peak.
SHADER_FUNCTION float shoulder(float v, float from, float peak) {
  if (v <= from) return v;
  float x = (v - from) / (1.0f - from), end = (peak - from) / (1.0f - from);
  return from + (1.0f - from) * min(x / (1.0f + x * (end - 1.0f) / end), 1.0f);
}
SHADER_FUNCTION float inverseShoulder(float v, float from, float peak) {
  if (v <= from) return v;
  float x = min((v - from) / (1.0f - from), 1.0f), end = (peak - from) / (1.0f - from);
  return from + (1.0f - from) * x / (1.0f - x * (end - 1.0f) / end);
}
// Applied to the largest channel; the others keep their ratios to it.
SHADER_FUNCTION vec3 shouldered(vec3 v, float from, float peak) {
  float m = max(v.x, max(v.y, v.z));
  return m <= from ? v : v * (shoulder(m, from, peak) / m);
}
SHADER_FUNCTION vec3 unshouldered(vec3 v, float from, float peak) {
  float m = max(v.x, max(v.y, v.z));
  return m <= from ? v : v * (inverseShoulder(m, from, peak) / m);
}

// IEC 61966-2-1; `v` in [0, 1].
SHADER_FUNCTION float encodeSrgb(float v) {
  return v <= 0.0031308f ? 12.92f * v : 1.055f * pow(v, 1.0f / 2.4f) - 0.055f;
}
