#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "cuda/runtime/check.h"

namespace satdof::cuda {

// Move-only owner of `size` elements of device memory. Uninitialised.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  // Throws std::runtime_error with the number of bytes if memory runs out.
  explicit DeviceArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    if (cudaMalloc(reinterpret_cast<void**>(&data_), bytes()) != cudaSuccess) {
      std::size_t free = 0, total = 0;
      (void)cudaGetLastError();
      SATDOF_CUDA(cudaMemGetInfo(&free, &total));
      throw std::runtime_error("cannot allocate " + std::to_string(bytes()) + " bytes of device memory (" +
                               std::to_string(free) + " are free): choose a smaller size");
    }
  }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace satdof::cuda
