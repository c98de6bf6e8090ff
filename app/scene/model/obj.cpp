#if SATDOF_HAS_TINYOBJLOADER
#include <tiny_obj_loader.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <map>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

#include "app/core/foreign_text.h"
#include "app/scene/model/reader.h"

// Wavefront OBJ with MTL, by tinyobjloader. Materials become metallic-roughness.
namespace satdof {

#if SATDOF_HAS_TINYOBJLOADER

namespace {

constexpr std::size_t kLongestLine = 8192;  // faces are triangulated in quadratic time

// Refuses what tinyobjloader 2.0rc10 does not survive: long faces, and weights of vertices, which it casts to
// integers unchecked. It takes \r for the end of a line, too.
void requireHarmlessLines(std::string_view text) {
  std::size_t start = 0;
  for (std::size_t line = 1; start < text.size(); ++line) {
    const std::size_t end = std::min(text.find_first_of("\n\r", start), text.size());
    const std::string_view content = text.substr(start, end - start);
    if (content.size() > kLongestLine)
      throw std::runtime_error("line " + std::to_string(line) + " is longer than " +
                               std::to_string(kLongestLine) + " characters");
    const std::size_t word = std::min(content.find_first_not_of(" \t"), content.size());
    if (content.substr(word).starts_with("vw"))
      throw std::runtime_error("line " + std::to_string(line) + ": weights of vertices (vw) are not known");
    start = end + 1;
  }
}

// A stream over bytes that stay where they are.
class BytesBuffer : public std::streambuf {
 public:
  explicit BytesBuffer(std::string_view bytes) {
    char* first =
        const_cast<char*>(bytes.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast): only read
    setg(first, first, first + bytes.size());
  }
};

class MaterialFiles : public tinyobj::MaterialReader {
 public:
  explicit MaterialFiles(const ModelSource& source) : source_(source) {}
  bool operator()(const std::string& name, std::vector<tinyobj::material_t>* materials,
                  std::map<std::string, int>* byName, std::string* warning, std::string* error) override {
    try {
      std::istringstream stream(readBeside(source_.folder, name, source_.limits.jsonBytes));
      requireHarmlessLines(stream.view());
      tinyobj::LoadMtl(byName, materials, &stream, warning, error);
      return true;
    } catch (const std::runtime_error& failure) {
      *warning += failure.what();
      return false;
    }
  }

 private:
  const ModelSource& source_;
};

struct Corner {
  int vertex, normal, uv;
  bool operator==(const Corner&) const = default;
};
struct CornerHash {
  std::size_t operator()(const Corner& c) const {
    std::uint64_t h = static_cast<std::uint32_t>(c.vertex);
    for (const int part : {c.normal, c.uv})
      h = (h ^ static_cast<std::uint32_t>(part)) * 0x9e3779b97f4a7c15u + (h << 7);
    return static_cast<std::size_t>(h ^ (h >> 29));
  }
};

float finite(float value) { return std::isfinite(value) ? std::clamp(value, -1e9f, 1e9f) : 0.0f; }

class ObjReader {
 public:
  ObjReader(const ModelSource& source, LoadProgress& progress) : source_(source), progress_(progress) {}

  ModelData read() {
    requireHarmlessLines(source_.bytes);
    progress_.report(0.1f, "reading the description");
    BytesBuffer buffer(source_.bytes);
    std::istream stream(&buffer);
    MaterialFiles files(source_);
    std::string warning, error;
    const bool good =
        tinyobj::LoadObj(&attributes_, &shapes_, &materials_, &warning, &error, &stream, &files);
    if (!good) throw std::runtime_error("damaged OBJ: " + excerpt(error.substr(0, error.find('\n')), 200));
    if (!warning.empty()) addNote(model_.notes, excerpt(warning.substr(0, warning.find('\n')), 200));
    progress_.report(0.5f, "reading materials");
    for (const auto& material : materials_) addMaterial(material);
    model_.materials.emplace_back();  // of faces without a material
    for (ModelMaterial& material : model_.materials) material.doubleSided = true;
    std::size_t done = 0;
    for (const auto& shape : shapes_) {
      progress_.report(0.6f + 0.4f * static_cast<float>(done++) / static_cast<float>(shapes_.size()),
                       "reading meshes");
      addShape(shape);
    }
    return std::move(model_);
  }

