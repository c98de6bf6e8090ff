#pragma once
#include "app/core/settings.h"

namespace satdof {

// Throws std::runtime_error where images of settings.size are larger than the OpenGL driver allows, or
// do not fit into the memory that is free now. Needs a current context.
void requireRoom(const Settings& settings);

}  // namespace satdof
