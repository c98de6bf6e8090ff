#pragma once
#include <glm/vec2.hpp>

#include "app/core/settings.h"
#include "app/device/scene_facts.h"
#include "shaders/lens/aperture/aperture.h"

// The aperture of a lens: its shape for sprites (shaders/lens/aperture/aperture.glsl) and its points for the reference. Scatter and
// gather take its rectangles from shaders/lens/aperture/staircase.glsl.
namespace satdof {

Aperture apertureOf(const LensSettings& lens, const SceneFacts& scene);

// Returns point `index` of a two-dimensional low-discrepancy sequence, uniform by area on the unit disc. For
// `blades` >= 3, uniform on a regular polygon of `blades` corners, inscribed in the disc and turned by
// `rotationDegrees`, with arcs of `curvature` / the disc's radius as sides. Additive recurrence with the plastic
// number (Roberts 2018), shifted by `seed`. The disc is mapped concentrically (Shirley and Chiu 1997), the polygon from the disc.
glm::vec2 aperturePoint(int index, int seed, int blades, float rotationDegrees, float curvature = 0.0f);

// Of the lens: of its image, or of its blades.
glm::vec2 aperturePoint(const LensSettings& lens, int index);

}  // namespace satdof
