#include "cuda/runtime/array.h"

#include <stdexcept>

#include "cuda/runtime/check.h"

namespace satdof::cuda {

namespace {

cudaChannelFormatDesc channelsOf(TexelFormat format) {
  switch (format) {
    case TexelFormat::rgba16f:
      return {16, 16, 16, 16, cudaChannelFormatKindFloat};
    case TexelFormat::rgba32f:
      return {32, 32, 32, 32, cudaChannelFormatKindFloat};
    case TexelFormat::rgba32ui:
      return {32, 32, 32, 32, cudaChannelFormatKindUnsigned};
    case TexelFormat::r32f:
      return {32, 0, 0, 0, cudaChannelFormatKindFloat};
  }
  throw std::runtime_error("cannot make a CUDA array: unknown texel format");
}

}  // namespace

Array::Array(TexelFormat format, int width, int height) {
  const cudaChannelFormatDesc channels = channelsOf(format);
  SATDOF_CUDA(cudaMallocArray(&array_, &channels, static_cast<size_t>(width), static_cast<size_t>(height),
                              cudaArraySurfaceLoadStore));
}

Array::~Array() { cudaFreeArray(array_); }

}  // namespace satdof::cuda
