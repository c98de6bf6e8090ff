#pragma once
#include <functional>
#include <memory>

struct CUstream_st;

namespace satdof::cuda {

// The one stream of all frames. It synchronises with the legacy stream, but unlike the legacy stream it can
// be captured. Never destroyed. Throws std::runtime_error if it cannot be created.
CUstream_st* frameStream();

// Replays a frame's work as a CUDA graph while the work stays the same. The first frames after a change are enqueued
// directly, so that work that changes in every frame costs nothing. Then a ring of graphs is captured, one for each set
// of events of a StageTimer. If the driver cannot capture the work, or the environment variable SATDOF_GRAPH is "off",
// all frames are enqueued directly.
class FrameGraph {
 public:
  FrameGraph();
  // Waits for the device if there are graphs. Destroy before anything that they reference: arrays, builders and their
  // events.
  ~FrameGraph();
  // `enqueue` puts the frame's work on `stream`, with one build per StageTimer. `changed`: the work may differ from the
  // last run in more than the contents of memory. From the second unchanged run on, it must not allocate.
  void run(bool changed, const std::function<void()>& enqueue, CUstream_st* stream);
  // Whether the last run launched a graph.
  bool replaying() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace satdof::cuda
