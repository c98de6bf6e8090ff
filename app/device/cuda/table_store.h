#pragma once
#include <optional>
#include <span>
#include <vector>

#include "app/device/cuda/cuda_pass.h"
#include "app/device/table.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/texels.h"

namespace satdof::on_cuda {

// A table in device memory, with a copy in a texture while OpenGL shows it.
class CudaTableStore {
 public:
  void resize(TableFormat format, glm::ivec2 size, bool transposed);
  // Call before each crossing, copy() in it. Adds the texture to `shared` if OpenGL shows the table.
  void plan(bool shown, std::vector<CudaCrossing<cudaArray*>::Shared>& shared);
  cuda::Texel* rows() const { return rows_.data(); }
  // Enqueues the copy to the texture, if OpenGL shows the table. `others`: the arrays of the textures in `shared`.
  void copy(std::span<cudaArray* const> others, CUstream_st* stream) const;
  Table table(const TableSource& source) const;

 private:
  TableFormat format_ = TableFormat::uint32;
  glm::ivec2 size_{0};
  bool transposed_ = false;
  cuda::DeviceArray<cuda::Texel> rows_;
  gl::Texture texture_;
  std::optional<size_t> place_;  // of the texture in `shared`
};

}  // namespace satdof::on_cuda
