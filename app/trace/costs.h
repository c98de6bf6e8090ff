#pragma once
#include <string>

#include "app/trace/trace.h"

namespace satdof::trace {

// Costs of a kernel, counted by the emulator.
struct Costs {
  std::string kernel;
  double bytesPerElement = 0;  // moved by its sectors of global memory
  double passes = 0;           // over memory; 1: reads and writes each element of 4 bytes once
  std::size_t launches = 0;
  double barriersPerBlock = 0;  // summed over the launches
  double passesPerAccess = 0;   // shared memory: turns of the banks; 1: no conflicts, 0: no accesses
};

inline constexpr unsigned kCostElements = 4096;  // counting a sort takes some tenths of a second
// Returns the costs for kCostElements elements. Throws what count() throws.
Costs costsOf(const std::string& kernel);

// Returns the kernel that a curve "cuda NAME" or "cuda NAME, stored" of the laboratory measures; null: none. `kernels`:
// lab::Experiment::kernels.
const Kernel* kernelOfCurve(const std::string& kernels, const std::string& curve);

}  // namespace satdof::trace
