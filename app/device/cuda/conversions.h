#pragma once
#include "app/device/cuda/table_options.h"
#include "app/device/table.h"

// Conversions between the table types of app/device and of cuda/.
namespace satdof::on_cuda {

inline gl::Texture tableTexture(TableFormat format, glm::ivec2 size, bool transposed) {
  return gl::Texture(internalFormat(format), transposed ? glm::ivec2(size.y, size.x) : size);
}

inline Table cudaTable(const gl::Texture& texture, TableFormat format, const TableSource& source, glm::ivec2 size,
                       bool transposed) {
  Table table = describeTable(texture, format, source);
  table.size = size;
  table.transposed = transposed;
  return table;
}

}  // namespace satdof::on_cuda
