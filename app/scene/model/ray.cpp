#include "app/scene/model/ray.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <span>
#include <utility>

#include "app/scene/model/entry.h"

namespace satdof {

namespace {

constexpr float kNone = std::numeric_limits<float>::infinity();

// Whether the ray meets the bounding sphere of a box.
bool meets(const Ray& ray, const Bounds& bounds) {
  if (bounds.empty()) return false;
  const glm::vec3 to = bounds.centre() - ray.from;
  const float along = glm::dot(to, ray.direction) / glm::dot(ray.direction, ray.direction);
  return glm::distance(to, std::max(along, 0.0f) * ray.direction) <= bounds.radius();
}

// Distance to either side of a triangle, in lengths of the direction; kNone without a hit (Möller and Trumbore 1997).
float distanceOf(const Ray& ray, const std::array<glm::vec3, 3>& corners) {
  const glm::dvec3 direction(ray.direction), u(corners[1] - corners[0]), v(corners[2] - corners[0]),
      from(ray.from - corners[0]);
  const glm::dvec3 p = glm::cross(direction, v), q = glm::cross(from, u);
  const double volume = glm::dot(u, p);
  if (volume == 0.0) return kNone;
  const double a = glm::dot(from, p) / volume, b = glm::dot(direction, q) / volume, t = glm::dot(v, q) / volume;
  return a >= 0.0 && b >= 0.0 && a + b <= 1.0 && t > 0.0 ? static_cast<float>(t) : kNone;
}

// A primitive at a node, in a pose.
struct PosedPrimitive {
  const ModelData& model;
  const Primitive& primitive;
  glm::mat4 world;
  std::span<const glm::mat4> joints;  // empty: not skinned
  std::span<const float> weights;

  Bounds bounds() const {
    return joints.empty() ? primitive.morphed(weights).transformed(world) : primitive.skinnedBy(joints, weights);
  }
  bool rigid() const { return joints.empty() && primitive.targets.empty(); }
  // Position of a vertex after morph targets, before skinning.
  glm::vec3 morphed(std::uint32_t index) const {
    glm::vec3 position = model.vertices[std::size_t{primitive.firstVertex} + index].position;
    for (std::size_t i = 0; i < std::min(weights.size(), primitive.targets.size()); ++i)
      if (weights[i] != 0.0f) position += weights[i] * model.displacements[primitive.targets[i].first + index].position;
    return position;
  }
  // Transform of a morphed vertex to the world.
  glm::mat4 transform(std::uint32_t index) const {
    if (joints.empty()) return world;
    glm::mat4 sum(0.0f);
    const ModelWeights& by = model.weights[std::size_t{primitive.firstVertex} + index];
    for (int k = 0; k < 4; ++k)
      if (by.joints[k] < joints.size()) sum += by.weights[k] * joints[by.joints[k]];
    return sum;
  }
  glm::vec3 vertex(std::uint32_t index) const { return glm::vec3(transform(index) * glm::vec4(morphed(index), 1.0f)); }
  // Returns the distance of the nearest hit, or kNone, and the first vertex of its triangle.
  std::pair<float, std::uint32_t> firstHit(const Ray& ray) const {
    std::pair<float, std::uint32_t> nearest{kNone, 0};
    for (std::uint32_t i = 0; i + 2 < primitive.indices; i += 3) {
      const std::uint32_t* const at = &model.indices[primitive.firstIndex + i];
      const float distance = distanceOf(ray, {vertex(at[0]), vertex(at[1]), vertex(at[2])});
      if (distance < nearest.first) nearest = {distance, at[0]};
    }
    return nearest;
  }
};

// Calls visit(posed, node) for every primitive.
void forEachPrimitive(const ModelData& model, const ModelPose& pose,
                      const std::function<void(const PosedPrimitive&, std::size_t)>& visit) {
  for (std::size_t at = 0; at < model.nodes.size(); ++at) {
    const ModelNode& node = model.nodes[at];
    if (node.mesh < 0) continue;
    std::vector<glm::mat4> joints;
    addJoints(joints, model, node, pose.world);
    const ModelMesh& mesh = entry(model.meshes, node.mesh);
    for (const Primitive& primitive : mesh.primitives)
      visit({model, primitive, pose.world[at],
             primitive.skinned ? std::span<const glm::mat4>(joints) : std::span<const glm::mat4>(),
             std::span(pose.weights).subspan(node.firstWeight, mesh.targets)},
            at);
  }
}

}  // namespace

std::optional<RayHit> firstHit(const ModelData& model, const ModelPose& pose, const Ray& ray) {
  RayHit nearest{kNone, {}};
  forEachPrimitive(model, pose, [&](const PosedPrimitive& posed, std::size_t node) {
    if (entry(model.materials, posed.primitive.material).alphaMode == AlphaMode::blend || !meets(ray, posed.bounds()))
      return;
    const auto [distance, vertex] = posed.firstHit(ray);
    if (distance >= nearest.distance) return;
    const glm::vec4 place(ray.from + distance * ray.direction, 1.0f);
    const glm::vec3 local(glm::inverse(posed.transform(vertex)) * place);
    nearest.distance = distance;
    if (posed.rigid())
      nearest.point = {1 + static_cast<int>(node), local};
    else
      nearest.point = {1 + static_cast<int>(model.nodes.size() + posed.primitive.firstVertex + vertex),
                       local - posed.morphed(vertex)};
  });
  return nearest.distance < kNone ? std::optional(nearest) : std::nullopt;
}

std::optional<glm::vec3> positionOf(const ModelData& model, const ModelPose& pose, const TrackedPoint& point) {
  const auto object = static_cast<std::size_t>(point.object - 1);
  if (object < pose.world.size()) return glm::vec3(pose.world[object] * glm::vec4(point.at, 1.0f));
  std::optional<glm::vec3> found;
  forEachPrimitive(model, pose, [&](const PosedPrimitive& posed, std::size_t) {
    const std::size_t vertex = object - pose.world.size() - posed.primitive.firstVertex;
    if (found || vertex >= posed.primitive.vertices) return;
    const auto index = static_cast<std::uint32_t>(vertex);
    found = glm::vec3(posed.transform(index) * glm::vec4(posed.morphed(index) + point.at, 1.0f));
  });
  return found;
}

}  // namespace satdof
