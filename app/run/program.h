#pragma once
#include <functional>

namespace satdof {

// Does what the command line asks for. Prints every error. Returns the exit status: 0 done, 1 failed while running,
// 2 bad usage.
int runProgram(int argc, const char* const* argv);

// Calls `run` and prints what it throws. Returns the exit status.
int exitStatus(const std::function<void()>& run);

}  // namespace satdof
