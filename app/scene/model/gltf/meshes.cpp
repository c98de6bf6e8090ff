#include "app/scene/model/gltf/meshes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <map>
#include <span>
#include <string>

#include "app/core/system/resources.h"
#include "app/scene/model/entry.h"

namespace satdof::gltf {

namespace {

// Values of `primitive.mode`; smaller ones are points and lines.
constexpr int kTriangles = 4, kTriangleStrip = 5, kTriangleFan = 6;

glm::vec3 clamped(std::span<const float> v) { return glm::clamp(glm::vec3(v[0], v[1], v[2]), -1e9f, 1e9f); }

// Adds primitives to a model.
class MeshReader {
 public:
  MeshReader(const Accessors& accessors, const ModelLimits& limits, LoadProgress& progress, ModelData& model)
      : accessors_(accessors), limits_(limits), progress_(progress), model_(model) {}

  void add(const Item& item, ModelMesh& mesh) {
    Range range = readVertices(item);
    const std::size_t vertices = range.count;
    const auto indices = readIndices(item, range);
    if (indices.empty()) return;
    Primitive primitive;
    primitive.firstIndex = static_cast<std::uint32_t>(model_.indices.size());
    primitive.indices = static_cast<std::uint32_t>(indices.size());
    primitive.skinned = range.skinned;
    primitive.material = item.index("material", model_.materials.size());
    if (primitive.material < 0) primitive.material = defaultMaterial();
    if (range.normals) {
      model_.indices.insert(model_.indices.end(), indices.begin(), indices.end());
    } else {
      range = unshared(range, indices, item);
      for (std::uint32_t i = 0; i < primitive.indices; ++i) model_.indices.push_back(i);
    }
    primitive.firstVertex = static_cast<std::uint32_t>(range.first);
    primitive.vertices = static_cast<std::uint32_t>(range.count);
    if (!range.normals) computeFlatNormals(model_, primitive);
    const ModelMaterial& material = entry(model_.materials, primitive.material);
    if (material.normalTexture && (!range.tangents || !range.normals)) {
      tangentWork_ += range.count;
      if (tangentWork_ > 10 * limits_.vertices) fail(item.where(), "shares its vertices too often");
      computeTangents(model_, primitive);
    }
    for (const auto i : indices)
      primitive.bounds.add(model_.vertices[range.normals ? range.first + i : range.first].position);
    if (!range.normals)
      for (const auto& vertex : std::span(model_.vertices).subspan(range.first, range.count))
        primitive.bounds.add(vertex.position);
    if (range.skinned) setJoints(primitive);
    readTargets(item, vertices, range.normals ? std::vector<std::uint32_t>() : indices, primitive);
    mesh.targets = std::max(mesh.targets, primitive.targets.size());
    mesh.primitives.push_back(std::move(primitive));
  }

 private:
  // The vertices of a primitive. Primitives with the same accessors share vertices.
  struct Range {
    std::size_t first = 0, count = 0;
    bool normals = false, tangents = false, skinned = false;
  };

  // Sets Primitive::joints: the bounds of the vertices that each joint moves.
  void setJoints(Primitive& primitive) {
    std::vector<std::size_t> moved;
    for (std::uint32_t i = 0; i < primitive.indices; ++i) {
      const std::size_t vertex = primitive.firstVertex + model_.indices[primitive.firstIndex + i];
      const ModelWeights& by = model_.weights[vertex];
      for (int k = 0; k < 4; ++k) {
        if (by.weights[k] <= 0.0f) continue;
        const std::size_t joint = by.joints[k];
        if (joint >= jointBounds_.size()) jointBounds_.resize(joint + 1);
        if (jointBounds_[joint].empty()) moved.push_back(joint);
        jointBounds_[joint].add(model_.vertices[vertex].position);
      }
    }
    for (const std::size_t joint : moved) {
      primitive.joints.push_back({joint, jointBounds_[joint]});
      jointBounds_[joint] = {};
    }
  }

  // Reads the morph targets of a primitive, of `vertices` vertices in the file. `from`: the vertex of the file for each
  // vertex of the primitive; empty: the same.
  void readTargets(const Item& item, std::size_t vertices, const std::vector<std::uint32_t>& from,
                   Primitive& primitive) {
    const auto targets = item.list("targets", limits_.items);
    displaced_ += std::max<std::size_t>(primitive.vertices, vertices) * targets.size();
    if (displaced_ > limits_.displacements)
      fail(item.whereOf("targets"),
           "displace more than " + std::to_string(limits_.displacements) + " vertices, with those before");
    for (const Item& target : targets) {
      progress_.throwIfCancelled();
      std::vector<Displacement> read(vertices);
      const auto fill = [&](const char* name, auto member) {
        const int index = target.index(name, accessors_.size());
        if (index < 0) return;
        const Accessor a = accessors_.accessor(index, {3}, vertices);
        if (a.count != vertices) fail(a.where, "has another number of elements than POSITION");
        accessors_.forEach(index, a, [&](std::size_t i, std::span<const float> v) { (read[i].*member) = clamped(v); });
      };
      fill("POSITION", &Displacement::position);
      fill("NORMAL", &Displacement::normal);
      MorphTarget added{static_cast<std::uint32_t>(model_.displacements.size()), {}};
      for (std::size_t i = 0; i < primitive.vertices; ++i) {
        const Displacement& by = read[from.empty() ? i : from[i]];
        added.displacement.add(by.position);
        model_.displacements.push_back(by);
      }
      primitive.targets.push_back(added);
    }
  }

