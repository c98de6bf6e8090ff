#pragma once
#include <string>

#include "app/trace/trace.h"

namespace satdof::trace {

// What a kernel costs beside its time.
struct Costs {
  std::string kernel;
  double bytesPerElement = 0;  // that its sectors of global memory move
  double passes = 0;           // over memory: 1 reads and writes each element of 4 bytes once
  std::size_t launches = 0;
  double barriersPerBlock = 0;  // of all launches
  double passesPerAccess = 0;   // of the banks of shared memory; 1: no conflict, 0: no access
};

inline constexpr unsigned kCostElements = 4096;  // a sort takes some tenths of a second
// Counts at kCostElements. Throws what count() throws.
Costs costsOf(const std::string& kernel);

// The kernel that a curve "cuda NAME" or "cuda NAME, stored" of the laboratory measures, by lab::Experiment::kernels;
// null: none.
const Kernel* kernelOfCurve(const std::string& kernels, const std::string& curve);

}  // namespace satdof::trace
