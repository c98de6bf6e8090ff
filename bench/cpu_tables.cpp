#include <cstring>
#include <new>
#include <random>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "app/core/system/thread_pool.h"
#include "app/device/cpu/cpu_table.h"
#include "bench/bench.h"

namespace satdof::bench {

namespace {

template <class T>
struct LineAligned {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, kLine); }
  bool operator==(const LineAligned&) const = default;
};

// An image of random half floats in [0, 1), and memory for its table.
struct CpuFrame {
  explicit CpuFrame(Size size) : extent(size.width, size.height) {
    std::mt19937 random(1);
    image.resize(std::size_t{4} * size.width * size.height);
    for (uint16_t& half : image) half = static_cast<uint16_t>(random() % 0x3c00);
    table.resize(image.size());
  }
  glm::ivec2 extent;
  std::vector<uint16_t, LineAligned<uint16_t>> image;
  std::vector<uint32_t, LineAligned<uint32_t>> table;
};

CpuFrame& frameOf(Size size) {
  static std::unique_ptr<CpuFrame> frame;
  const glm::ivec2 extent(size.width, size.height);
  if (frame == nullptr || frame->extent != extent) frame = std::make_unique<CpuFrame>(size);
  return *frame;
}

double bytesOf(Size size) { return size.pixels() * (8 + 16); }

// The memory traffic of a table: reads `pixels` pixels of 8 bytes and writes 16 bytes for each.
void copyCached(const uint16_t* from, uint32_t* to, std::size_t pixels) {
  for (std::size_t i = 0; i < pixels; ++i) {
    std::memcpy(to + 4 * i, from + 4 * i, 8);
    std::memcpy(to + 4 * i + 2, from + 4 * i, 8);
  }
}
#ifdef __SSE2__
// The same, with stores that bypass the caches.
void copyStreamed(const uint16_t* from, uint32_t* to, std::size_t pixels) {
  for (std::size_t i = 0; i < pixels; ++i)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + 4 * i),
                     _mm_castpd_si128(_mm_load1_pd(reinterpret_cast<const double*>(from + 4 * i))));
  _mm_sfence();
}
#endif

// The faster of the two copies, with the pixels divided among the threads.
Measurement copyLimit(Size size, int threads) {
  CpuFrame& frame = frameOf(size);
  ThreadPool pool(threads);
  const auto time = [&](void (*copy)(const uint16_t*, uint32_t*, std::size_t)) {
    return timeOnCpu([&] {
      pool.forEach(threads, [&](int part) {
        const std::size_t pixels = frame.image.size() / 4, parts = static_cast<std::size_t>(threads);
        const std::size_t first = pixels * static_cast<std::size_t>(part) / parts;
        const std::size_t last = pixels * static_cast<std::size_t>(part + 1) / parts;
        copy(&frame.image[4 * first], &frame.table[4 * first], last - first);
      });
    });
  };
  Measurement cached = time(copyCached);
#ifdef __SSE2__
  Measurement streamed = time(copyStreamed);
  if (streamed.medianUs() < cached.medianUs()) return streamed;
#endif
  return cached;
}

Result sequential(Size size, TableFormat format) {
  CpuFrame& frame = frameOf(size);
  const CpuImage image{frame.image.data(), frame.extent};
  const Measurement time = timeOnCpu([&] {
    sumTable(image, {format, 256.0f, 1.0f, glm::vec4(0.5f)}, frame.table.data());
  });
  return {time, bytesOf(size), copyLimit(size, 1).medianUs()};
}

Result threaded(Size size, TableFormat format, int threads) {
  CpuFrame& frame = frameOf(size);
  const CpuImage image{frame.image.data(), frame.extent};
  CpuTableBuilder builder(threads);
  builder.resize(frame.extent);
  const Measurement time = timeOnCpu([&] {
    builder.build(image, {format, 256.0f, 1.0f, glm::vec4(0.5f)}, frame.table.data());
  });
  return {time, bytesOf(size), copyLimit(size, threads).medianUs()};
}

}  // namespace

void addCpuTables() {
  const int most = hardwareThreads();
  std::vector<Size> sizes{{64, 64}};
  sizes.insert(sizes.end(), std::begin(kCpuSizes), std::end(kCpuSizes));
  const std::vector<int> threadCounts = most > 1 ? std::vector{1, most} : std::vector{1};
  for (const Size size : sizes) {
    for (const int threads : threadCounts)
      addRow(path({"limit", "cpu-copy", nameOf(size), "threads:" + std::to_string(threads)}), [=] {
        return Result{copyLimit(size, threads), bytesOf(size)};
      });
    for (const TableFormat format : {TableFormat::uint32, TableFormat::float32}) {
      addRow(path({"table", "cpu-sequential", name(format), nameOf(size)}), [=] { return sequential(size, format); });
      for (const int threads : threadCounts)
        addRow(path({"table", "cpu", name(format), nameOf(size), "threads:" + std::to_string(threads)}),
               [=] { return threaded(size, format, threads); });
    }
  }
}

}  // namespace satdof::bench
