#pragma once
#include <functional>

#include "app/render/resolve.h"

namespace satdof {

// Overscan: the scene is drawn with a margin around the image, so that light from outside the image reaches its border.
// The margin is cropped after the lens.

// Returns the image height divided by the width of the margin: 32, 16, 8 or 4; 0: no margin. nearestM(marginPx): a
// lower bound of the distances in the image with that margin. The margin is the narrowest, up to 1/4 of the height,
// whose width exceeds the blur discs of all surfaces outside, with any lens. With autofocus the result is 8, because
// earlier frames must not change the margin. Techniques do not change the margin, so A and B of a split have the same
// one.
int overscanDivisor(const ResolvedSettings& settings, const std::function<float(int marginPx)>& nearestM);

// Returns the width of the margin in pixels. Two limits: no side exceeds maxSidePx, and the number of pixels of a
// narrow image does not grow many times.
int overscanPx(glm::ivec2 size, int divisor, int maxSidePx);

// Changes settings to draw the same image with a margin. Scales the field of view, and lengths relative to the image
// size.
void addMargin(Settings& settings, int marginPx);

}  // namespace satdof
