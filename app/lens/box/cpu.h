#pragma once
#include <memory>

#include "app/lens/cpu.h"

namespace satdof {

// The box lens in main memory: shaders/lens/box/box.glsl.
std::unique_ptr<CpuBlur> makeCpuBoxBlur(const Technique& technique, const BlurRule& rule);

}  // namespace satdof
