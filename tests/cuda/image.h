#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <random>
#include <vector>

#include "cuda/runtime/array.h"
#include "cuda/runtime/check.h"

namespace satdof::cuda {

struct Half4 {
  __half c[4];
};

template <class T>
constexpr TexelFormat formatOf() = delete;
template <>
constexpr TexelFormat formatOf<Half4>() {
  return TexelFormat::rgba16f;
}
template <>
constexpr TexelFormat formatOf<float4>() {
  return TexelFormat::rgba32f;
}
template <>
constexpr TexelFormat formatOf<uint4>() {
  return TexelFormat::rgba32ui;
}
template <>
constexpr TexelFormat formatOf<float>() {
  return TexelFormat::r32f;
}

// A two-dimensional CUDA array of `T` texels.
template <class T>
class ArrayOf : public Array {
 public:
  ArrayOf(int width, int height) : Array(formatOf<T>(), width, height), width_(width), height_(height) {}

  void write(const void* texels) {
    SATDOF_CUDA(cudaMemcpy2DToArray(get(), 0, 0, texels, width_ * sizeof(T), width_ * sizeof(T), height_,
                                    cudaMemcpyHostToDevice));
  }
  void write(const std::vector<T>& texels) { write(texels.data()); }
  // Returns texels, or their channels.
  template <class Value = T>
  std::vector<Value> read() const {
    std::vector<Value> values(width_ * height_ * sizeof(T) / sizeof(Value));
    SATDOF_CUDA(cudaMemcpy2DFromArray(values.data(), width_ * sizeof(T), get(), 0, 0, width_ * sizeof(T), height_,
                                      cudaMemcpyDeviceToHost));
    return values;
  }
  void poison() { write(std::vector<unsigned char>(width_ * height_ * sizeof(T), 0xcd).data()); }

 private:
  std::size_t width_, height_;
};

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
