#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "app/core/text/count_text.h"
#include "app/core/text/number.h"
#include "app/scene/model/entry.h"
#include "app/scene/model/obj/materials.h"
#include "app/scene/model/obj/normals.h"
#include "app/scene/model/obj/polygons.h"
#include "app/scene/model/obj/text.h"
#include "app/scene/model/reader.h"

// Wavefront OBJ with MTL. Materials become metallic-roughness.
namespace satdof {

namespace obj {

namespace {

// Corners with equal keys share a vertex.
struct VertexKey {
  int position, uv, normal;  // normal below 0: Normals::Result::key
  bool operator==(const VertexKey&) const = default;
};
struct VertexKeyHash {
  std::size_t operator()(const VertexKey& key) const {
    std::uint64_t h = static_cast<std::uint32_t>(key.position);
    for (const int part : {key.normal, key.uv})
      h = (h ^ static_cast<std::uint32_t>(part)) * 0x9e3779b97f4a7c15u + (h << 7);
    return static_cast<std::size_t>(h ^ (h >> 29));
  }
};

class Reader {
 public:
  Reader(const ModelSource& source, LoadProgress& progress)
      : source_(source), progress_(progress), materials_(source, progress, model_) {}

  ModelData read() {
    progress_.report(0.05f, "reading the description");
    std::size_t count = 0;
    for (Lines lines(source_.bytes); lines.next(); ++count) {
      if (count % 65536 == 0) progress_.report(0.05f, "reading the description");
      statement(lines.keyword(), lines.rest());
    }
    checkCorners();
    progress_.report(0.5f, "reading materials");
    if (!colours_.empty()) colours_.resize(positions_.size(), glm::vec3(-1.0f));
    for (Face& face : faces_)
      if (face.material < 0) face.material = materials_.defaultMaterial();
    materials_.finish();
    // Without a material, the colours of the vertices are the base colour.
    if (!colours_.empty()) entry(model_.materials, materials_.defaultMaterial()).baseColour = glm::vec4(1.0f);
    addMeshes();
    return std::move(model_);
  }

 private:
  void statement(std::string_view keyword, std::string_view rest) {
    if (keyword == "v") return addPosition(rest);
    if (keyword == "vt") return add(uvs_, rest);
    if (keyword == "vn") return add(normals_, rest);
    if (keyword == "f" || keyword == "fo") return addFace(rest);
    if (keyword == "usemtl") material_ = rest.empty() ? -1 : materials_.find(rest);
    if (keyword == "mtllib") materials_.readLibraries(rest);
    if (keyword == "o" || keyword == "g") shape_ = shapeOf(rest);
    if (keyword == "s") {
      hasGroups_ = true;
      smoothing_ = static_cast<int>(std::clamp(numberOf(rest).value_or(rest == "on" ? 1.0 : 0.0), 0.0, 1e9));
    }
    if (keyword == "l" || keyword == "p") addNote(model_.notes, "points and lines are left out");
    if (keyword == "curv" || keyword == "curv2" || keyword == "surf")
      addNote(model_.notes, "free-form curves and surfaces are left out");
  }

  // Coordinates far from the origin are stored relative to the first position.
  void addPosition(std::string_view rest) {
    constexpr double kFar = 1e4;
    requireVertexLimit(positions_.size());
    std::array<double, 7> numbers{};
    std::size_t count = 0;
    for (; count < numbers.size(); ++count) {
      const auto number = numberOf(takeWord(rest));
      if (!number) break;
      numbers[count] = *number;
    }
    if (count < 3) addNote(model_.notes, "vertices without three finite numbers: 0 stands for the missing ones");
    const glm::dvec3 at(numbers[0], numbers[1], numbers[2]);
    if (positions_.empty() && glm::length(at) > kFar) origin_ = glm::round(at);
    positions_.emplace_back(at - origin_);
    if (count < 6) return;
    colours_.resize(positions_.size(), glm::vec3(-1.0f));
    colours_.back() = glm::max(glm::vec3(numbers[3], numbers[4], numbers[5]), 0.0f);
  }

  template <class Vector>
  void add(std::vector<Vector>& list, std::string_view rest) {
    requireVertexLimit(list.size());
    Vector value(0.0f);
    for (int c = 0; c < Vector::length(); ++c) value[c] = static_cast<float>(numberOf(takeWord(rest)).value_or(0.0));
    list.push_back(value);
  }

