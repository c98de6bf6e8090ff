#include "app/scene/model/gltf/draco.h"

#include <algorithm>
#include <stdexcept>

#include "app/core/system/resources.h"
#include "app/scene/model/gltf/meshes.h"

#if SATDOF_HAS_DRACO
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/metadata/metadata_decoder.h>

#endif

namespace satdof::gltf {

#if SATDOF_HAS_DRACO

namespace {

constexpr std::uint8_t kSequential = 0;
constexpr const char* kDamaged = "its mesh compressed by Draco is damaged";

template <class T>
T next(draco::DecoderBuffer& buffer) {
  T value{};
  if (!buffer.Decode(&value)) throw std::runtime_error(kDamaged);
  return value;
}

std::uint32_t nextCount(draco::DecoderBuffer& buffer) {
  std::uint32_t value = 0;
  if (!draco::DecodeVarint(&value, &buffer)) throw std::runtime_error(kDamaged);
  return value;
}

// A Draco decoder that checks the attributes before it allocates memory for their values.
template <class Decoder>
class Checked : public Decoder {
 public:
  const std::string& problem() const { return problem_; }

 protected:
  // Called when the attributes are known, but have no values.
  bool DecodeAllAttributes() override {
    constexpr std::int64_t kMaxBytes = 512;  // per vertex: 32 attributes of 4 floats
    constexpr double kCopies = 3.0;          // predictions, and the values before and after
    std::int64_t bytes = 0;
    const draco::PointCloud& mesh = *this->point_cloud();
    for (int i = 0; i < mesh.num_attributes(); ++i) {
      const draco::PointAttribute& attribute = *mesh.attribute(i);
      bytes += std::int64_t{attribute.num_components()} * std::max(draco::DataTypeLength(attribute.data_type()), 4);
    }
    if (bytes > kMaxBytes) {
      problem_ = "its Draco mesh has " + std::to_string(bytes) + " bytes a vertex, at most " +
                 std::to_string(kMaxBytes) + " are read";
      return false;
    }
    try {
      requireMemory(kCopies * static_cast<double>(bytes) * mesh.num_points());
    } catch (const std::runtime_error& error) {  // Draco is not exception-safe
      problem_ = error.what();
      return false;
    }
    return Decoder::DecodeAllAttributes();
  }

