#pragma once
#include "app/core/settings.h"

namespace satdof {

// A list of the built-in environments and of those in the assets, each with a small image of its sky.
void drawEnvironmentList(FilePath& environment);

}  // namespace satdof
