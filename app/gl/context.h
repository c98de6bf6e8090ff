#pragma once
#include "app/gl/gl.h"

namespace satdof::gl {

// Loads the OpenGL functions of a new, current context. Returns whether that worked.
bool loadContext(GLADloadfunc load);

// The number of contexts that this process has loaded. Objects that were made under another number do not exist.
int contextNumber();

}  // namespace satdof::gl
