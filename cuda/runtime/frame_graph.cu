#include "cuda/runtime/frame_graph.h"

#include <array>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda/runtime/check.h"
#include "cuda/runtime/stage_timer.h"

namespace satdof::cuda {

namespace {

constexpr int kRunsBeforeCapture = 8;

bool graphsEnabled() {
  const char* const value = std::getenv("SATDOF_GRAPH");
  return value == nullptr || std::string_view(value) != "off";
}

// A graph of the ring. Each records its own set of timer events.
struct Slot {
  cudaGraphExec_t graph = nullptr;
  long version = -1;                // of the key at the time of the capture
  std::vector<StageTimer*> timers;  // whose events are in the graph
};

// Captures the work as a graph, and the timers in it. Null if the work cannot be captured.
cudaGraph_t capture(const std::function<void()>& enqueue, cudaStream_t stream, std::vector<StageTimer*>& timers) {
  timers.clear();
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess) return nullptr;
  StageTimer::capturing = &timers;
  bool captured = true;
  try {
    enqueue();
  } catch (const std::exception&) {
    captured = false;
  }
  StageTimer::capturing = nullptr;
  cudaGraph_t graph = nullptr;
  captured = cudaStreamEndCapture(stream, &graph) == cudaSuccess && captured;
  if (captured) return graph;
  if (graph != nullptr) cudaGraphDestroy(graph);
  cudaStreamCaptureStatus status;
  SATDOF_CUDA(cudaStreamIsCapturing(stream, &status));
  if (status != cudaStreamCaptureStatusNone) throw std::runtime_error("cannot end the capture of a CUDA graph");
  return nullptr;
}

// Makes `executable` run `graph`: by an update, or by instantiation if the topology changed. Returns false if
// both fail.
bool update(cudaGraphExec_t& executable, cudaGraph_t graph) {
  cudaGraphExecUpdateResultInfo result;
  if (executable != nullptr) {
    if (cudaGraphExecUpdate(executable, graph, &result) == cudaSuccess) return true;
    cudaGraphExecDestroy(std::exchange(executable, nullptr));
  }
  return cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess;
}

}  // namespace

struct FrameGraph::Impl {
  bool usable = graphsEnabled();
  bool replaying = false;
  long version = 0;
  int unchanged = 0;
  size_t runs = 0;
  std::array<Slot, StageTimer::kRing> slots;

  bool recapture(Slot& slot, const std::function<void()>& enqueue, cudaStream_t stream) {
    const cudaGraph_t graph = capture(enqueue, stream, slot.timers);
    const bool captured = graph != nullptr && update(slot.graph, graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    slot.version = version;
    return captured;
  }
};

FrameGraph::FrameGraph() : impl_(std::make_unique<Impl>()) {}

FrameGraph::~FrameGraph() {
  for (const Slot& slot : impl_->slots) {
    if (slot.graph == nullptr) continue;
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(slot.graph);
  }
}

bool FrameGraph::replaying() const { return impl_->replaying; }

void FrameGraph::run(bool changed, const std::function<void()>& enqueue, CUstream_st* stream) {
  Impl& ring = *impl_;
  ring.version += changed;
  ring.unchanged = changed ? 0 : ring.unchanged + 1;
  Slot& slot = ring.slots[ring.runs++ % ring.slots.size()];
  ring.replaying = ring.usable && ring.unchanged >= kRunsBeforeCapture;
  if (ring.replaying) {
    if (slot.version == ring.version)
      for (StageTimer* const timer : slot.timers) timer->replayed();
    else
      ring.replaying = ring.usable = ring.recapture(slot, enqueue, stream);
  }
  if (ring.replaying)
    SATDOF_CUDA(cudaGraphLaunch(slot.graph, stream));
  else
    enqueue();
}

CUstream_st* frameStream() {
  static cudaStream_t const stream = [] {
    cudaStream_t made = nullptr;
    SATDOF_CUDA(cudaStreamCreate(&made));
    return made;
  }();
  return stream;
}

}  // namespace satdof::cuda
