#pragma once
#include <memory>

#include "app/gl/program.h"
#include "app/lens/lens.h"

namespace satdof {

// Returns the view of sample `index`. Focus is nearer by `shift` diopters.
ViewOffset viewOffset(const LensSettings& lens, const SceneFacts& scene, int index, float shift = 0.0f);

// Draws the mean of two sums of samples (LensResult::halves). Pass the same sum twice for the mean of one half.
class MeanOfSums {
 public:
  void draw(const gl::Texture& a, const gl::Texture& b, const gl::Framebuffer& output) const;

 private:
  gl::Program program_{{"common/fullscreen.vert", "lens/reference/mean.frag"}};
};

// Makes the reference lens: the mean of the scene drawn from lensSamples points of the aperture (Haeberli and Akeley
// 1990), in linear 32-bit float, unclamped. Every sample has the anti-aliasing of the scene, so a difference from
// another technique comes from the lens alone. With LensSettings::jitter, samples also have their own offsets within a
// pixel. nearScale and farScale, which no real lens has, multiply the shift of each sample on their side of the focus
// plane.
std::unique_ptr<Lens> makeReferenceLens();

}  // namespace satdof
