#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/model/gltf/accessors.h"

namespace satdof::gltf {

// An attribute of a mesh compressed by Draco, one value a vertex.
struct DracoAttribute {
  int componentType = 5126;  // as in glTF
  std::size_t components = 0;
  std::string bytes;
};
struct DracoMesh {
  std::size_t vertices = 0;
  std::vector<std::uint32_t> indices;
  std::vector<DracoAttribute> attributes;  // one for each wanted one
};

// `wanted`: unique ids of attributes. Throws std::runtime_error with the reason alone if the mesh is damaged or states more
// triangles or vertices than the limits, before memory is taken for them, or if this program was built without Draco.
DracoMesh decodeDraco(std::string_view bytes, std::span<const int> wanted, const ModelLimits& limits);

// Gives the accessors of all meshes with KHR_draco_mesh_compression their values. A primitive whose accessors have values of
// their own keeps these.
void readDraco(const Item& root, const Buffers& buffers, const ModelLimits& limits, LoadProgress& progress,
               Accessors& accessors);

}  // namespace satdof::gltf
