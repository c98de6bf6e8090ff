#pragma once
#include "app/device/table.h"
#include "cuda/sat/table_builder.h"

// Conversions between the table types of app/device and of cuda/.
namespace satdof::on_cuda {

inline cuda::ElementType elementType(TableFormat format) {
  return format == TableFormat::uint32 ? cuda::ElementType::uint32 : cuda::ElementType::float32;
}

inline cuda::TableOptions tableOptions(const TableSpec& spec, glm::ivec2 size) {
  return {size.x, size.y, spec.scan, elementType(spec.format), spec.blockSize};
}

// Returns `quantisation` for tables of `format`: the mean is 0 for formats that do not subtract it.
inline Quantisation quantisationFor(TableFormat format, Quantisation quantisation) {
  if (format != TableFormat::float32Mean) quantisation.mean = glm::vec4(0.0f);
  return quantisation;
}

inline gl::Texture tableTexture(TableFormat format, glm::ivec2 size, bool transposed) {
  return gl::Texture(internalFormat(format), transposed ? glm::ivec2(size.y, size.x) : size);
}

inline Table cudaTable(const gl::Texture& texture, TableFormat format, const TableSource& source,
                       glm::ivec2 size, bool transposed) {
  Table table = describeTable(texture, format, source);
  table.size = size;
  table.transposed = transposed;
  return table;
}

}  // namespace satdof::on_cuda
