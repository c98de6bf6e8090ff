#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <source_location>
#include <type_traits>

#include "cuda/runtime/check.h"

namespace satdof::cuda {

// Where and how a kernel runs.
struct LaunchShape {
  LaunchShape(dim3 ofGrid, dim3 ofBlock, std::size_t bytes = 0, cudaStream_t on = nullptr,
              const std::source_location& at = std::source_location::current())
      : grid(ofGrid), block(ofBlock), sharedBytes(bytes), stream(on), where(at) {}
  dim3 grid, block;
  std::size_t sharedBytes;
  cudaStream_t stream;
  std::source_location where;
};

// Enqueues a kernel on a GPU, or on the processor where the emulator compiles this file. Throws std::runtime_error if
// CUDA refuses the launch.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), const LaunchShape& shape,
            std::type_identity_t<Parameters>... arguments) {
#ifdef SATDOF_EMULATED
  emulator::enqueue({shape.grid, shape.block, shape.sharedBytes, reinterpret_cast<const void*>(kernel)},
                    shape.stream, [=] { kernel(arguments...); });
#else
  kernel<<<shape.grid, shape.block, shape.sharedBytes, shape.stream>>>(arguments...);
#endif
  check(cudaGetLastError(), "kernel launch", shape.where.file_name(), static_cast<int>(shape.where.line()));
}

}  // namespace satdof::cuda
