// The functions of the CUDA runtime as the program sees them: the linker sends each call of cudaX() to __wrap_cudaX().
#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

#include <cstring>
#include <type_traits>
#include <utility>

#include "cuda/runtime/device.h"
#include "tests/faults/faults.h"

// The list is written when the program is linked.
#if __has_include("cuda_calls.inc")

// A launch, as nvcc compiles it. Declared in headers for nvcc alone.
extern "C" cudaError_t __cudaLaunchKernel(  // NOLINT(bugprone-reserved-identifier)
    cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t sharedBytes, cudaStream_t stream);

namespace {

using satdof::faults::Fault, satdof::faults::fault, satdof::faults::fails;

cudaError_t lastError = cudaSuccess;  // of a call that failed here
bool lost = false;

// The error of this call; cudaSuccess if it takes place.
cudaError_t errorOf(const char* name) {
  if (fault != Fault::cuda && fault != Fault::cudaLost) return cudaSuccess;
  if (!lost && !fails(name)) return cudaSuccess;
  lost = fault == Fault::cudaLost;
  return lost ? cudaErrorIllegalAddress : cudaErrorMemoryAllocation;
}

template <class Name, class R, class... A>
struct Wrap {
  static R call(A... arguments) {
    if constexpr (std::is_same_v<R, cudaError_t>) {
      if (const cudaError_t error = errorOf(Name::text); error != cudaSuccess) return lastError = error;
      if (lastError != cudaSuccess && std::strcmp(Name::text, "cudaPeekAtLastError") == 0) return lastError;
      if (lastError != cudaSuccess && std::strcmp(Name::text, "cudaGetLastError") == 0)
        return std::exchange(lastError, cudaSuccess);
    }
    return Name::real(arguments...);
  }
};

template <class Name, class R, class... A>
R (*wrapped(R (*)(A...)))
(A...) {
  return Wrap<Name, R, A...>::call;
}

}  // namespace

std::string satdof::faults::cudaProblem() {
  const cuda::Device& device = cuda::device();
  return device.available ? std::string() : device.reason;
}

// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses)
#define X(function)                                                                                       \
  extern "C" decltype(function) __real_##function;                                                        \
  namespace {                                                                                             \
  struct Name_##function {                                                                                \
    static constexpr const char* text = #function;                                                        \
    static constexpr auto* real = __real_##function;                                                      \
  };                                                                                                      \
  }                                                                                                       \
  extern "C" decltype(&function) satdof_wrap_##function() { return wrapped<Name_##function>(&function); } \
  extern "C" decltype(function) __wrap_##function __attribute__((ifunc("satdof_wrap_" #function)));
#include "cuda_calls.inc"
#undef X
// NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses)

#endif
