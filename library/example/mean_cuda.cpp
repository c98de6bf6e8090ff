// Blurs an image in the memory of a CUDA device by a box filter, on a stream.
#include <cuda_runtime_api.h>
#include <satdof/cuda.h>

#include <cstdio>
#include <exception>
#include <vector>

int main() try {
  constexpr int kWidth = 640, kHeight = 480;
  std::vector<std::uint8_t> pixels(kWidth * kHeight);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) pixels[y * kWidth + x] = static_cast<std::uint8_t>(x ^ y);

  satdof::cuda::BoxFilterPlan plan(kWidth, kHeight, 1);
  cudaStream_t stream = nullptr;
  std::uint8_t *from = nullptr, *to = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&from), pixels.size());
  cudaMalloc(reinterpret_cast<void**>(&to), pixels.size());
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(from, pixels.data(), pixels.size(), cudaMemcpyHostToDevice, stream);
  plan.run(satdof::cpu::Image<const std::uint8_t>{from, kWidth, kHeight, 1, kWidth}, 20.5f,
           satdof::cpu::Image<std::uint8_t>{to, kWidth, kHeight, 1, kWidth}, stream);
  cudaMemcpyAsync(pixels.data(), to, pixels.size(), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::printf("%d\n", pixels[240 * kWidth + 320]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
