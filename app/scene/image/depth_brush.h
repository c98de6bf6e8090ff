#pragma once
#include <glm/vec2.hpp>
#include <vector>

#include "app/core/pixels.h"
#include "app/io/picture.h"

namespace satdof {

enum class BrushKind {
  same,     // flood fill: the connected surface of the colour at the centre gets the depth of the centre
  nearer,   // increases depth = nearM / z
  farther,  // decreases it
  smooth,   // moves the depth towards the mean of its neighbourhood
  fill,     // moves the depth towards Dab::depth
};

// One application of a brush. Lengths are pixels of the image, from its bottom left.
struct Dab {
  BrushKind kind = BrushKind::nearer;
  glm::vec2 at{0.0f};       // centre
  float radiusPx = 20.0f;   // not for `same`
  float strength = 0.5f;    // 0 to 1
  float edge = 0.15f;       // a larger colour difference from the centre stops the brush; 1 or more: none does
  float depth = 0.0f;       // for `fill`
  float depthRange = 1.0f;  // for `nearer` and `farther`: the largest depth
};

// The pixels that the dab may change.
PixelRectangle reachOf(const Dab& dab, glm::ivec2 size);

// Applies a dab to `depth` (nearM / z, of the size of the picture). The effect decreases
// towards the rim of the dab, and covers only pixels that are connected to the centre by
// pixels of similar colour. Compares square roots of linear light. O(pixels of reachOf()).
void applyDab(const Dab& dab, const Picture& picture, std::vector<float>& depth);

}  // namespace satdof
