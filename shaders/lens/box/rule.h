#pragma once
#include "shaders/lens/radius_rule.h"

namespace satdof {

// Parameters of the box lens: shaders/lens/box/box.glsl.
struct alignas(16) BoxRule {
  RadiusRule radius;
  glm::vec4 offset{0.0f};  // added to every mean
  float unit = 1.0f;       // linear light of 1 in the table
  int floats = 0;          // 1: the elements of the table are floats
  bool operator==(const BoxRule&) const = default;
};

// How the box lens sums pixels without a table. direct: every pixel of the box, O(r^2) a pixel. separable: along x,
// then along y, O(r) a pixel. separable equals direct only where the radius is constant; the corners of a fractional
// box weigh the product of the weights of two edges.
enum class Convolution { direct, separable };

struct ConvolutionRule {
  RadiusRule radius;
  Convolution convolution = Convolution::direct;
  bool operator==(const ConvolutionRule&) const = default;
};

}  // namespace satdof
