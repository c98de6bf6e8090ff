#pragma once
#include "app/run/command_line.h"

namespace satdof {

// Draws the frames of the command line without a window and writes its files. Throws std::runtime_error if
// there is no OpenGL 4.5, the image is too large, a technique cannot run here, a file cannot be written, or
// OpenGL reports an error.
void runHeadless(const CommandLine& line);

}  // namespace satdof
