#include "app/device/cuda/table_store.h"

#include "app/device/cuda/conversions.h"

namespace satdof {

void CudaTableStore::resize(TableFormat format, glm::ivec2 size, bool transposed) {
  format_ = format;
  size_ = size;
  transposed_ = transposed;
  texture_ = {};
  const glm::ivec2 texels = transposed ? glm::ivec2(size.y, size.x) : size;
  array_ =
      cuda::Array(format == TableFormat::uint32 ? cuda::TexelFormat::rgba32ui : cuda::TexelFormat::rgba32f,
                  texels.x, texels.y);
}

void CudaTableStore::plan(bool shown, std::vector<CudaCrossing<cudaArray*>::Shared>& shared) {
  place_.reset();
  if (!shown) return;
  if (!texture_) texture_ = tableTexture(format_, size_, transposed_);
  place_ = shared.size();
  shared.push_back({texture_, cuda::Access::write});
}

cudaArray* CudaTableStore::array(std::span<cudaArray* const> others) const {
  return place_ ? others[*place_] : array_.get();
}

Table CudaTableStore::table(const TableSource& source) const {
  return place_ ? cudaTable(texture_, format_, source, size_, transposed_) : Table{};
}

}  // namespace satdof
