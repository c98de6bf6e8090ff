#include "app/device/cuda/table_store.h"

#include "app/core/pixels.h"
#include "app/device/cuda/conversions.h"

namespace satdof::on_cuda {

void CudaTableStore::resize(TableFormat format, glm::ivec2 size, bool transposed) {
  format_ = format;
  size_ = size;
  transposed_ = transposed;
  texture_ = {};
  rows_ = cuda::DeviceArray<cuda::Texel>(pixelCount(size));
}

void CudaTableStore::plan(bool shown, std::vector<CudaCrossing<cudaArray*>::Shared>& shared) {
  place_.reset();
  if (!shown) return;
  if (!texture_) texture_ = tableTexture(format_, size_, transposed_);
  place_ = shared.size();
  shared.push_back({texture_, cuda::Access::write});
}

void CudaTableStore::copy(std::span<cudaArray* const> others, CUstream_st* stream) const {
  if (!place_) return;
  const glm::ivec2 size = texture_.size();
  const size_t rowBytes = static_cast<size_t>(size.x) * sizeof(cuda::Texel);
  SATDOF_CUDA(cudaMemcpy2DToArrayAsync(others[*place_], 0, 0, rows_.data(), rowBytes, rowBytes,
                                       static_cast<size_t>(size.y), cudaMemcpyDeviceToDevice, stream));
}

Table CudaTableStore::table(const TableSource& source) const {
  return place_ ? cudaTable(texture_, format_, source, size_, transposed_) : Table{};
}

}  // namespace satdof::on_cuda
