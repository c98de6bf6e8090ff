#pragma once
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "shaders/lens/aperture/aperture.h"

namespace satdof {

// A grey image as aperture, in place of the blades: light passes in proportion to its values. Its longer side is the
// diameter of the unit disc. Pixels outside the disc let no light pass.
class ApertureImage {
 public:
  // side * side values, bottom row first. Throws std::runtime_error if no light passes.
  ApertureImage(int side, const std::vector<float>& values);

  // Maps [0, 1]^2 to the unit disc, by area in proportion to the light: the part square.y of the light lies below the
  // point, and the part square.x of the light of its row left of it.
  glm::vec2 point(glm::dvec2 square) const;
  // Radius of the uniform disc with the same second moment about the centre, in radii of the unit disc.
  float spread() const { return spread_; }
  // For sprites: a summed-area table of the light, which totals 1, at the corners of glsl::kApertureCells^2 cells.
  const std::vector<float>& table() const { return table_; }

 private:
  double& sum(int x, int y) { return sums_[index(x, y)]; }
  double sum(int x, int y) const { return sums_[index(x, y)]; }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(side_ + 1) + static_cast<std::size_t>(x);
  }
  double sumAt(glm::dvec2 at) const;

  int side_;
  std::vector<double> sums_;  // summed-area table at the corners of the pixels
  float spread_ = 1.0f;
  std::vector<float> table_;
};

// ApertureImage::table() for shaders/bokeh/sprite.glsl. Empty if the aperture is no image.
struct ApertureTable {
  std::span<const float> sums = {};
  float apertureSumAt(glm::ivec2 corner) const {
    return sums[static_cast<std::size_t>(corner.y * (glsl::kApertureCells + 1) + corner.x)];
  }
};

// The image that is the aperture of the lens, read once and kept until eight other files have been read. Null if the
// aperture is no image, or if the image cannot be read.
const ApertureImage* apertureImage(const LensSettings& lens);
// Why the image of the aperture cannot be read; empty if it was read, or if the aperture is no image.
std::string apertureFailure(const LensSettings& lens);

}  // namespace satdof
