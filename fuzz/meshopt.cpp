// A buffer view compressed by meshoptimizer. Input: 1 byte for mode and filter, 1 byte stride - 1, 2 bytes
// count, the data.
#include "app/scene/model/gltf/meshopt.h"

#include <array>
#include <stdexcept>

#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kHead = 4;
  constexpr std::array kModes = {"ATTRIBUTES", "TRIANGLES", "INDICES", ""};
  constexpr std::array kFilters = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
  if (size < kHead) return 0;
  gltf::MeshoptView view;
  view.mode = kModes[data[0] % 4];
  view.filter = kFilters[data[0] / 4 % 4];
  view.stride = data[1] + std::size_t{1};
  view.count = data[2] + std::size_t{256} * data[3];
  try {
    const std::string decoded = gltf::decodeMeshopt(fuzz::textOf(data + kHead, size - kHead), view);
    fuzz::require(decoded.size() == view.count * view.stride, "a view has its elements");
  } catch (const std::runtime_error& error) {
    fuzz::requireReadable(error.what());
  }
  return 0;
}
