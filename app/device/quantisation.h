#pragma once
#include "shaders/sat/quantisation.h"

namespace satdof {

using glsl::quantise;

}  // namespace satdof
