#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/gl/frame_stats.h"
#include "app/gl/objects.h"
#include "cuda/runtime/frame_graph.h"
#include "cuda/runtime/interop.h"
#include "cuda/runtime/work.h"

namespace satdof::on_cuda {

// One crossing from OpenGL to CUDA and back: maps objects, runs CUDA work on them, unmaps them. No other class of app
// uses cuda::Interop. Owns the interop, the CUDA work and its graph, and destroys them in the required order. `Handle`:
// the CUDA handle of an OpenGL object, cudaArray* for a texture, void* (device memory) for a buffer.
template <class Handle>
class CudaCrossing {
 public:
  using Object = std::conditional_t<std::is_same_v<Handle, void*>, gl::Buffer, gl::Texture>;
  struct Shared {
    const Object& object;
    cuda::Access access;
  };

  CudaCrossing() = default;
  ~CudaCrossing() { reset(); }
  CudaCrossing(const CudaCrossing&) = delete;
  CudaCrossing& operator=(const CudaCrossing&) = delete;

  // Destroys the work and stops sharing objects. Call before making work for another size.
  void reset();
  // Takes ownership of work that the crossing enqueues, and reports the times of its stages.
  template <class W>
  W& own(std::unique_ptr<W> work) {
    W& kept = *work;
    works_.push_back({std::move(work)});
    return kept;
  }
  // "interop: direct, graph"; empty before the first crossing.
  std::string state() const;

  using Enqueue = std::function<void(std::span<const Handle> handles, CUstream_st* stream)>;
  // Maps `objects`, runs the work and unmaps. The work is a call of enqueue(handles, stream). If the objects are the
  // same as in the last run and `changed` is false, the CUDA graph of that call is replayed instead; set `changed` if
  // enqueue() would do other work. Reports the stage times of an earlier frame. After its first run, unchanged work
  // must not allocate. Throws std::runtime_error when CUDA fails.
  void run(std::span<const Shared> objects, bool changed, Timings& timings, const Enqueue& enqueue);

 private:
  // Registers `objects`, unless the last call registered the same ones. Returns whether it registered them.
  bool share(std::span<const Shared> objects);
  // Unregisters all objects. The work stays.
  void stopSharing();
  // Whether this mapping gave other handles than the last one, as CUDA may at every mapping.
  bool moved(std::span<const Handle> handles);

  CUstream_st* stream_ = cuda::frameStream();
  std::vector<std::uint64_t> generations_;
  std::vector<Handle> mapped_;
  std::unique_ptr<cuda::SharedObjects<Handle>> interop_;
  struct Owned {
    std::unique_ptr<cuda::Work> work;
    std::size_t runs = 0;  // of the work, when its times were last reported
  };
  std::vector<Owned> works_;
  std::unique_ptr<cuda::FrameGraph> graph_ = std::make_unique<cuda::FrameGraph>();
};

// A crossing whose work depends only on a value of type Key and on the contents of the textures or buffers.
template <class Key, class Handle = cudaArray*>
class CudaPass : public CudaCrossing<Handle> {
 public:
  // CudaCrossing::run() of work that depends on `key`.
  template <class E>
  void run(std::initializer_list<typename CudaCrossing<Handle>::Shared> objects, const Key& key, Timings& timings,
           E&& enqueue) {
    const bool changed = !(key_ == key);
    if (changed) key_ = key;
    CudaCrossing<Handle>::run({objects.begin(), objects.size()}, changed, timings, std::ref(enqueue));
  }

 private:
  std::optional<Key> key_;
};

}  // namespace satdof::on_cuda
