#pragma once
#include "app/core/settings.h"

namespace satdof {

// Returns the settings with every device, solver or variant that is not available replaced by the automatic choice.
// Needs a current OpenGL context.
Settings withAvailable(Settings settings);

}  // namespace satdof
