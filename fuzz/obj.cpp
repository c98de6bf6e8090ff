// An OBJ file without other files. An accepted model has valid vertex indices.
#include "app/scene/model/reader.h"
#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  LoadProgress progress;
  try {
    const ModelData model = parseObj({fuzz::textOf(data, size), {}, {}}, progress);
    for (const auto index : model.indices) fuzz::require(index < model.vertices.size(), "indices name vertices");
  } catch (const std::runtime_error& error) {
    fuzz::requireReadable(error.what());
  }
  return 0;
}
