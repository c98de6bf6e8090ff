#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace satdof::gltf {

// A buffer view that EXT_meshopt_compression or KHR_meshopt_compression describes.
struct MeshoptView {
  std::size_t count = 0, stride = 0;  // elements and their bytes
  std::string mode, filter = "NONE";
};

// Returns count * stride bytes. Throws std::runtime_error with the reason alone if the view is impossible or damaged, or if
// this program was built without meshoptimizer.
std::string decodeMeshopt(std::string_view bytes, const MeshoptView& view);

}  // namespace satdof::gltf
