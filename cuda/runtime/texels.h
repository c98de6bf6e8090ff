#pragma once
#include <cstdint>

struct cudaArray;

namespace satdof::cuda {

// Four 32-bit channels: an element of a table, or a pixel in fixed point.
struct alignas(16) Texel {
  std::uint32_t c[4];
};

// An image on the host side: in a CUDA array for surface load and store, or row by row in device memory,
// without gaps.
struct Texels {
  Texels(cudaArray* inArray) : array(inArray) {}
  Texels(Texel* inMemory) : rows(inMemory) {}
  cudaArray* array = nullptr;
  Texel* rows = nullptr;
};

// The same image as a kernel parameter: the surface object of the array, or device memory.
struct TexelHandle {
  TexelHandle(unsigned long long ofArray) : surface(ofArray) {}
  TexelHandle(Texel* inMemory) : rows(inMemory) {}
  unsigned long long surface = 0;
  Texel* rows = nullptr;
};

}  // namespace satdof::cuda
