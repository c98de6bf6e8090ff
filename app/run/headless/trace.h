#pragma once
#include "app/run/command_line/command_line.h"

namespace satdof {

// Writes the file of --trace and prints the counts, without OpenGL. Throws std::runtime_error if the build has no
// emulator or the file cannot be written.
void runTrace(const CommandLine& line);

}  // namespace satdof
