#pragma once
#include <glm/vec2.hpp>
#include <vector>

#include "app/io/picture.h"

namespace satdof {

enum class BrushKind {
  same,     // the surface under the middle, as far as its colour reaches, gets the depth of the middle
  nearer,   // pulls
  farther,  // pushes
  smooth,   // towards the mean of the neighbourhood
  fill,     // towards `depth`
};

// One touch of a brush. Lengths are pixels of the image, from its bottom left.
struct Dab {
  BrushKind kind = BrushKind::nearer;
  glm::vec2 at{0.0f};
  float radiusPx = 20.0f;  // `same` has none
  float strength = 0.5f;   // 0 to 1
  float edge = 0.15f;      // a step of colour larger than this stops the brush; 1 or more: none does
  float depth = 0.0f;      // fill
  float unit = 1.0f;       // nearer and farther: the range of depths
};

struct PixelRect {
  glm::ivec2 from{0}, to{0};  // without `to`
  bool empty() const { return from.x >= to.x || from.y >= to.y; }
  bool operator==(const PixelRect&) const = default;
};

// The pixels that the dab may change.
PixelRect reachOf(const Dab& dab, glm::ivec2 size);

// Changes `depth`, from 0 at infinity to 1, of the size of the picture, where the dab reaches: less towards its rim, and nowhere that
// no path within it leads to from its middle, over colours like the one there. Colours are compared as square roots of linear
// light. O(pixels of reachOf()).
void applyDab(const Dab& dab, const Picture& picture, std::vector<float>& depth);

}  // namespace satdof
