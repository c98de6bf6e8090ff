#pragma once
#include <glm/vec4.hpp>
#include <vector>

#include "app/lens/aperture/aperture.h"

namespace satdof {

// How far the waves of a point's light spread in the image: half of the side of diffraction(), in pixels. 0: less than half a
// pixel.
int diffractionPx(const LensSettings& lens, int sensorPx);

// The light of a point in focus, by pixel, bottom row first: the squared Fourier transform of the aperture (Fraunhofer), for red, green and
// blue of 611, 549 and 464 nm. Each channel sums to 1. Costs about three million complex products.
std::vector<glm::vec4> diffraction(const LensSettings& lens, const SceneFacts& scene);

}  // namespace satdof
