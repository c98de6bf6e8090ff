#pragma once
#include <functional>

namespace satdof {

// Runs the program. Prints every error. Returns the exit status: 0 success, 1 failure, 2 wrong usage.
int runProgram(int argc, const char* const* argv);

// Calls run() and prints the error that it throws. Returns the exit status.
int exitStatus(const std::function<void()>& run);

}  // namespace satdof
