#pragma once
#include "app/lab/results.h"

namespace satdof::lab {

// Returns the hardware and its drivers: "gpu", "driver", "gl", "cpu". Needs a current OpenGL context.
Context machine();

// Return the version and the commit of this program.
const char* version();
const char* commit();

// Returns machine(), then "cuda", "os", "version", "commit" and "date". Contains no names of hosts, users or paths.
// Needs a current OpenGL context.
Context machineAndVersions();

}  // namespace satdof::lab
