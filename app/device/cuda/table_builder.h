#pragma once
#include <memory>

#include "app/device/device.h"

// The CUDA device. Where CUDA is not built, no_cuda.cpp answers in its place.
namespace satdof {

// Available with the device's name, or not with the reason.
Availability cudaAvailability();

// Builds tables of `technique.format` with `technique.scan`; needs a current context. Reaches the OpenGL
// textures through interop, or by copies where that is refused. Throws std::runtime_error when CUDA is not
// available.
std::unique_ptr<TableBuilder> makeCudaTableBuilder(const Technique& technique);

}  // namespace satdof
