#pragma once
#include "app/core/settings.h"

namespace satdof {

// Throws std::runtime_error if images of settings.size exceed the limits of the OpenGL driver or the memory
// that is free now. Needs a current context.
void requireRoom(const Settings& settings);

// Throws std::runtime_error with the first OpenGL error, if a debug context has reported one.
void requireNoGlErrors();

}  // namespace satdof
