#pragma once

namespace satdof::cuda {

// Element type of scans and tables: integers modulo 2^32, or single-precision floats.
enum class ElementType { uint32, float32 };

}  // namespace satdof::cuda
