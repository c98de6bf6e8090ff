#pragma once
#include <vector>

namespace satdof {

inline constexpr int kMaxMaskSide = 63;

// One pass of a filter. T: float, double or std::int32_t. Weight (i, j) is weights[j * width + i].
template <class T>
struct MaskPassOf {
  int width = 1, height = 1;  // odd, at most kMaxMaskSide
  std::vector<T> weights;
};

}  // namespace satdof
