#pragma once
#include <cuda_runtime_api.h>

#include <utility>
#include <vector>

#include "cuda/runtime/check.h"

namespace satdof::cuda {

// Move-only owner of a surface object of a CUDA array.
class Surface {
 public:
  Surface() = default;
  explicit Surface(cudaArray_t array) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    SATDOF_CUDA(cudaCreateSurfaceObject(&object_, &resource));
  }
  Surface(Surface&& other) noexcept : object_(std::exchange(other.object_, 0)) {}
  Surface& operator=(Surface&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Surface() {
    if (object_ != 0) cudaDestroySurfaceObject(object_);
  }
  cudaSurfaceObject_t object() const { return object_; }

 private:
  cudaSurfaceObject_t object_ = 0;
};

// A cache of the surface objects of recently used arrays, so that a frame creates none. Call forget() before
// freeing an array, and when a texture is mapped to another array: the allocator may reuse the address.
class SurfaceCache {
 public:
  explicit SurfaceCache(std::size_t most = 16) : entries_(most) {}
  SurfaceCache(const SurfaceCache&) = delete;
  SurfaceCache& operator=(const SurfaceCache&) = delete;
  ~SurfaceCache() { cudaDeviceSynchronize(); }

  // Waits for the device.
  void forget() {
    SATDOF_CUDA(cudaDeviceSynchronize());
    for (Entry& entry : entries_) entry = {};
  }

  // Waits for the device only if more arrays are in use than the cache holds.
  cudaSurfaceObject_t get(cudaArray_t array) {
    for (const Entry& entry : entries_)
      if (entry.array == array) return entry.surface.object();
    Entry& entry = entries_[next_++ % entries_.size()];
    if (entry.array != nullptr) SATDOF_CUDA(cudaDeviceSynchronize());
    entry = Entry{array, Surface(array)};
    return entry.surface.object();
  }

 private:
  struct Entry {
    cudaArray_t array = nullptr;
    Surface surface;
  };
  std::vector<Entry> entries_;
  std::size_t next_ = 0;
};

}  // namespace satdof::cuda