 private:
  int image(std::string name) {
    if (name.empty()) return -1;
    std::ranges::replace(name, '\\', '/');
    if (const auto known = images_.find(name); known != images_.end()) return known->second;
    int index = -1;
    try {
      ModelLimits limits = source_.limits;
      limits.imageBytes -= std::min(limits.imageBytes, imageBytes_);
      ModelImage decoded = decodeImage(readBeside(source_.folder, name, limits.fileBytes), limits);
      imageBytes_ += decoded.texels.size() * 4;
      index = static_cast<int>(model_.images.size());
      model_.images.push_back(std::move(decoded));
    } catch (const std::runtime_error& error) {
      addNote(model_.notes, excerpt(name, 100) + ": " + error.what());
    }
    images_.emplace(name, index);
    return index;
  }

  void addMaterial(const tinyobj::material_t& from) {
    progress_.throwIfCancelled();
    ModelMaterial m;
    m.name = from.name;
    const auto linear = [](float v) { return std::pow(std::clamp(finite(v), 0.0f, 1.0f), 2.2f); };
    m.baseColour = {linear(from.diffuse[0]), linear(from.diffuse[1]), linear(from.diffuse[2]),
                    std::clamp(finite(from.dissolve), 0.0f, 1.0f)};
    m.metallic = std::clamp(finite(from.metallic), 0.0f, 1.0f);
    // Blinn-Phong exponent n: alpha^2 = 2 / (n + 2), roughness^2 = alpha (Karis 2013).
    const float shininess = std::max(finite(from.shininess), 0.0f);
    m.roughness = from.roughness > 0.0f ? std::clamp(finite(from.roughness), 0.0f, 1.0f)
                                        : std::pow(2.0f / (shininess + 2.0f), 0.25f);
    m.emissive = glm::max(
        glm::vec3(finite(from.emission[0]), finite(from.emission[1]), finite(from.emission[2])), 0.0f);
    m.baseColourTexture.image = image(from.diffuse_texname);
    if (m.baseColourTexture && m.baseColour.r + m.baseColour.g + m.baseColour.b == 0.0f)
      m.baseColour = {1.0f, 1.0f, 1.0f, m.baseColour.a};
    m.normalTexture.image = image(from.normal_texname);
    m.emissiveTexture.image = image(from.emissive_texname);
    if (m.emissiveTexture && m.emissive == glm::vec3(0.0f)) m.emissive = glm::vec3(1.0f);
    if (m.baseColour.a < 1.0f)
      m.alphaMode = AlphaMode::blend;
    else if (!from.alpha_texname.empty())
      m.alphaMode = AlphaMode::mask;
    model_.materials.push_back(m);
  }

  // A primitive for each material of the shape.
  void addShape(const tinyobj::shape_t& shape) {
    std::map<int, std::vector<std::size_t>> faces;  // by material
    const auto& mesh = shape.mesh;
    for (std::size_t face = 0; 3 * face + 2 < mesh.indices.size(); ++face) {
      const int material = face < mesh.material_ids.size() ? mesh.material_ids[face] : -1;
      const bool known = material >= 0 && static_cast<std::size_t>(material) < materials_.size();
      faces[known ? material : static_cast<int>(materials_.size())].push_back(face);
    }
    if (faces.empty()) return;
    ModelMesh added;
    added.name = shape.name;
    for (const auto& [material, list] : faces) added.primitives.push_back(primitive(mesh, material, list));
    std::erase_if(added.primitives, [](const Primitive& p) { return p.indices == 0; });
    ModelNode node;
    node.name = shape.name;
    node.mesh = static_cast<int>(model_.meshes.size());
    model_.meshes.push_back(std::move(added));
    model_.nodes.push_back(node);
  }

