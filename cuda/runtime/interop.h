#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "cuda/runtime/array.h"

// OpenGL textures as CUDA arrays, and OpenGL buffers as device memory.
struct CUstream_st;

namespace satdof::cuda {

enum class Access { read, write };  // write: discards the previous contents

// A two-dimensional texture without multisampling; level 0 is shared.
struct SharedTexture {
  unsigned name;
  TexelFormat format;
  int width, height;
  Access access;
};

// A buffer; all of it is shared.
struct SharedBuffer {
  unsigned name;
  std::size_t bytes;
  Access access;
};

// OpenGL objects shared with CUDA. Handle: cudaArray* for textures, void* (device memory) for buffers. The
// OpenGL context must be current in every call, including the destructor. Direct: the objects are registered
// with CUDA. Staged: map() copies objects with Access::read through host memory, unmap() those with
// Access::write; unmap() waits for the GPU.
template <class Handle>
class SharedObjects {
 public:
  virtual ~SharedObjects() = default;
  // Gives the objects to CUDA until unmap(); OpenGL must not access them in between. Returns the handles in
  // the order given to makeInterop(). Arrays allow surface load and store.
  virtual std::span<const Handle> map(CUstream_st* stream) = 0;
  virtual void unmap(CUstream_st* stream) = 0;
  virtual bool direct() const = 0;
};
using Interop = SharedObjects<cudaArray*>;
using BufferInterop = SharedObjects<void*>;

// Direct where possible. Staged if OpenGL runs on another GPU, if an object cannot be registered, or if the
// environment variable SATDOF_INTEROP is "staged"; the first time, prints the reason and the remedy to
// stderr. Throws std::runtime_error if memory runs out.
std::unique_ptr<Interop> makeInterop(std::vector<SharedTexture> textures);
std::unique_ptr<BufferInterop> makeInterop(std::vector<SharedBuffer> buffers);

}  // namespace satdof::cuda
