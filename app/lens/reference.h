#pragma once
#include <memory>

#include "app/lens/lens.h"

namespace satdof {

// Point `index` of a two-dimensional low-discrepancy sequence on the unit disc, or on a regular polygon of
// `blades` >= 3 corners inscribed in it, turned by `rotationDegrees`. Additive recurrence with the plastic
// number (Roberts 2018), shifted by `seed`; squared radius uniform, so that the density is.
glm::vec2 aperturePoint(int index, int seed, int blades, float rotationDegrees);

// The thin lens itself: the scene drawn from lensSamples points of the aperture and accumulated in linear
// 32-bit float, a few a frame; begun anew when anything that the picture depends on changes.
std::unique_ptr<Lens> makeReferenceLens(const Method& method);

}  // namespace satdof