 private:
  std::string problem_;
};

template <class Decoder>
void decodeBy(draco::DecoderBuffer& buffer, draco::Mesh& mesh) {
  Checked<Decoder> decoder;
  const bool decoded = decoder.Decode(draco::DecoderOptions(), &buffer, &mesh).ok();
  if (!decoder.problem().empty()) throw std::runtime_error(decoder.problem());
  if (!decoded) throw std::runtime_error(kDamaged);
}

// Returns the encoding method. Checks the numbers of triangles and vertices in the header (Draco bitstream 2.2) before
// Draco allocates memory for them.
std::uint8_t checkedMethod(std::string_view bytes, const ModelLimits& limits) {
  constexpr std::size_t kMaxTrianglesPerByte = 1024;  // a regular grid has hundreds
  constexpr double kBytesPerTriangle = 200.0;
  constexpr std::uint16_t kHasMetadata = 0x8000;
  constexpr std::uint8_t kMesh = 1;
  if (!bytes.starts_with("DRACO")) throw std::runtime_error(kDamaged);
  draco::DecoderBuffer buffer;
  buffer.Init(bytes.data(), bytes.size());
  buffer.Advance(5);
  const auto major = next<std::uint8_t>(buffer), minor = next<std::uint8_t>(buffer);
  if (major != 2 || minor != 2)
    throw std::runtime_error("its version of Draco is " + std::to_string(major) + "." + std::to_string(minor) +
                             ", only 2.2 is read");
  buffer.set_bitstream_version(DRACO_BITSTREAM_VERSION(2, 2));
  if (next<std::uint8_t>(buffer) != kMesh) throw std::runtime_error("its Draco data are no mesh");
  const auto method = next<std::uint8_t>(buffer);
  if ((next<std::uint16_t>(buffer) & kHasMetadata) != 0) {
    draco::GeometryMetadata metadata;
    if (!draco::MetadataDecoder().DecodeGeometryMetadata(&buffer, &metadata)) throw std::runtime_error(kDamaged);
  }
  if (method != kSequential) next<std::uint8_t>(buffer);  // the traversal
  const std::size_t first = nextCount(buffer), second = nextCount(buffer);
  const std::size_t triangles = method == kSequential ? first : second,
                    vertices = method == kSequential ? second : first;
  if (triangles > limits.triangles)
    throw std::runtime_error("exceeds the limit of " + std::to_string(limits.triangles) + " triangles");
  if (vertices > std::min(limits.vertices, 3 * triangles + 3) || triangles > kMaxTrianglesPerByte * bytes.size())
    throw std::runtime_error(kDamaged);
  requireMemory(kBytesPerTriangle * static_cast<double>(triangles));
  return method;
}

int componentTypeOf(draco::DataType type) {
  switch (type) {
    case draco::DT_INT8:
      return kInt8;
    case draco::DT_UINT8:
      return kUint8;
    case draco::DT_INT16:
      return kInt16;
    case draco::DT_UINT16:
      return kUint16;
    case draco::DT_UINT32:
      return kUint32;
    case draco::DT_FLOAT32:
      return kFloat32;
    default:
      throw std::runtime_error("an attribute of its Draco mesh has numbers that glTF does not have");
  }
}

// The values of an attribute, one per vertex.
DracoAttribute valuesOf(const draco::PointAttribute& from, std::size_t vertices) {
  DracoAttribute to;
  to.componentType = componentTypeOf(from.data_type());
  to.components = static_cast<std::size_t>(from.num_components());
  if (to.components > 4) throw std::runtime_error("an attribute of its Draco mesh has more than 4 numbers");
  const std::size_t each = to.components * static_cast<std::size_t>(draco::DataTypeLength(from.data_type()));
  requireMemory(static_cast<double>(vertices * each));
  to.bytes.resize(vertices * each);
  for (std::size_t i = 0; i < vertices; ++i) {
    const auto at = from.mapped_index(draco::PointIndex(static_cast<std::uint32_t>(i)));
    if (at.value() >= from.size()) throw std::runtime_error(kDamaged);
    from.GetValue(at, &to.bytes[i * each]);
  }
  return to;
}

}  // namespace

DracoMesh decodeDraco(std::string_view bytes, std::span<const int> wanted, const ModelLimits& limits) {
  const bool sequential = checkedMethod(bytes, limits) == kSequential;
  draco::DecoderBuffer buffer;
  buffer.Init(bytes.data(), bytes.size());
  draco::Mesh mesh;
  (sequential ? decodeBy<draco::MeshSequentialDecoder> : decodeBy<draco::MeshEdgebreakerDecoder>)(buffer, mesh);
  DracoMesh result;
  result.vertices = mesh.num_points();
  if (result.vertices > limits.vertices)
    throw std::runtime_error("exceeds the limit of " + std::to_string(limits.vertices) + " vertices");
  for (draco::FaceIndex face(0); face < mesh.num_faces(); ++face)
    for (const draco::PointIndex& point : mesh.face(face)) {
      if (point.value() >= result.vertices) throw std::runtime_error(kDamaged);
      result.indices.push_back(point.value());
    }
  for (const int id : wanted) {
    const draco::PointAttribute* const attribute = mesh.GetAttributeByUniqueId(static_cast<std::uint32_t>(id));
    if (attribute == nullptr) throw std::runtime_error("its Draco mesh has no attribute " + std::to_string(id));
    result.attributes.push_back(valuesOf(*attribute, result.vertices));
  }
  return result;
}

#else

DracoMesh decodeDraco(std::string_view, std::span<const int>, const ModelLimits&) {
  throw std::runtime_error(
      "is compressed by Draco, and this program was built without Draco: save the model without "
      "KHR_draco_mesh_compression");
}

#endif

namespace {

// The accessors of a primitive, and the unique ids of their attributes in its compressed mesh.
struct Wanted {
  std::vector<int> accessors, ids;
};

Wanted wantedOf(const Item& primitive, const Item& compressed, const Accessors& accessors) {
  constexpr int kMaxIds = 65'535;
  Wanted wanted;
  const auto attributes = primitive.object("attributes"), ids = compressed.object("attributes");
  if (!attributes || !ids) fail(compressed.where(), "has no attributes");
  for (const char* name : kAttributes) {
    const int accessor = attributes->index(name, accessors.size());
    const auto id = static_cast<int>(ids->integer(name, -1, 0, kMaxIds));
    if (accessor < 0 || id < 0) continue;
    wanted.accessors.push_back(accessor);
    wanted.ids.push_back(id);
  }
  return wanted;
}

}  // namespace

void readDraco(const Item& root, const Buffers& buffers, const ModelLimits& limits, LoadProgress& progress,
               Accessors& accessors) {
  ModelLimits left = limits;
  for (const Item& mesh : root.list("meshes", limits.items))
    for (const Item& primitive : mesh.list("primitives", limits.items)) {
      const auto compressed = primitive.extension("KHR_draco_mesh_compression");
      if (!compressed) continue;
      progress.report(0.12f, "decompressing meshes");
      Wanted wanted = wantedOf(primitive, *compressed, accessors);
      const int indices = primitive.index("indices", accessors.size());
      const auto has = [&](int accessor) { return accessors.hasValues(accessor); };
      if (std::ranges::all_of(wanted.accessors, has) && (indices < 0 || has(indices))) continue;
      try {
        DracoMesh decoded = decodeDraco(buffers.view(*compressed).bytes, wanted.ids, left);
        left.triangles -= decoded.indices.size() / 3;
        left.vertices -= decoded.vertices;
        if (indices >= 0) accessors.provide(indices, decoded.indices);
        for (std::size_t i = 0; i < wanted.accessors.size(); ++i)
          accessors.provide(wanted.accessors[i], std::move(decoded.attributes[i].bytes),
                            decoded.attributes[i].componentType, decoded.attributes[i].components);
      } catch (const std::runtime_error& error) {
        fail(primitive.where(), error.what());
      }
    }
}

}  // namespace satdof::gltf
