#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_select.cuh>

#include "cuda/compact/factories.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"

namespace satdof::cuda {

namespace {

class CubCompactor : public Compactor {
 public:
  explicit CubCompactor(std::uint32_t count) : count_(static_cast<int>(count)) {
    select(nullptr, nullptr, nullptr, nullptr);
    scratch_ = DeviceArray<unsigned char>(scratchBytes_);
  }

  void run(const std::uint32_t* flags, std::uint32_t* indices, std::uint32_t* kept,
           CUstream_st* stream) override {
    select(flags, indices, kept, stream);
  }

 private:
  void select(const std::uint32_t* flags, std::uint32_t* indices, std::uint32_t* kept, CUstream_st* stream) {
    SATDOF_CUDA(cub::DeviceSelect::Flagged(scratch_.data(), scratchBytes_,
                                           thrust::counting_iterator<std::uint32_t>(0), flags, indices, kept,
                                           count_, stream));
  }

  int count_;
  std::size_t scratchBytes_ = 0;
  DeviceArray<unsigned char> scratch_;
};

}  // namespace

std::unique_ptr<Compactor> makeCubCompactor(std::uint32_t count) {
  return std::make_unique<CubCompactor>(count);
}

}  // namespace satdof::cuda