  Range readVertices(const Item& primitive) {
    const auto attributes = primitive.object("attributes");
    if (!attributes) fail(primitive.where(), "has no attributes");
    std::array<int, kAttributes.size()> key;
    for (std::size_t i = 0; i < kAttributes.size(); ++i) key[i] = attributes->index(kAttributes[i], accessors_.size());
    if (const auto known = ranges_.find(key); known != ranges_.end()) return known->second;
    const auto [position, normal, tangent, uv0, uv1, colour, joints, weights] = key;
    if (position < 0) fail(attributes->where(), "has no POSITION");

    Range range;
    range.first = model_.vertices.size();
    range.count = accessors_.accessor(position, {3}, limits_.vertices - range.first).count;
    if (primitive.index("indices", accessors_.size()) < 0 && range.count > maxIndices())
      fail(primitive.where(), tooManyTriangles());
    requireMemory(static_cast<double>(range.count) * sizeof(ModelVertex));
    range.normals = normal >= 0;
    range.tangents = tangent >= 0;
    range.skinned = joints >= 0 && weights >= 0;
    model_.vertices.resize(range.first + range.count);
    const auto fill = [&](int index, std::initializer_list<std::size_t> components, auto set) {
      if (index < 0) return;
      progress_.throwIfCancelled();
      const Accessor a = accessors_.accessor(index, components, range.count);
      if (a.count != range.count) fail(a.where, "has another number of elements than POSITION");
      accessors_.forEach(index, a,
                         [&](std::size_t i, std::span<const float> v) { set(model_.vertices[range.first + i], v); });
    };
    using Values = std::span<const float>;
    fill(position, {3}, [](ModelVertex& vertex, Values v) { vertex.position = clamped(v); });
    fill(normal, {3}, [](ModelVertex& vertex, Values v) { vertex.normal = {v[0], v[1], v[2]}; });
    fill(tangent, {4}, [](ModelVertex& vertex, Values v) { vertex.tangent = {v[0], v[1], v[2], v[3]}; });
    fill(uv0, {2}, [](ModelVertex& vertex, Values v) {
      vertex.uv.x = v[0];
      vertex.uv.y = v[1];
    });
    fill(uv1, {2}, [](ModelVertex& vertex, Values v) {
      vertex.uv.z = v[0];
      vertex.uv.w = v[1];
    });
    fill(colour, {3, 4}, [](ModelVertex& vertex, Values v) {
      for (std::size_t c = 0; c < v.size(); ++c)
        vertex.colour[static_cast<int>(c)] =
            static_cast<std::uint16_t>(std::lround(std::clamp(v[c], 0.0f, 1.0f) * 65535.0f));
    });
    for (auto& vertex : std::span(model_.vertices).subspan(range.first))
      if (const float length = glm::length(vertex.normal); length > 0.0f)
        vertex.normal /= length;
      else
        vertex.normal = {0.0f, 1.0f, 0.0f};
    if (range.skinned) readWeights(range, joints, weights);
    ranges_.emplace(key, range);
    return range;
  }

  void readWeights(const Range& range, int joints, int weights) {
    model_.weights.resize(range.first + range.count);
    const auto at = std::span(model_.weights).subspan(range.first);
    const Accessor j = accessors_.accessor(joints, {4}, range.count),
                   w = accessors_.accessor(weights, {4}, range.count);
    if (j.count != range.count || w.count != range.count) fail(j.where, "has another number of elements than POSITION");
    accessors_.forEach(joints, j, [&](std::size_t i, std::span<const float> v) {
      at[i].joints = glm::clamp(glm::vec4(v[0], v[1], v[2], v[3]), 0.0f, 65535.0f);
    });
    accessors_.forEach(weights, w, [&](std::size_t i, std::span<const float> v) {
      at[i].weights = glm::clamp(glm::vec4(v[0], v[1], v[2], v[3]), 0.0f, 1e6f);
    });
    for (ModelWeights& vertex : at) {
      const float sum = vertex.weights.x + vertex.weights.y + vertex.weights.z + vertex.weights.w;
      vertex.weights = sum > 0.0f ? vertex.weights / sum : glm::vec4(1.0f, 0.0f, 0.0f, 0.0f);
    }
  }

  std::string tooManyTriangles() const {
    return "exceeds the limit of " + std::to_string(limits_.triangles) + " triangles";
  }

  std::size_t maxIndices() const { return 3 * limits_.triangles - model_.indices.size(); }

