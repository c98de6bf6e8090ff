#pragma once
#include "cuda/emulator/device.h"
#include "cuda/emulator/host.h"

// Surfaces: x in bytes, y in rows.
inline namespace satdof_emulator {

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

namespace surface {
// The address of the texel of `bytes` bytes at (x, y); null if it is outside. With `trap`
// (cudaBoundaryModeTrap), an access outside is a fault of the kernel.
void* at(cudaSurfaceObject_t surface, int x, int y, unsigned bytes, bool write, bool trap);
}  // namespace surface

template <class T>
T surf2Dread(cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  T value{};
  if (const void* const texel = surface::at(object, x, y, sizeof(T), false, mode == cudaBoundaryModeTrap))
    std::memcpy(static_cast<void*>(&value), texel, sizeof(T));
  return value;
}
template <class T>
void surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y,
                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  if (void* const texel = surface::at(object, x, y, sizeof(T), true, mode == cudaBoundaryModeTrap))
    std::memcpy(texel, static_cast<const void*>(&value), sizeof(T));
}

}  // namespace satdof_emulator
