#pragma once
#include <utility>

struct cudaArray;

namespace satdof::cuda {

enum class TexelFormat { rgba16f, rgba32f, rgba32ui, r32f };
struct TexelLayout {
  int channels, bits;  // 1 or 4 channels, and the bits of each
  bool isFloat;
};
TexelLayout layoutOf(TexelFormat format);

// Move-only owner of a CUDA array of width x height texels for surface load and store. Uninitialised.
class Array {
 public:
  Array() = default;
  // Throws std::runtime_error if memory runs out.
  Array(TexelFormat format, int width, int height);
  Array(Array&& other) noexcept : array_(std::exchange(other.array_, nullptr)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(array_, other.array_);
    return *this;
  }
  ~Array();
  cudaArray* get() const { return array_; }

 private:
  cudaArray* array_ = nullptr;
};

}  // namespace satdof::cuda
