#pragma once
#include <functional>
#include <memory>
#include <optional>

struct CUstream_st;

namespace satdof::cuda {

// The one stream of all frames. It synchronises with the legacy stream, but unlike the legacy stream it can
// be captured. Never destroyed. Throws std::runtime_error if it cannot be created.
CUstream_st* frameStream();

// The part of FrameGraph that does not depend on the type of the key.
class GraphRing {
 public:
  GraphRing();
  ~GraphRing();
  void run(bool changed, const std::function<void()>& enqueue, CUstream_st* stream);
  bool replaying() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Replays a frame's work as a CUDA graph while its key stays the same. `Key` is everything that the work
// depends on, except the contents of memory. The first frames after a change of the key are enqueued
// directly, so that a key that changes in every frame costs nothing. Then a ring of graphs is captured, one
// for each set of events of a StageTimer. If the driver cannot capture the work, or the environment variable
// SATDOF_GRAPH is "off", all frames are enqueued directly.
template <class Key>
class FrameGraph {
 public:
  // `enqueue` puts the frame's work on `stream`, with one build per StageTimer. From the second call with the
  // same key on, it must not allocate.
  template <class Enqueue>
  void run(const Key& key, CUstream_st* stream, Enqueue&& enqueue) {
    const bool changed = !(key_ == key);
    if (changed) key_ = key;
    ring_->run(changed, std::ref(enqueue), stream);
  }
  // Destroys all graphs. Call before freeing anything that they reference: arrays, builders and their events.
  // Waits for the device if there are graphs.
  void forget() {
    ring_ = std::make_unique<GraphRing>();
    key_.reset();
  }
  // Whether the last run launched a graph.
  bool replaying() const { return ring_->replaying(); }

 private:
  std::optional<Key> key_;
  std::unique_ptr<GraphRing> ring_ = std::make_unique<GraphRing>();
};

}  // namespace satdof::cuda
