#pragma once
#include "app/core/settings.h"

namespace satdof {

// Returns the settings with the automatic choice in place of every device, solver or variant that is not available.
// Needs a current OpenGL context.
Settings withAvailable(Settings settings);

}  // namespace satdof
