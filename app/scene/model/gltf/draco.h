#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/model/gltf/accessors.h"

namespace satdof::gltf {

// An attribute of a mesh compressed by Draco, one value per vertex.
struct DracoAttribute {
  int componentType = kFloat32;
  std::size_t components = 0;
  std::string bytes;
};
struct DracoMesh {
  std::size_t vertices = 0;
  std::vector<std::uint32_t> indices;
  std::vector<DracoAttribute> attributes;  // in the order of the requested ids
};

// Decodes a mesh. `wanted`: unique ids of attributes. Throws std::runtime_error with the reason, without the file, if
// the mesh is damaged, if it exceeds the limits (checked before memory is allocated), or if this program was built
// without Draco.
DracoMesh decodeDraco(std::string_view bytes, std::span<const int> wanted, const ModelLimits& limits);

// Decodes all meshes with KHR_draco_mesh_compression and provides the values of their accessors. Skips primitives whose
// accessors have uncompressed values.
void readDraco(const Item& root, const Buffers& buffers, const ModelLimits& limits, LoadProgress& progress,
               Accessors& accessors);

}  // namespace satdof::gltf