  void requireVertexLimit(std::size_t count) const {
    if (count >= source_.limits.vertices)
      throw std::runtime_error("it has more than " + std::to_string(source_.limits.vertices) + " vertices");
  }

  void requireTriangleLimit(std::size_t count) const {
    if (count > source_.limits.triangles)
      throw std::runtime_error("it has more than " + std::to_string(source_.limits.triangles) + " triangles");
  }

  // Parses position/uv/normal: "1", "1/2", "1//3", "1/2/3". Numbers below 0 count back from the last entry so far.
  Corner corner(std::string_view word) const {
    Corner result;
    const std::array<std::pair<int*, std::size_t>, 3> parts = {
        {{&result.position, positions_.size()}, {&result.uv, uvs_.size()}, {&result.normal, normals_.size()}}};
    for (const auto& [to, size] : parts) {
      const std::size_t end = std::min(word.find('/'), word.size());
      const int value = leadingNumber<int>(word.substr(0, end)).value_or(0);
      if (value > 0) *to = value - 1;
      if (value < 0 && static_cast<std::size_t>(-static_cast<std::int64_t>(value)) <= size)
        *to = static_cast<int>(size) + value;
      word.remove_prefix(std::min(end + 1, word.size()));
    }
    return result;
  }

  void addFace(std::string_view rest) {
    Face face;
    face.firstCorner = static_cast<std::uint32_t>(corners_.size());
    face.shape = shape_;
    face.material = material_;
    face.smoothing = smoothing_;
    while (!rest.empty()) {
      const std::string_view word = takeWord(rest);
      if (word.starts_with('#')) break;
      corners_.push_back(corner(word));
      requireTriangleLimit((corners_.size() + 2) / 3);
    }
    face.corners = static_cast<std::uint32_t>(corners_.size()) - face.firstCorner;
    faces_.push_back(face);
  }

  int shapeOf(std::string_view name) {
    const auto known = shapes_.find(name);
    if (known != shapes_.end()) return known->second;
    if (shapes_.size() >= source_.limits.items) throw std::runtime_error("it has too many groups");
    return shapes_.emplace(std::string(name), static_cast<int>(shapes_.size())).first->second;
  }

  // Removes faces with fewer than three corners or without positions, and invalid indices of normals and coordinates.
  void checkCorners() {
    const auto outside = [](int index, std::size_t size) {
      return index < 0 || static_cast<std::size_t>(index) >= size;
    };
    for (Corner& corner : corners_) {
      if (outside(corner.position, positions_.size())) corner.position = -1;
      if (outside(corner.uv, uvs_.size())) corner.uv = -1;
      if (outside(corner.normal, normals_.size()) || glm::length(entry(normals_, corner.normal)) == 0.0f)
        corner.normal = -1;
    }
    const std::size_t dropped = std::erase_if(faces_, [&](const Face& face) {
      const auto corners = std::span(corners_).subspan(face.firstCorner, face.corners);
      return corners.size() < 3 ||
             std::ranges::any_of(corners, [](const Corner& corner) { return corner.position < 0; });
    });
    if (dropped > 0)
      addNote(model_.notes, countText(dropped, "face") + " without three vertices of the file: left out");
  }

  // Adds a mesh for each group, with a primitive for each of its materials.
  void addMeshes() {
    if (std::ranges::any_of(corners_, [](const Corner& corner) { return corner.normal < 0; }))
      computedNormals_.emplace(positions_, faces_, corners_, hasGroups_);
    // Some programs write vertex colours from 0 to 255.
    if (std::ranges::any_of(colours_, [](const glm::vec3& c) { return std::max({c.r, c.g, c.b}) > 1.5f; }))
      for (glm::vec3& colour : colours_) colour /= 255.0f;
    std::vector<std::string_view> names(shapes_.size() + 1);
    for (const auto& [name, index] : shapes_) entry(names, index) = name;
    std::vector<std::uint32_t> order(faces_.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](std::uint32_t f) { return std::pair(faces_[f].shape, faces_[f].material); };
    std::ranges::stable_sort(order, {}, key);
    int shape = -1;
    for (std::size_t from = 0; from < order.size();) {
      std::size_t to = from;
      while (to < order.size() && key(order[to]) == key(order[from])) ++to;
      progress_.report(0.6f + 0.4f * static_cast<float>(from) / static_cast<float>(order.size()), "reading meshes");
      if (key(order[from]).first != shape) {
        shape = key(order[from]).first;
        ModelNode node;
        node.name = entry(names, shape);
        node.placement.translation = origin_;
        node.mesh = static_cast<int>(model_.meshes.size());
        model_.meshes.emplace_back().name = node.name;
        model_.nodes.push_back(std::move(node));
      }
      model_.meshes.back().primitives.push_back(primitive(std::span(order).subspan(from, to - from)));
      from = to;
    }
  }

