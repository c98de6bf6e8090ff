#pragma once
#include "app/run/command_line/command_line.h"

namespace satdof {

// Runs the experiments of --lab or --share, or reads the results of --lab-from, and writes the file, without a
// window. SIGINT ends the measurements, and the program as the signal does, once a file holds those made so far: a
// copyPath() if the file exists. Throws std::runtime_error if there is no OpenGL 4.5 or the file cannot be written.
void runLab(const CommandLine& line);

}  // namespace satdof
