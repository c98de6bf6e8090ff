#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/gl/frame_stats.h"
#include "app/gl/objects.h"
#include "cuda/runtime/frame_graph.h"
#include "cuda/runtime/interop.h"
#include "cuda/runtime/work.h"

namespace satdof {

// One crossing from OpenGL to CUDA and back, the only place that maps textures: owns the interop, the CUDA
// work, its graph and the stream, and destroys them in the order that they need. Use CudaPass.
class CudaCrossing {
 public:
  struct Shared {
    const gl::Texture& texture;
    cuda::Access access;
  };

  CudaCrossing() = default;
  ~CudaCrossing() { reset(); }
  CudaCrossing(const CudaCrossing&) = delete;
  CudaCrossing& operator=(const CudaCrossing&) = delete;

  // Destroys the work and ends the sharing. Call before making work of another size.
  void reset();
  // Takes work that is enqueued in the crossing, to report its stages.
  template <class W>
  W& own(std::unique_ptr<W> work) {
    W& kept = *work;
    works_.push_back(std::move(work));
    return kept;
  }
  // "interop: direct, graph"; empty before the first crossing.
  std::string state() const;

 protected:
  using Enqueue = std::function<void(std::span<cudaArray* const> arrays, CUstream_st* stream)>;
  // Registers textures that are not those of the last call. Returns whether there are any.
  bool share(std::initializer_list<Shared> textures);
  void cross(bool changed, const Enqueue& enqueue, Timings& timings);

 private:
  void stopSharing();

  CUstream_st* stream_ = cuda::frameStream();
  std::vector<std::uint64_t> generations_;
  std::unique_ptr<cuda::Interop> interop_;
  std::vector<std::unique_ptr<cuda::Work>> works_;
  std::unique_ptr<cuda::GraphRing> graph_ = std::make_unique<cuda::GraphRing>();
};

// A crossing whose work depends on `Key` and the textures' contents alone.
template <class Key>
class CudaPass : public CudaCrossing {
 public:
  // Maps `textures`, calls enqueue(arrays, stream), or replays its graph while `key` and the textures stay
  // the same, unmaps, and reports the stages of a few frames ago. enqueue() enqueues each owned work once and
  // allocates nothing once it has run with this key. Throws std::runtime_error when CUDA fails.
  template <class E>
  void run(std::initializer_list<Shared> textures, const Key& key, Timings& timings, E&& enqueue) {
    const bool changed = share(textures) || !(key_ == key);
    if (changed) key_ = key;
    cross(changed, std::ref(enqueue), timings);
  }

 private:
  std::optional<Key> key_;
};

}  // namespace satdof
