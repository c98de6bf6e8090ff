#include <cstdint>

#include "app/filter/cpu_convolve.h"
#include "bench/bench.h"

namespace satdof::bench {

namespace {

constexpr int kMaskSides[] = {3, 9, 63};
constexpr Size kImageSize{1920, 1080};

// `texels` x `rows` texels of `channels` elements by one or two masks of ones.
template <class T>
Result convolve(bool parallel, ArraySize size, int channels, const std::vector<MaskPassOf<T>>& passes) {
  ThreadPool pool(hardwareThreads());
  const auto count =
      static_cast<size_t>(size.x) * static_cast<size_t>(size.y) * static_cast<size_t>(channels);
  std::vector<T> in(count, T{1}), between(count), out(count);
  const auto run = [&](const T* from, T* to, const MaskPassOf<T>& mask) {
    if (parallel)
      convolveParallel(pool, size, channels, from, to, mask);
    else
      convolveSequential(size, channels, from, to, mask);
  };
  const Measurement time = timeOnCpu([&] {
    run(in.data(), passes.size() == 2 ? between.data() : out.data(), passes[0]);
    if (passes.size() == 2) run(between.data(), out.data(), passes[1]);
  });
  return {time, 2.0 * sizeof(T) * static_cast<double>(count)};
}

template <class T>
MaskPassOf<T> ones(int width, int height) {
  return {width, height, std::vector<T>(static_cast<size_t>(width * height), T{1})};
}

}  // namespace

void addCpuConvolutions() {
  for (const bool parallel : {false, true}) {
    const std::string name = parallel ? "cpu" : "cpu-sequential";
    for (const int count : {1'000, 10'000, 100'000, 1'000'000})
      for (const int side : kMaskSides)
        addRow(path({"convolve", "1d", name, "int32", std::to_string(count), std::to_string(side)}), [=] {
          return convolve<std::int32_t>(parallel, {count, 1}, 1, {ones<std::int32_t>(side, 1)});
        });
    for (const int side : kMaskSides) {
      const ArraySize size{kImageSize.width, kImageSize.height};
      const auto row = [&](const std::string& form) {
        return path({"convolve", "2d", form + "-" + name, nameOf(kImageSize), std::to_string(side)});
      };
      addRow(row("separable"), [=] {
        return convolve<float>(parallel, size, 4, {ones<float>(side, 1), ones<float>(1, side)});
      });
      if (side < 63)  // takes seconds
        addRow(row("direct"), [=] { return convolve<float>(parallel, size, 4, {ones<float>(side, side)}); });
    }
  }
}

}  // namespace satdof::bench
