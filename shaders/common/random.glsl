#ifndef SHADERS_COMMON_RANDOM_GLSL
#define SHADERS_COMMON_RANDOM_GLSL
#include "shaders/common/shared.glsl"

// A hash of words (pcg in Jarzynski and Olano 2020).
SHADER_FUNCTION SHADER_WORDS pcg(SHADER_WORDS v) {
  v = v * 747796405u + 2891336453u;
  v = ((v >> ((v >> 28u) + 4u)) ^ v) * 277803737u;
  return (v >> 22u) ^ v;
}

// A reproducible number in [0, 1) for a word.
SHADER_FUNCTION float random(uint v) { return float(pcg(v) >> 8u) * 5.9604644775390625e-8f; }

#endif