  Primitive primitive(std::span<const std::uint32_t> faces) {
    Primitive p;
    p.firstIndex = static_cast<std::uint32_t>(model_.indices.size());
    p.firstVertex = static_cast<std::uint32_t>(model_.vertices.size());
    p.material = faces_[faces[0]].material;
    std::unordered_map<VertexKey, std::uint32_t, VertexKeyHash> known;
    std::vector<glm::vec3> polygon;
    std::vector<std::uint32_t> vertices;
    std::vector<std::size_t> triangles;
    for (const std::uint32_t f : faces) {
      const auto corners = std::span(corners_).subspan(faces_[f].firstCorner, faces_[f].corners);
      polygon.clear();
      vertices.clear();
      triangles.clear();
      for (const Corner& corner : corners) {
        const auto [v, normalKey] = vertex(f, corner);
        polygon.push_back(v.position);
        p.bounds.add(v.position);
        const VertexKey key{corner.position, corner.uv, normalKey};
        const auto next = static_cast<std::uint32_t>(model_.vertices.size()) - p.firstVertex;
        const auto found = normalKey == -1 ? known.end() : known.try_emplace(key, next).first;
        vertices.push_back(found == known.end() ? next : found->second);
        if (vertices.back() != next) continue;
        requireVertexLimit(model_.vertices.size());
        model_.vertices.push_back(v);
      }
      triangulator_.split(polygon, triangles);
      for (const std::size_t corner : triangles) model_.indices.push_back(vertices[corner]);
      requireTriangleLimit(model_.indices.size() / 3);
    }
    p.indices = static_cast<std::uint32_t>(model_.indices.size()) - p.firstIndex;
    p.vertices = static_cast<std::uint32_t>(model_.vertices.size()) - p.firstVertex;
    if (entry(model_.materials, p.material).normalTexture) computeTangents(model_, p);
    return p;
  }

  // Returns the vertex of a corner, and VertexKey::normal; -1: no other corner shares the vertex.
  std::pair<ModelVertex, int> vertex(std::uint32_t face, const Corner& corner) const {
    ModelVertex v;
    const auto position = static_cast<std::size_t>(corner.position);
    v.position = positions_[position];
    int normalKey = corner.normal;
    if (corner.normal >= 0) {
      v.normal = glm::normalize(entry(normals_, corner.normal));
    } else {
      const Normals::Result computed = computedNormals_->at(face, corner.position);
      v.normal = computed.normal;
      normalKey = computed.key;
    }
    if (corner.uv >= 0) {
      const glm::vec2& uv = entry(uvs_, corner.uv);
      v.uv = {uv.x, 1.0f - uv.y, 0.0f, 0.0f};
    }
    if (!colours_.empty() && colours_[position].r >= 0.0f)
      for (int c = 0; c < 3; ++c)
        v.colour[c] =
            static_cast<std::uint16_t>(std::lround(std::pow(std::min(colours_[position][c], 1.0f), 2.2f) * 65535.0f));
    return {v, normalKey};
  }

  const ModelSource& source_;
  LoadProgress& progress_;
  ModelData model_;
  Materials materials_;
  Triangulator triangulator_;
  std::vector<glm::vec3> positions_, normals_;
  std::vector<glm::vec3> colours_;  // gamma-encoded, by position; below 0: none. Empty: no position has a colour
  std::vector<glm::vec2> uvs_;
  std::vector<Corner> corners_;
  std::vector<Face> faces_;
  std::map<std::string, int, std::less<>> shapes_{{"", 0}};
  glm::dvec3 origin_{0.0};
  int shape_ = 0, material_ = -1, smoothing_ = 0;
  bool hasGroups_ = false;
  std::optional<Normals> computedNormals_;  // for corners without normals
};

}  // namespace

}  // namespace obj

ModelData parseObj(const ModelSource& source, LoadProgress& progress) { return obj::Reader(source, progress).read(); }

}  // namespace satdof
