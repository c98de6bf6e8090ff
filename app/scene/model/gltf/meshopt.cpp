#include "app/scene/model/gltf/meshopt.h"

#include <stdexcept>

#if SATDOF_HAS_MESHOPTIMIZER
#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#endif

namespace satdof::gltf {

#if SATDOF_HAS_MESHOPTIMIZER

namespace {

using Bytes = const unsigned char*;

struct Mode {
  std::string_view name;
  int (*decode)(void*, std::size_t, std::size_t, Bytes, std::size_t);
  bool (*fits)(const MeshoptView&);  // whether stride and count are valid
  // Upper bound of the number of elements in compressed bytes.
  std::size_t (*maxCount)(std::size_t bytes, std::size_t stride);
};

bool isIndex(const MeshoptView& view) { return view.stride == 2 || view.stride == 4; }

constexpr std::array kModes = {
    // 256 elements take at least 4 compressed bytes for each byte of the stride.
    Mode{"ATTRIBUTES", meshopt_decodeVertexBuffer,
         [](const MeshoptView& view) { return view.stride % 4 == 0 && view.stride > 0 && view.stride <= 256; },
         [](std::size_t bytes, std::size_t stride) { return 64 * (bytes / stride + 4); }},
    Mode{"TRIANGLES", meshopt_decodeIndexBuffer,
         [](const MeshoptView& view) { return isIndex(view) && view.count % 3 == 0; },
         [](std::size_t bytes, std::size_t) { return 3 * bytes; }},
    Mode{"INDICES", meshopt_decodeIndexSequence, isIndex, [](std::size_t bytes, std::size_t) { return bytes; }}};

struct Filter {
  std::string_view name;
  void (*apply)(void*, std::size_t, std::size_t);
  bool (*fits)(std::size_t stride);
};
constexpr std::array kFilters = {
    Filter{"NONE", nullptr, [](std::size_t) { return true; }},
    Filter{"OCTAHEDRAL", meshopt_decodeFilterOct, [](std::size_t stride) { return stride == 4 || stride == 8; }},
    Filter{"QUATERNION", meshopt_decodeFilterQuat, [](std::size_t stride) { return stride == 8; }},
    Filter{"EXPONENTIAL", meshopt_decodeFilterExp, [](std::size_t stride) { return stride % 4 == 0; }}};

constexpr const char* kNewer =
    "is compressed for meshoptimizer 1.0: save the model with EXT_meshopt_compression, or without "
    "compression";

// Whether the data need a newer decoder. The first byte holds the mode in its upper half and the version in its lower
// half.
bool isNewer(std::string_view bytes) {
  constexpr int kVertices = MESHOPTIMIZER_VERSION >= 1000 ? 1 : 0, kIndices = 1;
  const int first = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.front());
  return (first & 0xf) > (first >> 4 == 0xa ? kVertices : kIndices);
}

}  // namespace

std::string decodeMeshopt(std::string_view bytes, const MeshoptView& view) {
  if (view.filter == "COLOR") throw std::runtime_error(kNewer);
  const auto* const mode = std::ranges::find(kModes, view.mode, &Mode::name);
  const auto* const filter = std::ranges::find(kFilters, view.filter, &Filter::name);
  if (mode == kModes.end() || filter == kFilters.end()) throw std::runtime_error("its mode or filter is unknown");
  const bool attributes = mode == kModes.begin();
  if (!mode->fits(view) || !filter->fits(view.stride) || (filter->apply != nullptr && !attributes))
    throw std::runtime_error("its mode, filter, stride and count do not fit each other");
  if (view.count > mode->maxCount(bytes.size(), view.stride))
    throw std::runtime_error("has fewer compressed bytes than its elements need");
  std::string decoded(view.count * view.stride, '\0');
  const auto* const from = reinterpret_cast<Bytes>(bytes.data());
  if (mode->decode(decoded.data(), view.count, view.stride, from, bytes.size()) != 0)
    throw std::runtime_error(isNewer(bytes) ? kNewer : "its bytes compressed by meshoptimizer are damaged");
  if (filter->apply != nullptr) filter->apply(decoded.data(), view.count, view.stride);
  return decoded;
}

#else

std::string decodeMeshopt(std::string_view, const MeshoptView&) {
  throw std::runtime_error(
      "is compressed by meshoptimizer, and this program was built without meshoptimizer: save the model "
      "without compression");
}

#endif

}  // namespace satdof::gltf
