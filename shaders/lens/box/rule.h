#pragma once
#include "shaders/lens/radius_rule.h"

namespace satdof {

// A pixel of the box lens: shaders/lens/box/box.glsl.
struct alignas(16) BoxRule {
  RadiusRule radius;
  glm::vec4 offset{0.0f};  // added to a mean
  float unit = 1.0f;       // of the elements of the table
  int floats = 0;          // 1: elements are floats
  bool operator==(const BoxRule&) const = default;
};

// How the box lens sums pixels without a table. direct: every pixel of the box, O(r^2) a pixel. separable: along x, then along y,
// O(r) a pixel; equal to direct only where the radius is constant, and the corners of a fractional box have the product of the
// weights of its edges.
enum class Convolution { direct, separable };

struct ConvolutionRule {
  RadiusRule radius;
  Convolution convolution = Convolution::direct;
  bool operator==(const ConvolutionRule&) const = default;
};

}  // namespace satdof
