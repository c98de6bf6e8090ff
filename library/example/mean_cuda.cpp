// Blurs an image in the memory of a CUDA device by a box filter, on a stream.
#include <cuda_runtime_api.h>
#include <satdof/cuda.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

struct Release {
  void operator()(void* memory) const { cudaFree(memory); }
  void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
};

std::unique_ptr<std::uint8_t, Release> deviceMemory(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes));
  return std::unique_ptr<std::uint8_t, Release>(static_cast<std::uint8_t*>(memory));
}

std::unique_ptr<CUstream_st, Release> makeStream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  return std::unique_ptr<CUstream_st, Release>(stream);
}

}  // namespace

int main() try {
  constexpr int kWidth = 640, kHeight = 480;
  std::vector<std::uint8_t> pixels(kWidth * kHeight);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) pixels[y * kWidth + x] = static_cast<std::uint8_t>(x ^ y);

  satdof::cuda::BoxFilterPlan plan(kWidth, kHeight, 1);
  const auto from = deviceMemory(pixels.size()), to = deviceMemory(pixels.size());
  const auto stream = makeStream();
  check(cudaMemcpyAsync(from.get(), pixels.data(), pixels.size(), cudaMemcpyHostToDevice, stream.get()));
  plan.run(satdof::cpu::Image<const std::uint8_t>{from.get(), kWidth, kHeight, 1, kWidth}, 20.5f,
           satdof::cpu::Image<std::uint8_t>{to.get(), kWidth, kHeight, 1, kWidth}, stream.get());
  check(cudaMemcpyAsync(pixels.data(), to.get(), pixels.size(), cudaMemcpyDeviceToHost, stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  std::printf("%d\n", pixels[240 * kWidth + 320]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
