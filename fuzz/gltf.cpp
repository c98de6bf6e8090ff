// A glTF or GLB file without other files. An accepted model has valid indices and can be posed.
#include "app/scene/model/reader.h"
#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  LoadProgress progress;
  ModelSource source{fuzz::textOf(data, size), {}, {}};
  source.limits.vertices = 100'000;
  source.limits.triangles = 50'000;
  source.limits.keys = 50'000;
  source.limits.displacements = 50'000;
  source.limits.morphWeights = 10'000;
  source.limits.imageBytes = std::size_t{16} << 20;
  source.limits.imageSide = 512;
  try {
    const ModelData model = parseGltf(source, progress);
    for (const ModelMesh& mesh : model.meshes)
      for (const Primitive& primitive : mesh.primitives) {
        for (std::uint32_t i = 0; i < primitive.indices; ++i)
          fuzz::require(model.indices[primitive.firstIndex + i] < primitive.vertices, "indices name vertices");
        for (const MorphTarget& target : primitive.targets)
          fuzz::require(target.first + std::size_t{primitive.vertices} <= model.displacements.size(),
                        "a morph target has a displacement for every vertex");
      }
    for (int clip = -1; clip < static_cast<int>(model.clips.size()) && clip < 4; ++clip)
      bounds(model, pose(model, clip, 0.7));
  } catch (const std::runtime_error& error) {
    fuzz::requireReadable(error.what());
  }
  return 0;
}
