#pragma once
#include "app/core/settings.h"
#include "app/device/scene_facts.h"

namespace satdof {

// Where the optical axis meets an image of `size` pixels, from the bottom left.
glm::vec2 axisPx(const Settings& settings, glm::ivec2 size);

// The largest radius of the thin lens in pixels, with tilt, curved field and the colours' own focus.
float thinLensReachPx(const LensSettings& lens, const SceneFacts& whole);

// The largest distance, in pixels, of anything that a pixel of the image depends on: the largest blur radius, what
// fills the holes behind the near field, and the filter. Of technique A.
int reachPx(const Settings& settings, const SceneFacts& whole);

// A rectangle of pixels.
struct PixelRectangle {
  glm::ivec2 from{0}, size{1};
};

// What is drawn of an image of `whole` pixels to show `shown`: with a margin of reachPx, at most mostMarginPx. Its size
// depends on the sizes alone, so that panning allocates nothing, and it begins on a grid of cells, so that the cells of
// a lens stay where they are.
PixelRectangle drawnFor(const PixelRectangle& shown, glm::ivec2 whole, int reachPx, int mostMarginPx);

}  // namespace satdof
