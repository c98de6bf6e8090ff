#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "cuda/compact/compactor.h"

namespace satdof::cuda {

// A Source gives what a compaction writes for a flagged element i: the index i, or the element.
struct IndexSource {
  using Element = std::uint32_t;
  __device__ Element operator()(std::uint32_t i) const { return i; }
};

template <class T>
struct ElementSource {
  using Element = T;
  const T* elements;
  __device__ Element operator()(std::uint32_t i) const { return elements[i]; }
};

// Implements Compactor by
//   template <class Source> void Derived::enqueue(flags, Source, typename Source::Element* out, kept, stream).
template <class Derived>
class CompactorOf : public Compactor {
 public:
  void run(const std::uint32_t* flags, std::uint32_t* indices, std::uint32_t* kept, CUstream_st* stream) final {
    self().enqueue(flags, IndexSource{}, indices, kept, stream);
  }
  void run(const std::uint32_t* flags, Elements elements, void* compacted, std::uint32_t* kept,
           CUstream_st* stream) final {
    const auto enqueue = [&]<class T>(T*) {
      self().enqueue(flags, ElementSource<T>{static_cast<const T*>(elements.data)}, static_cast<T*>(compacted), kept,
                     stream);
    };
    switch (elements.bytes) {
      case 4:
        return enqueue(static_cast<std::uint32_t*>(nullptr));
      case 8:
        return enqueue(static_cast<uint2*>(nullptr));
      case 16:
        return enqueue(static_cast<uint4*>(nullptr));
      default:
        throw std::runtime_error("cannot compact elements of " + std::to_string(elements.bytes) +
                                 " bytes: choose 4, 8 or 16");
    }
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace satdof::cuda
