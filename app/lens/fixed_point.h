#pragma once
#include <glm/vec2.hpp>

// How uint32 tables quantise linear light so that every box sum fits 32 bits.
namespace satdof {

// Returns the linear light at which uint32 tables clip: the largest value, from 4 to 64, with which a step of 2^-12
// fits in 32 bits, or 4. A step of 2^-12 errs by at most 0.4 of an 8-bit sRGB step in black. The ceiling is continuous
// in halfWidthPx, so lamps do not flicker as the focus moves. halfWidthPx: of the largest box along y. Boxes are
// `anamorphicRatio` times as wide as high.
float fixedPointCeiling(float halfWidthPx, glm::ivec2 size, float anamorphicRatio = 1.0f);

// Returns the largest power of two `scale` such that (scale * ceiling + 1/2) * area < 2^32 and scale *
// ceiling <= 2^23. `area` is the area of the largest box of half-height `halfWidthPx`: 2 ceil(halfWidthPx) +
// 3 pixels high, (2 ceil(halfWidthPx) + 2) anamorphicRatio + 1 wide, clamped to the image.
float fixedPointScale(float halfWidthPx, glm::ivec2 size, float ceiling, float anamorphicRatio = 1.0f);

}  // namespace satdof
