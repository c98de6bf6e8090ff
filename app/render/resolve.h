#pragma once
#include "app/core/settings.h"

namespace satdof {

// Replaces every `automatic` of techniques and overscan by the value that a frame is drawn with. Needs a current
// context.
Settings resolved(Settings settings);

}  // namespace satdof
