#pragma once
#include <glm/vec2.hpp>

#include "app/core/settings.h"

namespace satdof {

// Overscan: the scene is drawn with a margin around the image, so that a lens blurs with the light from there.
// The margin is cut off afterwards.

// Replaces `automatic`: on, or off on software OpenGL. Needs a current context.
Overscan resolve(Overscan overscan);

// The width of the margin in pixels on every side; settings.lens.overscan is resolved. As wide as the largest radius of
// any lens between half the focus distance and infinity, rounded up to a quarter, a half or the whole of an eighth of
// the height, and at most so wide that no side gets longer than `longestSidePx`. With autofocus the widest, so that the
// margin depends on no earlier frame; it does not depend on the techniques, so that a split changes neither side.
int overscanPx(const Settings& settings, int longestSidePx);

// An upper bound of the margin, whatever the lens and the focus. Needs a current context.
int mostOverscanPx(const Settings& settings);

// The settings that draw the same image with a margin: what counts in image sizes or radians is scaled.
Settings withMargin(Settings settings, int marginPx);

// A point of the image (0 to 1) as a point of the image with its margin.
glm::vec2 inMargin(glm::vec2 at, glm::ivec2 size, int marginPx);

}  // namespace satdof
