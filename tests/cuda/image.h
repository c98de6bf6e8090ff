#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "cuda/runtime/check.h"
#include "cuda/sat/table_builder.h"

namespace satdof::cuda {

// A two-dimensional CUDA array of `T` texels for surface load and store.
template <class T>
class ArrayOf {
 public:
  ArrayOf(int width, int height, cudaChannelFormatDesc format) : width_(width), height_(height) {
    SATDOF_CUDA(cudaMallocArray(&array_, &format, width, height, cudaArraySurfaceLoadStore));
  }
  ArrayOf(const ArrayOf&) = delete;
  ArrayOf& operator=(const ArrayOf&) = delete;
  ~ArrayOf() { cudaFreeArray(array_); }

  cudaArray_t get() const { return array_; }
  void write(const std::vector<T>& texels) {
    SATDOF_CUDA(cudaMemcpy2DToArray(array_, 0, 0, texels.data(), width_ * sizeof(T), width_ * sizeof(T), height_,
                                    cudaMemcpyHostToDevice));
  }
  std::vector<T> read() const {
    std::vector<T> texels(std::size_t{1} * width_ * height_);
    SATDOF_CUDA(cudaMemcpy2DFromArray(texels.data(), width_ * sizeof(T), array_, 0, 0, width_ * sizeof(T), height_,
                                      cudaMemcpyDeviceToHost));
    return texels;
  }
  void poison() {
    std::vector<T> texels(std::size_t{1} * width_ * height_);
    std::memset(static_cast<void*>(texels.data()), 0xcd, texels.size() * sizeof(T));
    write(texels);
  }

 private:
  cudaArray_t array_ = nullptr;
  int width_, height_;
};

struct Half4 {
  __half c[4];
};

inline cudaChannelFormatDesc formatOf(ImageFormat format) {
  return format == ImageFormat::half4 ? cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat)
                                      : cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindUnsigned);
}
inline cudaChannelFormatDesc formatOf(ElementType type) {
  return cudaCreateChannelDesc(
      32, 32, 32, 32, type == ElementType::uint32 ? cudaChannelFormatKindUnsigned : cudaChannelFormatKindFloat);
}

// Half floats from -0.25 to 4: some are clamped at either end.
inline std::vector<Half4> randomHalves(std::size_t pixels, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-0.25f, 4.0f);
  std::vector<Half4> image(pixels);
  for (Half4& pixel : image)
    for (__half& c : pixel.c) c = __float2half(value(random));
  return image;
}

inline std::vector<uint4> randomIntegers(std::size_t pixels, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint4> image(pixels);
  for (uint4& pixel : image)
    for (unsigned* c : {&pixel.x, &pixel.y, &pixel.z, &pixel.w}) *c = static_cast<unsigned>(random());
  return image;
}

}  // namespace satdof::cuda
