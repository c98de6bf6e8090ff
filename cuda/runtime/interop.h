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

// Objects shared with OpenGL, of which CUDA gets handles: cudaArray* of textures, void* of buffers. Its
// OpenGL context must be current in every call, including the destructor. Direct: the objects are registered
// with CUDA. Staged: copied through host memory at every map() (read) and unmap() (write), which waits for
// the GPU.
template <class Handle>
class SharedObjects {
 public:
  virtual ~SharedObjects() = default;
  // Hands the objects to CUDA until unmap(). Returns arrays for surface load and store, or device memory, in
  // the order given to makeInterop(). OpenGL must not access the objects until unmap().
  virtual std::span<const Handle> map(CUstream_st* stream) = 0;
  virtual void unmap(CUstream_st* stream) = 0;
  virtual bool direct() const = 0;
};
using Interop = SharedObjects<cudaArray*>;
using BufferInterop = SharedObjects<void*>;

// Staged if OpenGL runs on another GPU, an object cannot be registered, or the environment variable
// SATDOF_INTEROP is "staged"; prints the reason and the remedy to stderr once. Throws std::runtime_error if
// memory runs out.
std::unique_ptr<Interop> makeInterop(std::vector<SharedTexture> textures);
std::unique_ptr<BufferInterop> makeInterop(std::vector<SharedBuffer> buffers);

}  // namespace satdof::cuda
