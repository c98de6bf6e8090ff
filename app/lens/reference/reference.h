#pragma once
#include <memory>

#include "app/lens/lens.h"

namespace satdof {

// Point `index` of a two-dimensional low-discrepancy sequence on the unit disc, or on a regular polygon of
// `blades` >= 3 corners inscribed in it, turned by `rotationDegrees`; uniform by area. Additive recurrence
// with the plastic number (Roberts 2018), shifted by `seed`, mapped to the disc concentrically (Shirley and
// Chiu 1997).
glm::vec2 aperturePoint(int index, int seed, int blades, float rotationDegrees);

// What the accumulated image depends on, everything else at its default: as long as keys are equal the
// image goes on being refined. The number of samples is not part of it.
struct ReferenceKey {
  LensSettings lens;
  SceneSettings scene;
  CameraSettings camera;
  double timeS = 0;
  glm::ivec2 size{0};
  bool operator==(const ReferenceKey&) const = default;
};
ReferenceKey referenceKey(const LensSettings& lens, const SceneSettings& scene, const CameraSettings& camera,
                          double timeS, glm::ivec2 size);

// The thin lens itself: the mean of the scene drawn from lensSamples points of the aperture (Haeberli and
// Akeley 1990), in linear 32-bit float, unclamped, a few a frame. Every view has the pixel footprint of the
// scene pass, so that what differs from another technique is the lens and not the anti-aliasing. nearScale
// and farScale, which no real lens knows, multiply the shift of what is on either side of the focus plane.
std::unique_ptr<Lens> makeReferenceLens(const Technique& technique);

}  // namespace satdof
