#pragma once
#include "shaders/common/glsl.h"

namespace satdof {

// How image values become table elements. uint32: quantise(v, scale, ceiling), in units of 1 / scale. float32: v -
// mean. uint32 elements are exact if scale is a power of two and scale * ceiling <= 2^23; box sums are exact if, in
// addition, scale * ceiling * (largest box area) < 2^32. Values must not be NaN.
struct Quantisation {
  float scale = 1.0f;
  float ceiling = 1.0f;
  glm::vec4 mean{0.0f};
  bool operator==(const Quantisation&) const = default;
};

namespace glsl {
#include "shaders/sat/quantisation.glsl"
}  // namespace glsl

}  // namespace satdof
