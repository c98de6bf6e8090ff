#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <source_location>
#include <type_traits>

#include "cuda/runtime/check.h"

namespace satdof::cuda {

// A launch configuration: grid and block, bytes of dynamic shared memory, stream, and the call site for error
// messages.
struct LaunchShape {
  LaunchShape(dim3 gridSize, dim3 blockSize, std::size_t dynamicSharedBytes = 0, cudaStream_t onStream = nullptr,
              const std::source_location& callSite = std::source_location::current())
      : grid(gridSize), block(blockSize), sharedBytes(dynamicSharedBytes), stream(onStream), where(callSite) {}
  dim3 grid, block;
  std::size_t sharedBytes;
  cudaStream_t stream;
  std::source_location where;
};

// Enqueues a kernel. In the emulator's build it runs on the processor. Throws std::runtime_error if CUDA
// refuses the launch.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), const LaunchShape& shape, std::type_identity_t<Parameters>... arguments) {
#ifdef SATDOF_EMULATED
  emulator::enqueue({shape.grid, shape.block, shape.sharedBytes, reinterpret_cast<const void*>(kernel)}, shape.stream,
                    [=] { kernel(arguments...); });
#else
  kernel<<<shape.grid, shape.block, shape.sharedBytes, shape.stream>>>(arguments...);
#endif
  check(cudaGetLastError(), "kernel launch", shape.where.file_name(), static_cast<int>(shape.where.line()));
}

}  // namespace satdof::cuda
