// Luminance of linear light with the primaries of sRGB (Rec. 709).
#ifndef SHADERS_COMMON_LUMINANCE_GLSL
#define SHADERS_COMMON_LUMINANCE_GLSL
#include "shaders/common/shared.glsl"

const float kLuminanceR = 0.2126f, kLuminanceG = 0.7152f, kLuminanceB = 0.0722f;

SHADER_FUNCTION float luminance(vec3 light) { return dot(light, vec3(kLuminanceR, kLuminanceG, kLuminanceB)); }

// With equal bits on all devices.
SHADER_FUNCTION float luminance(float r, float g, float b) {
  precise float y = kLuminanceR * r + kLuminanceG * g + kLuminanceB * b;
  return y;
}

#endif
