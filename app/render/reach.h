#pragma once
#include "app/core/pixels.h"
#include "app/core/settings.h"
#include "app/device/scene_facts.h"

namespace satdof {

// Where the optical axis meets an image of `size` pixels, from the bottom left.
glm::vec2 axisPx(const Settings& settings, glm::ivec2 size);

// The largest blur radius of the thin lens in pixels, including tilt, field curvature, spherical and axial colour.
float thinLensReachPx(const LensSettings& lens, const SceneFacts& whole);

// The largest distance in pixels from a pixel of technique A to another pixel that it depends on. Sum of the largest
// blur radius, the hole filling behind the near field, lateral colour, diffraction and the filter mask.
int reachPx(const Settings& settings, const SceneFacts& whole);

// Returns the rectangle to draw of an image of `whole` pixels in order to show `shown`: with a margin of reachPx, at
// most maxMarginPx. Its size does not depend on shown.from, so panning allocates nothing. It begins at multiples of the
// lens's cells, so the cells stay in place while panning.
PixelRectangle drawnFor(const PixelRectangle& shown, glm::ivec2 whole, int reachPx, int maxMarginPx);

}  // namespace satdof
