#pragma once
#include "app/core/settings.h"
#include "cuda/sat/table_builder.h"

// Conversions between the settings of tables and cuda/, without OpenGL.
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

}  // namespace satdof::on_cuda
