#pragma once
#include "app/lab/results.h"

namespace satdof::lab {

// The hardware and its drivers: "gpu", "driver", "gl", "cpu". Needs a current OpenGL context.
Context machine();

// Of this program.
const char* version();
const char* commit();

// machine(), then CUDA, the operating system, the version and the commit of this program, and the day. No name
// of the host, of the user or of a path. Needs a current OpenGL context.
Context machineAndVersions();

}  // namespace satdof::lab
