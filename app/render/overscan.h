#pragma once
#include <glm/vec2.hpp>

#include "app/core/settings.h"

namespace satdof {

// Overscan: the scene is drawn with a margin around the image, so that a lens blurs with the light from there.
// The margin is cut off afterwards.

// Replaces `automatic`: on, or off on software OpenGL. Needs a current context.
Overscan resolve(Overscan overscan);

// The width of the margin in pixels on every side; settings.lens.overscan is resolved. As wide as the largest radius of
// any lens between `nearestM` and infinity, rounded up to 1/32, 1/16, 1/8 or 1/4 of the height, and at most so wide that
// no side gets longer than `longestSidePx`. With autofocus 1/8, so that the margin depends on no earlier frame. It does
// not depend on the techniques, so that a split changes neither side. `nearestM`: a lower bound of the distances in the
// image with its margin; kNearM gives the widest margin of the settings.
int overscanPx(const Settings& settings, float nearestM, int longestSidePx);

// The settings that draw the same image with a margin: what counts in image sizes or radians is scaled.
Settings withMargin(Settings settings, int marginPx);

// A point of the image (0 to 1) as a point of the image with its margin.
glm::vec2 inMargin(glm::vec2 at, glm::ivec2 size, int marginPx);

}  // namespace satdof
