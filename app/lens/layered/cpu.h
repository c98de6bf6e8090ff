#pragma once
#include <memory>

#include "app/lens/cpu.h"

namespace satdof {

// The layered lens in main memory.
std::unique_ptr<CpuBlur> makeCpuLayeredBlur(const Technique& technique);

}  // namespace satdof
