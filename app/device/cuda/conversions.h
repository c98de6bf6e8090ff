#pragma once
#include "app/device/table.h"
#include "cuda/sat/table_builder.h"

// Tables of the application as those of cuda/, and back.
namespace satdof {

inline cuda::ElementType elementType(TableFormat format) {
  return format == TableFormat::uint32 ? cuda::ElementType::uint32 : cuda::ElementType::float32;
}

inline cuda::TableOptions tableOptions(const TableSpec& spec, glm::ivec2 size) {
  return {size.x, size.y, spec.scan, elementType(spec.format), spec.blockSize};
}

inline cuda::Quantisation cudaQuantisation(TableFormat format, const TableSource& source) {
  cuda::Quantisation quantisation{source.scale, source.ceiling};
  if (format == TableFormat::float32Mean)
    for (int i = 0; i < 4; ++i) quantisation.mean[i] = source.mean[i];
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

}  // namespace satdof
