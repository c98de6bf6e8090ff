#pragma once
#include <functional>

#include "app/core/settings.h"

namespace satdof {

// Overscan: the scene is drawn with a margin around the image, so that a lens blurs with the light from there.
// The margin is cut off afterwards.

// Replaces `automatic`: on, or off on software OpenGL. Needs a current context.
Overscan resolve(Overscan overscan);

// The margin on every side as a part of the height: 0 (none), 32, 16, 8 or 4 for 1/32 to 1/4; settings.lens.overscan is resolved.
// nearestM(marginPx): a lower bound of the distances in the image with that margin. The least margin such that no surface outside,
// as far as 1/4 of the height, has a disc that reaches the image, by any lens. With autofocus 1/8, so that the margin depends on no
// earlier frame. It does not depend on the techniques, so that a split changes neither side.
int overscanPart(const Settings& settings, const std::function<float(int marginPx)>& nearestM);

// The width of that margin in pixels, at most so wide that no side gets longer than `longestSidePx`, and that a narrow image
// does not grow to many times its pixels.
int overscanPx(glm::ivec2 size, int part, int longestSidePx);

// The settings that draw the same image with a margin: what counts in image sizes or radians is scaled.
Settings withMargin(Settings settings, int marginPx);

}  // namespace satdof
