#pragma once
#include <functional>
#include <memory>
#include <optional>

struct CUstream_st;

namespace satdof::cuda {

// The stream of the program's frames: one, so that their work stays in order. In order with the legacy stream
// too, but unlike that one it can be captured. Lives as long as the program. Throws std::runtime_error when
// it cannot be made.
CUstream_st* frameStream();

// What FrameGraph does, for keys of any type: says only whether the key has changed.
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

// A frame's work as a graph that is launched again while `Key`, all that the work depends on besides the
// contents of memory, stays the same. Work is enqueued directly for the first frames after a change, which is
// no slower than without a graph when every frame brings one; then each of a ring of graphs, one for each of
// a StageTimer's sets of events, is captured and updated, or instantiated anew where its shape changed. Where
// the driver refuses to capture, or the environment says SATDOF_GRAPH=off, work is always enqueued directly.
template <class Key>
class FrameGraph {
 public:
  // `enqueue` puts the frame's work on `stream`, one build of each StageTimer, and allocates nothing once it
  // has run with this key.
  template <class Enqueue>
  void run(const Key& key, CUstream_st* stream, Enqueue&& enqueue) {
    const bool changed = !(key_ == key);
    if (changed) key_ = key;
    ring_->run(changed, std::ref(enqueue), stream);
  }
  // Before what the work uses goes: arrays, or the builders that enqueued it, with their events. Waits for
  // the device where there are graphs.
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
