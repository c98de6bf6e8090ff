#pragma once
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "shaders/lens/aperture/aperture.h"

namespace satdof {

// A grey image in place of the blades: light passes in proportion to its values. Its longer side is the diameter of the unit disc;
// what lies outside of the disc is closed.
class ApertureImage {
 public:
  // side * side values, bottom row first. Throws std::runtime_error if no light passes.
  ApertureImage(int side, const std::vector<float>& values);

  // The point of the unit disc with the part square.y of the light below it, and of its row the part square.x to the left of it.
  glm::vec2 point(glm::dvec2 square) const;
  // Radius of the even disc with the same second moments about the centre, in radii.
  float spread() const { return spread_; }
  // For sprites: sums of the light, 1 in all, left of and below the corners of glsl::kApertureCells^2 cells.
  const std::vector<float>& table() const { return table_; }

 private:
  double& sum(int x, int y) { return sums_[index(x, y)]; }
  double sum(int x, int y) const { return sums_[index(x, y)]; }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(side_ + 1) + static_cast<std::size_t>(x);
  }
  double sumAt(glm::dvec2 at) const;

  int side_;
  std::vector<double> sums_;  // left of and below each corner of a pixel
  float spread_ = 1.0f;
  std::vector<float> table_;
};

// ApertureImage::table(), for shaders/bokeh/sprite.glsl; empty: there is no image.
struct ApertureTable {
  std::span<const float> sums = {};
  float apertureSumAt(glm::ivec2 corner) const {
    return sums[static_cast<std::size_t>(corner.y * (glsl::kApertureCells + 1) + corner.x)];
  }
};

// The image of the lens, read once. Null: there is none, or it cannot be read. Valid until eight other files have been read.
const ApertureImage* apertureImage(const LensSettings& lens);
// Why it cannot be read; empty: it can, or there is none.
std::string apertureFailure(const LensSettings& lens);

}  // namespace satdof
