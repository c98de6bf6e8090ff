#pragma once
#include "app/core/settings.h"

namespace satdof {

// Draws the list of environments, built-in and from the assets, each with a small image of its sky.
void drawEnvironmentList(FilePath& environment);

}  // namespace satdof
