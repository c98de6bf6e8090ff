#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace satdof::gltf {

// A view that is compressed by EXT_meshopt_compression or KHR_meshopt_compression.
struct MeshoptView {
  std::size_t count = 0, stride = 0;  // number of elements, bytes per element
  std::string mode, filter = "NONE";
};

// Returns the count * stride decompressed bytes. Throws std::runtime_error with the reason, without the file, if the
// view is invalid or damaged, or if this program was built without meshoptimizer.
std::string decodeMeshopt(std::string_view bytes, const MeshoptView& view);

}  // namespace satdof::gltf