  // Returns the indices of triangles: strips and fans are split. Empty for points and lines.
  std::vector<std::uint32_t> readIndices(const Item& primitive, const Range& range) {
    std::vector<std::uint32_t> indices;
    if (const int index = primitive.index("indices", accessors_.size()); index >= 0) {
      if (accessors_.statedCount(index) > static_cast<std::int64_t>(maxIndices()))
        fail(primitive.where(), tooManyTriangles());
      const Accessor a = accessors_.accessor(index, {1}, maxIndices());
      requireMemory(static_cast<double>(a.count) * sizeof(std::uint32_t));
      indices.resize(a.count);
      for (std::size_t i = 0; i < a.count && a.data != nullptr; ++i) {
        indices[i] = unsignedComponent(a, a.data + i * a.stride);
        if (indices[i] >= range.count) fail(a.where, "has an index beyond the vertices");
      }
      if (a.data == nullptr && range.count == 0) indices.clear();
    } else {
      if (range.count > maxIndices()) fail(primitive.where(), tooManyTriangles());
      indices.resize(range.count);
      for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint32_t>(i);
    }
    const auto mode = primitive.integer("mode", kTriangles, 0, kTriangleFan);
    if (mode < kTriangles) {
      addNote(model_.notes, "points and lines are left out");
      return {};
    }
    if (mode == kTriangles) {
      indices.resize(indices.size() / 3 * 3);
      return indices;
    }
    if (indices.size() < 3) return {};
    if (indices.size() - 2 > maxIndices() / 3) fail(primitive.where(), tooManyTriangles());
    std::vector<std::uint32_t> triangles;
    triangles.reserve(3 * (indices.size() - 2));
    for (std::size_t i = 0; i + 2 < indices.size(); ++i) {
      const bool odd = i % 2 == 1;
      if (mode == kTriangleStrip)
        triangles.insert(triangles.end(), {indices[i], indices[i + (odd ? 2 : 1)], indices[i + (odd ? 1 : 2)]});
      else
        triangles.insert(triangles.end(), {indices[0], indices[i + 1], indices[i + 2]});
    }
    return triangles;
  }

  // Copies a vertex for every index: flat shading needs a normal per triangle.
  Range unshared(const Range& range, const std::vector<std::uint32_t>& indices, const Item& item) {
    Range copy = range;
    copy.first = model_.vertices.size();
    copy.count = indices.size();
    if (copy.count > limits_.vertices - copy.first) fail(item.where(), "exceeds the limit of vertices");
    requireMemory(static_cast<double>(copy.count) * sizeof(ModelVertex));
    for (const auto i : indices) model_.vertices.push_back(model_.vertices[range.first + i]);
    if (range.skinned) {
      model_.weights.resize(copy.first);
      for (const auto i : indices) model_.weights.push_back(model_.weights[range.first + i]);
    }
    return copy;
  }

  int defaultMaterial() {
    if (defaultMaterial_ < 0) {
      defaultMaterial_ = static_cast<int>(model_.materials.size());
      model_.materials.emplace_back();
    }
    return defaultMaterial_;
  }

  const Accessors& accessors_;
  const ModelLimits& limits_;
  LoadProgress& progress_;
  ModelData& model_;
  std::map<std::array<int, 8>, Range> ranges_;
  int defaultMaterial_ = -1;
  std::vector<Bounds> jointBounds_;  // scratch memory of setJoints(), empty between its calls
  std::size_t tangentWork_ = 0;      // vertices for which tangents were computed
  std::size_t displaced_ = 0;        // vertices of all morph targets
};

}  // namespace

void readMeshes(const Item& root, const Accessors& accessors, const ModelLimits& limits, LoadProgress& progress,
                ModelData& model) {
  MeshReader reader(accessors, limits, progress, model);
  const auto meshes = root.list("meshes", limits.items);
  for (const Item& item : meshes) {
    progress.report(0.15f + 0.35f * static_cast<float>(model.meshes.size()) / static_cast<float>(meshes.size()),
                    "reading meshes");
    ModelMesh mesh;
    mesh.name = item.text("name");
    for (const Item& primitive : item.list("primitives", limits.items)) reader.add(primitive, mesh);
    model.meshes.push_back(std::move(mesh));
  }
  if (!model.weights.empty()) model.weights.resize(model.vertices.size());
}

void setMorphWeights(const Item& root, const Nodes& nodes, const ModelLimits& limits, ModelData& model) {
  const auto meshes = root.list("meshes", limits.items);
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    ModelNode& node = model.nodes[i];
    node.firstWeight = model.morphWeights.size();
    if (node.mesh < 0) continue;
    const auto mesh = static_cast<std::size_t>(node.mesh);
    const std::size_t count = model.meshes[mesh].targets;
    if (count == 0) continue;
    if (count > limits.morphWeights - model.morphWeights.size())
      fail(meshes[mesh].where(), "has too many morph targets");
    const auto own = nodes.weightsOf.find(i);
    auto weights = own != nodes.weightsOf.end() ? own->second : meshes[mesh].numbers("weights", limits.morphWeights);
    weights.resize(count);
    model.morphWeights.insert(model.morphWeights.end(), weights.begin(), weights.end());
  }
}

}  // namespace satdof::gltf
