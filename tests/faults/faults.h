#pragma once
#include <string>

namespace satdof::faults {

enum class Fault { none, gl, memory, reset, cuda, cudaLost };

// What fails in this process.
extern Fault fault;

// Counts a call of the function `name`. Returns whether it is the one that fails.
bool fails(const char* name);

// Why CUDA cannot run here; empty if it can. Only in a build with CUDA.
std::string cudaProblem();

}  // namespace satdof::faults
