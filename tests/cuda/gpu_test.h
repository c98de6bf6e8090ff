#pragma once
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/runtime/check.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_array.h"
#ifdef SATDOF_EMULATED
#include "cuda/emulator/watch.h"
#endif

namespace satdof::cuda {

// Skips with the reason if there is no CUDA device.
template <class Base = testing::Test>
class GpuTest : public Base {
 protected:
  void SetUp() override {
    if (!device().available) GTEST_SKIP() << device().reason;
  }
};

// `size` elements of device memory, poisoned, with guard elements behind them.
template <class T>
class PoisonedArray {
 public:
  explicit PoisonedArray(std::size_t size) : size_(size), memory_(size + kGuard) {
    SATDOF_CUDA(cudaMemset(memory_.data(), kPoison, memory_.bytes()));
  }
  PoisonedArray(const std::vector<T>& values) : PoisonedArray(values.size()) {
    SATDOF_CUDA(cudaMemcpy(data(), values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    SATDOF_CUDA(cudaStreamSynchronize(nullptr));  // in memory before work on any stream
  }
  T* data() const { return memory_.data(); }
  // The elements. Fails the test if a guard was written.
  std::vector<T> read() const {
    std::vector<T> values(size_ + kGuard);
    SATDOF_CUDA(cudaMemcpy(values.data(), data(), memory_.bytes(), cudaMemcpyDeviceToHost));
    for (std::size_t i = size_; i < values.size(); ++i)
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
  static constexpr std::size_t kGuard = 256;
  static constexpr unsigned char kPoison = 0xcd;
  std::size_t size_;
  DeviceArray<T> memory_;
};

// Whether `elements` is within $SATDOF_TEST_ELEMENTS, the limit for slow runs under compute-sanitizer.
inline bool affordable(std::size_t elements) {
  static const char* const bound = std::getenv("SATDOF_TEST_ELEMENTS");
  return bound == nullptr || elements <= std::strtoull(bound, nullptr, 10);
}

// The entries of `sizes` that are affordable: numbers of elements, or widths and heights.
template <class Size>
std::vector<Size> affordable(const std::vector<Size>& sizes) {
  std::vector<Size> chosen;
  for (const Size& size : sizes) {
    if constexpr (requires { size.width* size.height; }) {
      if (affordable(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height)))
        chosen.push_back(size);
    } else {
      if (affordable(size)) chosen.push_back(size);
    }
  }
  return chosen;
}
template <class Size, std::size_t kCount>
std::vector<Size> affordable(const Size (&sizes)[kCount]) {
  return affordable(std::vector<Size>(sizes, sizes + kCount));
}

// Turns the emulator's access checks off while it lives. For kernels that other runs check: launches are ordered, so
// hazards occur within kernels only.
class Unchecked {
 public:
#ifdef SATDOF_EMULATED
  Unchecked() { emulator::check(false); }
  ~Unchecked() { emulator::check(before_); }
  Unchecked(const Unchecked&) = delete;

 private:
  bool before_ = emulator::checking();
#else
  Unchecked() {}  // NOLINT(modernize-use-equals-default): a variable of it counts as used
#endif
};

// The entries of a table of variants that run here: the emulator has no CUB.
template <class Table>
auto runnable(const Table& table) {
  std::vector<typename Table::value_type> entries(table.begin(), table.end());
#ifdef SATDOF_EMULATED
  std::erase_if(entries, [](const auto& entry) { return std::string(entry.name) == "cub"; });
#endif
  return entries;
}

// `name` with the characters that GoogleTest does not accept replaced.
inline std::string testName(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

}  // namespace satdof::cuda
