// A mesh compressed by Draco. An accepted mesh has valid vertex indices and attribute values for all
// vertices.
#include "app/scene/model/gltf/draco.h"

#include <array>
#include <stdexcept>

#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array kIds = {0, 1};
  ModelLimits limits;
  limits.vertices = 20'000;
  limits.triangles = 10'000;
  try {
    const gltf::DracoMesh mesh = gltf::decodeDraco(fuzz::textOf(data, size), kIds, limits);
    fuzz::require(mesh.indices.size() <= 3 * limits.triangles && mesh.vertices <= limits.vertices,
                  "a mesh keeps the limits");
    for (const std::uint32_t index : mesh.indices) fuzz::require(index < mesh.vertices, "indices name vertices");
    for (const gltf::DracoAttribute& attribute : mesh.attributes)
      fuzz::require(mesh.vertices == 0 || attribute.bytes.size() % (mesh.vertices * attribute.components) == 0,
                    "an attribute has a value for each vertex");
  } catch (const std::runtime_error& error) {
    fuzz::requireReadable(error.what());
  }
  return 0;
}
