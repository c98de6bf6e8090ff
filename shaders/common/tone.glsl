#include "shaders/common/shared.glsl"

// From linear light to the display.

// Filmic curve, Narkowicz's fit of the ACES reference transform (2015): toe, straight part, shoulder. 0 -> 0,
// increasing, 1 from about 10 on. `v` >= 0.
SHADER_FUNCTION float toneCurve(float v) {
  v = min(v, 1000.0f);
  return min(v * (2.51f * v + 0.03f) / (v * (2.43f * v + 0.59f) + 0.14f), 1.0f);
}

// IEC 61966-2-1; `v` in [0, 1].
SHADER_FUNCTION float encodeSrgb(float v) {
  return v <= 0.0031308f ? 12.92f * v : 1.055f * pow(v, 1.0f / 2.4f) - 0.055f;
}
