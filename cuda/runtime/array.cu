#include "cuda/runtime/array.h"

#include <stdexcept>

#include "cuda/runtime/check.h"

namespace satdof::cuda {

TexelLayout layoutOf(TexelFormat format) {
  switch (format) {
    case TexelFormat::rgba16f:
      return {4, 16, true};
    case TexelFormat::rgba32f:
      return {4, 32, true};
    case TexelFormat::rgba32ui:
      return {4, 32, false};
    case TexelFormat::r32f:
      return {1, 32, true};
  }
  throw std::runtime_error("unknown texel format");
}

Array::Array(TexelFormat format, int width, int height) {
  const auto [channels, bits, isFloat] = layoutOf(format);
  const int others = channels == 4 ? bits : 0;
  const cudaChannelFormatDesc description{bits, others, others, others,
                                          isFloat ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned};
  SATDOF_CUDA(cudaMallocArray(&array_, &description, static_cast<size_t>(width), static_cast<size_t>(height),
                              cudaArraySurfaceLoadStore));
}

Array::~Array() { cudaFreeArray(array_); }

}  // namespace satdof::cuda
