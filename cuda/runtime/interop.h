#pragma once
#include <memory>
#include <span>
#include <vector>

#include "cuda/runtime/array.h"

// OpenGL textures as CUDA arrays, behind plain C++.
struct CUstream_st;

namespace satdof::cuda {

enum class Access { read, write };  // write: what was there before is lost

// A two-dimensional texture of one sample, one level used.
struct SharedTexture {
  unsigned name;
  TexelFormat format;
  int width, height;
  Access access;
};

// Textures that one CUDA pipeline shares with OpenGL. Made on resize; needs its context to be current, to the
// end. Direct: registered with CUDA. Staged: copied through memory at every map() (read) and unmap() (write),
// which waits for the GPU.
class Interop {
 public:
  virtual ~Interop() = default;
  // Hands the textures to CUDA until unmap(): arrays for surface load and store, in the order given to
  // makeInterop(). OpenGL must not touch the textures meanwhile.
  virtual std::span<cudaArray* const> map(CUstream_st* stream) = 0;
  virtual void unmap(CUstream_st* stream) = 0;
  virtual bool direct() const = 0;
};

// Staged where OpenGL runs on another GPU, refuses to share, or the environment says SATDOF_INTEROP=staged;
// says why on stderr, once, with the cure. Throws std::runtime_error when memory runs out.
std::unique_ptr<Interop> makeInterop(std::vector<SharedTexture> textures);

}  // namespace satdof::cuda
