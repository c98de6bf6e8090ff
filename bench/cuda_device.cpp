#include "bench/cuda_device.h"

#include <algorithm>
#include <map>
#include <memory>

#include "cuda/runtime/check.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_array.h"

namespace satdof::bench {

namespace {

// Times work on its own stream by CUDA events.
struct Stopwatch {
  Stopwatch() {
    SATDOF_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    SATDOF_CUDA(cudaEventCreate(&begin));
    SATDOF_CUDA(cudaEventCreate(&end));
  }
  // Microseconds of the work that `enqueue` puts on the stream.
  double timeUs(const Work& enqueue) const {
    SATDOF_CUDA(cudaEventRecord(begin, stream));
    enqueue(stream);
    SATDOF_CUDA(cudaEventRecord(end, stream));
    SATDOF_CUDA(cudaEventSynchronize(end));
    float timeMs = 0;
    SATDOF_CUDA(cudaEventElapsedTime(&timeMs, begin, end));
    return timeMs * 1e3;
  }
  cudaStream_t stream;
  cudaEvent_t begin, end;
};

Stopwatch& stopwatch() {
  static Stopwatch instance;
  return instance;
}

// Evicts everything from the L2 cache.
void flushCache(cudaStream_t stream) {
  static const cuda::DeviceArray<unsigned char> buffer = [] {
    int bytes = 0;
    SATDOF_CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0));
    return cuda::DeviceArray<unsigned char>(std::size_t{4} * bytes);
  }();
  SATDOF_CUDA(cudaMemsetAsync(buffer.data(), 0, buffer.bytes(), stream));
}

struct Graph {
  explicit Graph(cudaStream_t stream, const Work& work) {
    cudaGraph_t graph;
    SATDOF_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    work(stream);
    SATDOF_CUDA(cudaStreamEndCapture(stream, &graph));
    SATDOF_CUDA(cudaGraphInstantiate(&replay, graph, 0));
    SATDOF_CUDA(cudaGraphDestroy(graph));
  }
  Graph(const Graph&) = delete;
  ~Graph() { cudaGraphExecDestroy(replay); }
  cudaGraphExec_t replay;
};

// The number of samples in the time budget: 5 to 50.
std::size_t sampleCount(double sampleUs) {
  constexpr double kBudgetUs = 4e4;
  return static_cast<std::size_t>(std::clamp(kBudgetUs / sampleUs, 5.0, 50.0));
}

}  // namespace

Measurement timeOnDevice(const Work& work, Input input, bool capture) {
  Stopwatch& watch = stopwatch();
  work(watch.stream);
  const double onceUs = std::max(1.0, watch.timeUs(work));
  Measurement measurement;
  if (input == Input::cold) {
    for (std::size_t i = 0; i < sampleCount(onceUs + 100) + 1; ++i) {
      flushCache(watch.stream);
      measurement.samplesUs.push_back(watch.timeUs(work));
    }
    measurement.samplesUs.erase(measurement.samplesUs.begin());
    return measurement;
  }
  const int repeats = static_cast<int>(std::clamp(400 / onceUs, 1.0, 64.0));
  const Work repeated = [&](cudaStream_t stream) {
    for (int i = 0; i < repeats; ++i) work(stream);
  };
  std::unique_ptr<Graph> graph;
  if (capture) graph = std::make_unique<Graph>(watch.stream, repeated);
  const Work sample = [&](cudaStream_t stream) {
    if (graph != nullptr)
      SATDOF_CUDA(cudaGraphLaunch(graph->replay, stream));
    else
      repeated(stream);
  };
  for (int i = 0; i < 3; ++i) watch.timeUs(sample);
  for (std::size_t i = sampleCount(onceUs * repeats); i > 0; --i)
    measurement.samplesUs.push_back(watch.timeUs(sample) / repeats);
  return measurement;
}

DeviceFrame::DeviceFrame(Size extent)
    : size(extent),
      image(cuda::TexelFormat::rgba16f, size.width, size.height),
      table(cuda::TexelFormat::rgba32ui, size.width, size.height),
      transposedTable(cuda::TexelFormat::rgba32ui, size.height, size.width),
      rows(static_cast<std::size_t>(size.pixels())) {
  fillImage(image.get(), size);
}

DeviceFrame& deviceFrame(Size size) {
  static std::map<int, std::unique_ptr<DeviceFrame>> frames;
  auto& frame = frames[size.width];
  if (frame == nullptr) frame = std::make_unique<DeviceFrame>(size);
  return *frame;
}

namespace {

// The smallest median over `shapes` variants of a copy. Measured once per size and kept in `known`.
template <class Copy>
double leastUs(std::map<std::pair<int, Input>, double>& known, Size size, Input input, int shapes, const Copy& copy) {
  double& limit = known[{size.width, input}];
  if (limit != 0) return limit;
  for (int shape = 0; shape < shapes; ++shape) {
    const double timeUs = timeOnDevice([&](cudaStream_t stream) { copy(shape, stream); }, input).medianUs();
    limit = shape == 0 ? timeUs : std::min(limit, timeUs);
  }
  return limit;
}

}  // namespace

double tableLimitUs(Size size, Input input) {
  static std::map<std::pair<int, Input>, double> known;
  const DeviceFrame& frame = deviceFrame(size);
  return leastUs(known, size, input, kCopyShapes, [&](int shape, cudaStream_t stream) {
    enqueueTableCopy(shape, frame.image.get(), frame.table.get(), size, stream);
  });
}

double memoryTableLimitUs(Size size, Input input) {
  static std::map<std::pair<int, Input>, double> known;
  const DeviceFrame& frame = deviceFrame(size);
  return leastUs(known, size, input, kMemoryCopyShapes, [&](int shape, cudaStream_t stream) {
    enqueueMemoryCopy(shape, frame.image.get(), frame.rows.data(), size, stream);
  });
}

double copyLimitUs(std::size_t bytes, Input input) {
  static std::map<std::pair<std::size_t, Input>, double> known;
  double& limit = known[{bytes, input}];
  if (limit != 0) return limit;
  const cuda::DeviceArray<unsigned char> in(bytes), out(bytes);
  SATDOF_CUDA(cudaMemset(in.data(), 1, bytes));
  const auto kernel = [&](cudaStream_t stream) { enqueueCopy(in.data(), out.data(), bytes, stream); };
  const auto memcpy = [&](cudaStream_t stream) {
    SATDOF_CUDA(cudaMemcpyAsync(out.data(), in.data(), bytes, cudaMemcpyDeviceToDevice, stream));
  };
  return limit = std::min(timeOnDevice(kernel, input).medianUs(), timeOnDevice(memcpy, input).medianUs());
}

void addCudaRows() {
  if (!cuda::device().available) {
    benchmark::AddCustomContext("CUDA", "absent: " + cuda::device().reason);
    return;
  }
  int driver = 0, runtime = 0;
  SATDOF_CUDA(cudaDriverGetVersion(&driver));
  SATDOF_CUDA(cudaRuntimeGetVersion(&runtime));
  benchmark::AddCustomContext("gpu", cuda::device().name);
  benchmark::AddCustomContext("CUDA driver, runtime", std::to_string(driver) + ", " + std::to_string(runtime));
  addDeviceTables();
  addDeviceLenses();
  addNppTables();
  addDeviceScans();
  addDeviceBandwidth();
  addDeviceCompactions();
  addDeviceSorts();
  addDeviceGravity();
}

}  // namespace satdof::bench
