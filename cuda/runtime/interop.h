#pragma once
#include <memory>
#include <span>
#include <vector>

#include "cuda/runtime/array.h"

// OpenGL textures as CUDA arrays.
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

// Textures shared with OpenGL. Its OpenGL context must be current in every call, including the destructor.
// Direct: the textures are registered with CUDA. Staged: copied through host memory at every map() (read) and
// unmap() (write), which waits for the GPU.
class Interop {
 public:
  virtual ~Interop() = default;
  // Hands the textures to CUDA until unmap(). Returns arrays for surface load and store, in the order given
  // to makeInterop(). OpenGL must not access the textures until unmap().
  virtual std::span<cudaArray* const> map(CUstream_st* stream) = 0;
  virtual void unmap(CUstream_st* stream) = 0;
  virtual bool direct() const = 0;
};

// Staged if OpenGL runs on another GPU, a texture cannot be registered, or the environment variable
// SATDOF_INTEROP is "staged"; prints the reason and the remedy to stderr once. Throws std::runtime_error if
// memory runs out.
std::unique_ptr<Interop> makeInterop(std::vector<SharedTexture> textures);

}  // namespace satdof::cuda
