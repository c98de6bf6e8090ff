#pragma once
#include "app/gl/gl.h"

namespace satdof::gl {

// Loads the OpenGL functions of a new, current context. Returns false on failure.
bool loadContext(GLADloadfunc load);

// Returns the number of contexts that this process has loaded so far. OpenGL objects created under another number are
// lost.
int contextNumber();

}  // namespace satdof::gl
