#pragma once
#include <glm/vec2.hpp>

#include "app/core/settings.h"

namespace satdof {

// Returns `settings` for a small image of the whole scene, with the aspect ratio of `of` and at most `sidePx` pixels on
// a side.
Settings smallSettings(const Settings& settings, glm::ivec2 of, float sidePx);
// smallSettings() without depth of field: independent of lens and technique.
Settings sharpSettings(const Settings& settings, glm::ivec2 of, float sidePx);

}  // namespace satdof