  Primitive primitive(const tinyobj::mesh_t& mesh, int material, const std::vector<std::size_t>& faces) {
    Primitive p;
    p.firstIndex = static_cast<std::uint32_t>(model_.indices.size());
    p.firstVertex = static_cast<std::uint32_t>(model_.vertices.size());
    p.material = material;
    if (model_.indices.size() / 3 + faces.size() > source_.limits.triangles)
      throw std::runtime_error("it has more than " + std::to_string(source_.limits.triangles) + " triangles");
    std::unordered_map<Corner, std::uint32_t, CornerHash> known;
    const std::size_t positions = attributes_.vertices.size() / 3;
    for (const std::size_t face : faces) {
      const auto* corners = &mesh.indices[3 * face];
      const auto outside = [&](const tinyobj::index_t& c) {
        return c.vertex_index < 0 || static_cast<std::size_t>(c.vertex_index) >= positions;
      };
      if (std::any_of(corners, corners + 3, outside)) continue;
      for (int i = 0; i < 3; ++i) {
        const Corner corner{corners[i].vertex_index, corners[i].normal_index, corners[i].texcoord_index};
        const auto [at, isNew] =
            known.try_emplace(corner, static_cast<std::uint32_t>(model_.vertices.size() - p.firstVertex));
        if (isNew) model_.vertices.push_back(vertex(corner));
        model_.indices.push_back(at->second);
      }
    }
    p.indices = static_cast<std::uint32_t>(model_.indices.size()) - p.firstIndex;
    p.vertices = static_cast<std::uint32_t>(model_.vertices.size()) - p.firstVertex;
    if (model_.vertices.size() > source_.limits.vertices)
      throw std::runtime_error("it has too many vertices");
    for (std::size_t i = p.firstVertex; i < model_.vertices.size(); ++i)
      p.bounds.add(model_.vertices[i].position);
    smoothMissingNormals(p, known);
    if (model_.materials[static_cast<std::size_t>(material)].normalTexture) computeTangents(model_, p);
    return p;
  }

  ModelVertex vertex(const Corner& corner) const {
    ModelVertex v;
    const auto at = [](const std::vector<tinyobj::real_t>& values, int index, int width, int c) {
      const std::size_t i =
          static_cast<std::size_t>(index) * static_cast<std::size_t>(width) + static_cast<std::size_t>(c);
      return index >= 0 && i < values.size() ? finite(values[i]) : 0.0f;
    };
    for (int c = 0; c < 3; ++c) {
      v.position[c] = at(attributes_.vertices, corner.vertex, 3, c);
      v.normal[c] = at(attributes_.normals, corner.normal, 3, c);
    }
    if (corner.uv >= 0)
      v.uv = {at(attributes_.texcoords, corner.uv, 2, 0), 1.0f - at(attributes_.texcoords, corner.uv, 2, 1),
              0, 0};
    const float length = glm::length(v.normal);
    v.normal = length > 0.0f ? v.normal / length : glm::vec3(0.0f);
    return v;
  }

  // The sum of the triangles' normals at a position, weighted by area.
  void smoothMissingNormals(const Primitive& p,
                            const std::unordered_map<Corner, std::uint32_t, CornerHash>& corners) {
    auto* vertices = model_.vertices.data() + p.firstVertex;
    const auto* indices = model_.indices.data() + p.firstIndex;
    std::unordered_map<int, glm::vec3> sums;
    std::vector<int> position(p.vertices);
    for (const auto& [corner, index] : corners) {
      position[index] = corner.vertex;
      if (vertices[index].normal == glm::vec3(0.0f)) sums.emplace(corner.vertex, glm::vec3(0.0f));
    }
    if (sums.empty()) return;
    for (std::uint32_t i = 0; i + 2 < p.indices; i += 3) {
      const glm::vec3 a = vertices[indices[i]].position;
      const glm::vec3 normal =
          glm::cross(vertices[indices[i + 1]].position - a, vertices[indices[i + 2]].position - a);
      for (std::uint32_t k = 0; k < 3; ++k)
        if (const auto sum = sums.find(position[indices[i + k]]); sum != sums.end()) sum->second += normal;
    }
    for (std::uint32_t i = 0; i < p.vertices; ++i) {
      if (vertices[i].normal != glm::vec3(0.0f)) continue;
      const glm::vec3 sum = sums[position[i]];
      const float length = glm::length(sum);
      vertices[i].normal = length > 0.0f ? sum / length : glm::vec3(0.0f, 1.0f, 0.0f);
    }
  }

  const ModelSource& source_;
  LoadProgress& progress_;
  ModelData model_;
  tinyobj::attrib_t attributes_;
  std::vector<tinyobj::shape_t> shapes_;
  std::vector<tinyobj::material_t> materials_;
  std::map<std::string, int> images_;
  std::size_t imageBytes_ = 0;
};

}  // namespace

ModelData parseObj(const ModelSource& source, LoadProgress& progress) {
  return ObjReader(source, progress).read();
}

#else

ModelData parseObj(const ModelSource&, LoadProgress&) {
  throw std::runtime_error("this build cannot read OBJ: install libtinyobjloader-dev and build again");
}

#endif

}  // namespace satdof
