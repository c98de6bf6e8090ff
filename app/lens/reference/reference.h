#pragma once
#include <memory>

#include "app/gl/program.h"
#include "app/lens/lens.h"

namespace satdof {

// Point `index` of a two-dimensional low-discrepancy sequence on the unit disc, or on a regular polygon of
// `blades` >= 3 corners inscribed in it, turned by `rotationDegrees`; uniform by area. Additive recurrence
// with the plastic number (Roberts 2018), shifted by `seed`, mapped to the disc concentrically (Shirley and
// Chiu 1997).
glm::vec2 aperturePoint(int index, int seed, int blades, float rotationDegrees);

// Where sample `index` looks from.
ViewOffset viewOffset(const LensSettings& lens, const SceneFacts& scene, int index);

// Draws the mean image of two sums of samples, LensResult::halves; twice the same sum gives the mean of one
// half.
class MeanOfSums {
 public:
  void draw(const gl::Texture& a, const gl::Texture& b, const gl::Framebuffer& output) const;

 private:
  gl::Program program_{{"common/fullscreen.vert", "lens/reference/mean.frag"}};
};

// The thin lens itself: the mean of the scene drawn from lensSamples points of the aperture (Haeberli and
// Akeley 1990), in linear 32-bit float, unclamped, eight a frame. Every sample has the scene's own
// anti-aliasing, so that a difference from another technique is the lens alone. nearScale and farScale, which
// no real lens has, multiply the shift on either side of the focus plane.
std::unique_ptr<Lens> makeReferenceLens(const Technique& technique);

}  // namespace satdof
