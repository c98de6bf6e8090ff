// Refocuses an image in the memory of a CUDA device from near to far. The depth is prepared once, on the
// processor.
#include <cuda_runtime_api.h>
#include <satdof/lens_cuda.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

struct Free {
  void operator()(void* memory) const { cudaFree(memory); }
};

template <class T>
std::unique_ptr<T, Free> deviceMemory(std::size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)));
  return std::unique_ptr<T, Free>(static_cast<T*>(memory));
}

}  // namespace

int main() try {
  constexpr int kWidth = 640, kHeight = 480, kRow = 3 * kWidth;
  std::vector<std::uint8_t> pixels(kRow * kHeight);
  std::vector<float> metres(kWidth * kHeight), depth(kWidth * kHeight);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      for (int c = 0; c < 3; ++c) pixels[y * kRow + 3 * x + c] = static_cast<std::uint8_t>(x ^ y);
      metres[y * kWidth + x] = x < kWidth / 2 ? 1.0f : 5.0f;
    }
  const std::vector<satdof::lens::Option> options{{"f-number", 1.4}};
  const auto range = satdof::lens::prepareDepth<std::uint8_t, float>(
      {pixels.data(), kWidth, kHeight, 3, kRow}, {metres.data(), kWidth, kHeight, 1, kWidth}, options,
      {depth.data(), kWidth, kHeight, 1, kWidth});

  satdof::cuda::LensPlan plan(kWidth, kHeight);
  const auto from = deviceMemory<std::uint8_t>(pixels.size()), to = deviceMemory<std::uint8_t>(pixels.size());
  const auto depths = deviceMemory<float>(depth.size());
  check(cudaMemcpy(from.get(), pixels.data(), pixels.size(), cudaMemcpyHostToDevice));
  check(cudaMemcpy(depths.get(), depth.data(), depth.size() * sizeof(float), cudaMemcpyHostToDevice));
  for (const double focus : {1.0, 2.0, 5.0}) {
    auto now = options;
    now.push_back({"focus", focus});
    plan.set(range, now);
    plan.run(satdof::cpu::Image<const std::uint8_t>{from.get(), kWidth, kHeight, 3, kRow},
             {depths.get(), kWidth, kHeight, 1, kWidth},
             satdof::cpu::Image<std::uint8_t>{to.get(), kWidth, kHeight, 3, kRow}, nullptr);
    check(cudaMemcpy(pixels.data(), to.get(), pixels.size(), cudaMemcpyDeviceToHost));
    std::printf("focus %g m: %d\n", focus, pixels[240 * kRow + 3 * 100]);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
