#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include "app/sat/cpu_table.h"
#include "bench/bench.h"

namespace satdof::bench {

namespace {

// Random half floats in [0, 1), and room for their table.
struct CpuFrame {
  explicit CpuFrame(Size size) : extent(size.width, size.height) {
    std::mt19937 random(1);
    picture.resize(size_t{4} * size.width * size.height);
    for (uint16_t& half : picture) half = static_cast<uint16_t>(random() % 0x3c00);
    table.resize(picture.size());
  }
  glm::ivec2 extent;
  std::vector<uint16_t> picture;
  std::vector<uint32_t> table;
};

CpuFrame& frameOf(Size size) {
  static std::unique_ptr<CpuFrame> frame;
  const glm::ivec2 extent(size.width, size.height);
  if (frame == nullptr || frame->extent != extent) frame = std::make_unique<CpuFrame>(size);
  return *frame;
}

double bytesOf(Size size) { return size.pixels() * (8 + 16); }

// Reads every pixel and writes four times its 32 bits, rows shared out evenly.
double copyLimitUs(Size size, int threads) {
  CpuFrame& frame = frameOf(size);
  ThreadPool pool(threads);
  const Measurement time = timeOnCpu([&] {
    pool.forEach(threads, [&](int strip) {
      const size_t pixels = frame.picture.size() / 4;
      const size_t end = pixels * static_cast<size_t>(strip + 1) / static_cast<size_t>(threads);
      for (size_t i = pixels * static_cast<size_t>(strip) / static_cast<size_t>(threads); i < end; ++i) {
        uint32_t words[2];
        std::memcpy(words, &frame.picture[4 * i], sizeof words);
        const uint32_t texel[4] = {words[0], words[1], words[1], words[0]};
        std::memcpy(&frame.table[4 * i], texel, sizeof texel);
      }
    });
  });
  return time.medianUs();
}

Result sequential(Size size, SatFormat format) {
  CpuFrame& frame = frameOf(size);
  const CpuPicture picture{frame.picture.data(), frame.extent};
  const Measurement time = timeOnCpu([&] {
    sumTable(picture, {format, 256.0f, 1.0f, glm::vec4(0.5f)}, frame.table.data());
  });
  return {time, bytesOf(size), copyLimitUs(size, 1)};
}

Result threaded(Size size, SatFormat format, int threads) {
  CpuFrame& frame = frameOf(size);
  const CpuPicture picture{frame.picture.data(), frame.extent};
  CpuTableBuilder builder(threads);
  builder.resize(frame.extent);
  const Measurement time = timeOnCpu([&] {
    builder.build(picture, {format, 256.0f, 1.0f, glm::vec4(0.5f)}, frame.table.data());
  });
  return {time, bytesOf(size), copyLimitUs(size, threads)};
}

}  // namespace

void addCpuTables() {
  const int most = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Size> sizes{{64, 64}};
  sizes.insert(sizes.end(), std::begin(kSizes), std::end(kSizes));
  for (const Size size : sizes)
    for (const SatFormat format : {SatFormat::uint32, SatFormat::float32}) {
      addRow(path({"table", "cpu-sequential", name(format), nameOf(size)}),
             [=] { return sequential(size, format); });
      for (const int threads : most > 1 ? std::vector{1, most} : std::vector{1})
        addRow(path({"table", "cpu", name(format), nameOf(size), "threads:" + std::to_string(threads)}),
               [=] { return threaded(size, format, threads); });
    }
}

}  // namespace satdof::bench
