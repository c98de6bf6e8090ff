#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cub/device/device_select.cuh>

#include "cuda/compact/factories.h"
#include "cuda/compact/source.cuh"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"

namespace satdof::cuda {

namespace {

auto inputOf(IndexSource) { return thrust::counting_iterator<std::uint32_t>(0); }
template <class T>
const T* inputOf(ElementSource<T> source) {
  return source.elements;
}

// DeviceSelect of the CUB library.
class CubCompactor : public CompactorOf<CubCompactor> {
 public:
  explicit CubCompactor(std::uint32_t count) : count_(static_cast<int>(count)) {
    scratch_ = DeviceArray<unsigned char>(
        std::max({scratchBytes<IndexSource>(), scratchBytes<ElementSource<std::uint32_t>>(),
                  scratchBytes<ElementSource<uint2>>(), scratchBytes<ElementSource<uint4>>()}));
  }

  template <class Source>
  void enqueue(const std::uint32_t* flags, Source source, typename Source::Element* out, std::uint32_t* kept,
               CUstream_st* stream) const {
    size_t bytes = scratch_.bytes();
    select(scratch_.data(), bytes, flags, source, out, kept, stream);
  }

 private:
  template <class Source>
  size_t scratchBytes() const {
    size_t bytes = 0;
    select(nullptr, bytes, nullptr, Source{}, nullptr, nullptr, nullptr);
    return bytes;
  }

  template <class Source>
  void select(unsigned char* scratch, size_t& bytes, const std::uint32_t* flags, Source source,
              typename Source::Element* out, std::uint32_t* kept, CUstream_st* stream) const {
    SATDOF_CUDA(cub::DeviceSelect::Flagged(scratch, bytes, inputOf(source), flags, out, kept, count_, stream));
  }

  int count_;
  DeviceArray<unsigned char> scratch_;
};

}  // namespace

std::unique_ptr<Compactor> makeCubCompactor(std::uint32_t count) { return std::make_unique<CubCompactor>(count); }

}  // namespace satdof::cuda
