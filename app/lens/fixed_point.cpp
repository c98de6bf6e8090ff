#include "app/lens/fixed_point.h"

#include <algorithm>
#include <cmath>

namespace satdof {

namespace {

double boxArea(double heightPx, float anamorphicRatio, glm::ivec2 size) {
  return std::min<double>((heightPx - 1) * double(anamorphicRatio) + 1, size.x) * std::min<double>(heightPx, size.y);
}

}  // namespace

float fixedPointCeiling(float halfWidthPx, glm::ivec2 size, float anamorphicRatio) {
  // 2 h + 5 is more than the 2 ceil(h) + 3 rows of fixedPointScale(), and continuous.
  const double area = boxArea(2.0 * halfWidthPx + 5.0, anamorphicRatio, size);
  return static_cast<float>(std::clamp(0x1p20 / area, 4.0, 64.0));
}

float fixedPointScale(float halfWidthPx, glm::ivec2 size, float ceiling, float anamorphicRatio) {
  const double area = boxArea(2.0 * std::ceil(halfWidthPx) + 3.0, anamorphicRatio, size);
  const double largestExact = std::nextafter((0x1p32 / area - 0.5) / ceiling, 0.0);
  int exponent = 0;
  std::frexp(std::min(largestExact, 0x1p23 / ceiling), &exponent);
  return std::ldexp(1.0f, exponent - 1);
}

}  // namespace satdof
