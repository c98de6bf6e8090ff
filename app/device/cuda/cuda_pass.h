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

// One crossing from OpenGL to CUDA and back. No other class of app uses cuda::Interop. Owns the interop, the CUDA work
// and its graph, and destroys them in the required order. The base of CudaPass.
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

  // Destroys the work and stops sharing textures. Call before making work of another size.
  void reset();
  // Takes ownership of work that the crossing enqueues, and reports the times of its stages.
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
  // Registers `textures`, unless the last call registered the same ones. Returns whether it registered them.
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

// A crossing whose work depends only on a value of type Key and on the contents of the textures.
template <class Key>
class CudaPass : public CudaCrossing {
 public:
  // Maps `textures`, runs the work and unmaps. The work is a call of enqueue(arrays, stream), or a replay of
  // its graph while `key` and the textures stay the same. Reports the stage times of an earlier frame.
  // enqueue() must enqueue each owned work once. After its first run with a key, it must not allocate. Throws
  // std::runtime_error when CUDA fails.
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
