#pragma once
#include "app/run/command_line.h"

namespace satdof {

// Draws the frames that the command line asks for without a window, and writes its files. Throws
// std::runtime_error when there is no OpenGL 4.5, the image is too large, a technique cannot run here, a file
// cannot be written, or OpenGL reports an error.
void runHeadless(const CommandLine& line);

}  // namespace satdof
