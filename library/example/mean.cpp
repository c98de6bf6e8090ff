// The mean of any rectangle of an image by four look-ups in its summed-area table.
#include <satdof/cpu.h>

#include <cstdio>
#include <vector>

int main() {
  constexpr int kWidth = 640, kHeight = 480;
  std::vector<std::uint8_t> pixels(kWidth * kHeight);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) pixels[y * kWidth + x] = static_cast<std::uint8_t>(x ^ y);
  std::vector<std::uint32_t> sums((kWidth + 1) * (kHeight + 1));
  const satdof::cpu::Image<const std::uint8_t> image{pixels.data(), kWidth, kHeight, 1, kWidth};
  const satdof::cpu::Image<std::uint32_t> table{sums.data(), kWidth + 1, kHeight + 1, 1, kWidth + 1};
  satdof::cpu::integralImage(image, table, satdof::cpu::Sums::exclusive);

  const int x0 = 100, x1 = 356, y0 = 64, y1 = 320;
  const std::uint32_t sum = table.row(y1)[x1] - table.row(y0)[x1] - table.row(y1)[x0] + table.row(y0)[x0];
  std::printf("mean %.3f\n", sum / static_cast<double>((x1 - x0) * (y1 - y0)));
}
