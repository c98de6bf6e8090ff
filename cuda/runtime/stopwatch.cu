#include <algorithm>
#include <chrono>
#include <utility>

#include "cuda/runtime/check.h"
#include "cuda/runtime/stopwatch.h"

namespace satdof::cuda {

namespace {

constexpr double kMinUs = 200;  // aim of one sample, which repeats the call
constexpr double kMaxRepeats = 64;

double wallUs() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

void copyIn(const HostCopy& copy, cudaStream_t stream) {
  if (copy.array != nullptr)
    SATDOF_CUDA(cudaMemcpy2DToArrayAsync(copy.array, 0, 0, copy.host, copy.widthBytes, copy.widthBytes, copy.height,
                                         cudaMemcpyHostToDevice, stream));
  else
    SATDOF_CUDA(cudaMemcpyAsync(copy.device, copy.host, copy.bytes, cudaMemcpyHostToDevice, stream));
}

void copyOut(const HostCopy& copy, cudaStream_t stream) {
  if (copy.array != nullptr)
    SATDOF_CUDA(cudaMemcpy2DFromArrayAsync(copy.host, copy.widthBytes, copy.array, 0, 0, copy.widthBytes, copy.height,
                                           cudaMemcpyDeviceToHost, stream));
  else
    SATDOF_CUDA(cudaMemcpyAsync(copy.host, copy.device, copy.bytes, cudaMemcpyDeviceToHost, stream));
}

}  // namespace

struct Stopwatch::Impl {
  Impl(Work w, Copies c) : work(std::move(w)), copies(std::move(c)) {
    SATDOF_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    SATDOF_CUDA(cudaEventCreate(&begin));
    SATDOF_CUDA(cudaEventCreate(&end));
  }
  ~Impl() {
    // The caller frees everything that `work` uses after this.
    cudaStreamSynchronize(stream);
    if (replay != nullptr) cudaGraphExecDestroy(replay);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaStreamDestroy(stream);
  }

  void capture() {
    cudaGraph_t graph = nullptr;
    SATDOF_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    repeat();
    SATDOF_CUDA(cudaStreamEndCapture(stream, &graph));
    SATDOF_CUDA(cudaGraphInstantiate(&replay, graph, 0));
    SATDOF_CUDA(cudaGraphDestroy(graph));
  }

  void repeat() {
    for (int i = 0; i < repeats; ++i) work(stream);
  }

  // Microseconds of one sample: all repeats.
  double timeUs() {
    SATDOF_CUDA(cudaEventRecord(begin, stream));
    if (replay != nullptr)
      SATDOF_CUDA(cudaGraphLaunch(replay, stream));
    else
      repeat();
    SATDOF_CUDA(cudaEventRecord(end, stream));
    SATDOF_CUDA(cudaEventSynchronize(end));
    float timeMs = 0;
    SATDOF_CUDA(cudaEventElapsedTime(&timeMs, begin, end));
    return timeMs * 1e3;
  }

  Work work;
  Copies copies;
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  cudaGraphExec_t replay = nullptr;
  int repeats = 1;
};

Stopwatch::Stopwatch(Work work, Copies copies, bool capturable)
    : impl_(std::make_unique<Impl>(std::move(work), std::move(copies))) {
  for (const HostCopy& copy : impl_->copies.in) copyIn(copy, impl_->stream);
  impl_->timeUs();
  const double onceUs = std::max(1.0, impl_->timeUs());
  impl_->repeats = static_cast<int>(std::clamp(kMinUs / onceUs, 1.0, kMaxRepeats));
  if (capturable) impl_->capture();
}

Stopwatch::~Stopwatch() = default;

double Stopwatch::deviceUs() { return impl_->timeUs() / impl_->repeats; }

double Stopwatch::endToEndUs() {
  SATDOF_CUDA(cudaStreamSynchronize(impl_->stream));
  const double startUs = wallUs();
  for (const HostCopy& copy : impl_->copies.in) copyIn(copy, impl_->stream);
  impl_->work(impl_->stream);
  for (const HostCopy& copy : impl_->copies.out) copyOut(copy, impl_->stream);
  SATDOF_CUDA(cudaStreamSynchronize(impl_->stream));
  return wallUs() - startUs;
}

Versions versions() {
  Versions found;
  SATDOF_CUDA(cudaDriverGetVersion(&found.driver));
  SATDOF_CUDA(cudaRuntimeGetVersion(&found.runtime));
  return found;
}

}  // namespace satdof::cuda
