#pragma once
#include <glm/vec2.hpp>

#include "app/core/settings.h"
#include "app/device/scene_facts.h"
#include "shaders/lens/aperture/aperture.h"

// The aperture of a lens: its shape for sprites (shaders/lens/aperture/aperture.glsl), and sample points for the
// reference. Scatter and gather approximate it by the staircase disc (shaders/lens/aperture/staircase.glsl).
namespace satdof {

// Returns the aperture for shaders: its shape, and the second stop of cat's eyes around the optical axis of the scene.
Aperture apertureOf(const LensSettings& lens, const SceneFacts& scene);

// Returns point `index` of a two-dimensional low-discrepancy sequence, uniform by area on the unit disc. For `blades`
// >= 3, uniform on a regular polygon with `blades` corners, inscribed in the disc and turned by `rotationDegrees`. Its
// sides are arcs of this curvature; 0: straight. Additive recurrence with the plastic number (Roberts 2018), shifted by
// `seed`; concentric map to the disc (Shirley and Chiu 1997), then from the disc to the polygon.
glm::vec2 aperturePoint(int index, int seed, int blades, float rotationDegrees, float curvature = 0.0f);

// Returns point `index` of the aperture of the lens: on its image, or within its blades.
glm::vec2 aperturePoint(const LensSettings& lens, int index);

}  // namespace satdof
