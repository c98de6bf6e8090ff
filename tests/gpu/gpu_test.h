#pragma once
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/check.h"
#include "cuda/device.h"
#include "cuda/device_array.h"

namespace satdof::cuda {

// Skips, with the reason, where there is no CUDA device.
template <class Base = testing::Test>
class GpuTest : public Base {
 protected:
  void SetUp() override {
    if (!device().available) GTEST_SKIP() << device().reason;
  }
};

// `size` elements of device memory, poisoned, with guards behind them.
template <class T>
class PoisonedArray {
 public:
  explicit PoisonedArray(size_t size) : size_(size), memory_(size + kGuard) {
    SATDOF_CUDA(cudaMemset(memory_.data(), kPoison, memory_.bytes()));
  }
  PoisonedArray(const std::vector<T>& values) : PoisonedArray(values.size()) {
    SATDOF_CUDA(cudaMemcpy(data(), values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  T* data() const { return memory_.data(); }
  // The elements; fails the test when a guard was touched.
  std::vector<T> read() const {
    std::vector<T> values(size_ + kGuard);
    SATDOF_CUDA(cudaMemcpy(values.data(), data(), memory_.bytes(), cudaMemcpyDeviceToHost));
    for (size_t i = size_; i < values.size(); ++i)
      EXPECT_TRUE(isPoison(values[i])) << "written " << i - size_ << " elements past the end";
    values.resize(size_);
    return values;
  }
  static bool isPoison(const T& value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (const unsigned char byte : bytes)
      if (byte != kPoison) return false;
    return true;
  }

 private:
  static constexpr size_t kGuard = 256;
  static constexpr unsigned char kPoison = 0xcd;
  size_t size_;
  DeviceArray<T> memory_;
};

// A name that GoogleTest accepts.
inline std::string testName(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

}  // namespace satdof::cuda
