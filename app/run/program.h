#pragma once

namespace satdof {

// Does what the command line asks for. Prints every error. Returns the exit status: 0 done, 1 failed while running,
// 2 bad usage.
int runProgram(int argc, const char* const* argv);

}  // namespace satdof
