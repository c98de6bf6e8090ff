#pragma once
#include <glm/vec4.hpp>
#include <vector>

#include "app/lens/aperture/aperture.h"

namespace satdof {

// How far diffraction spreads the light of a point, in pixels: diffraction() has 2 diffractionPx() + 1 pixels a side. 0
// if the spread is below half a pixel.
int diffractionPx(const LensSettings& lens, int sensorPx);

// The image of a point in focus, bottom row first: the squared absolute Fourier transform of the aperture (Fraunhofer)
// at 611, 549 and 464 nm for red, green and blue. Each channel sums to 1. Cost: about three million complex products.
std::vector<glm::vec4> diffraction(const LensSettings& lens, const SceneFacts& scene);

}  // namespace satdof
