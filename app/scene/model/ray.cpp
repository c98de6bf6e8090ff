#include "app/scene/model/ray.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <span>

namespace satdof {

namespace {

constexpr float kNone = std::numeric_limits<float>::infinity();

bool meets(const Ray& ray, const Bounds& bounds) {
  if (bounds.empty()) return false;
  const glm::vec3 to = bounds.centre() - ray.from;
  const float along = glm::dot(to, ray.direction) / glm::dot(ray.direction, ray.direction);
  return glm::distance(to, std::max(along, 0.0f) * ray.direction) <= bounds.radius();
}

// Möller and Trumbore 1997; both sides of the triangle.
float distanceOf(const Ray& ray, const std::array<glm::vec3, 3>& corners) {
  const glm::dvec3 direction(ray.direction), u(corners[1] - corners[0]), v(corners[2] - corners[0]),
      from(ray.from - corners[0]);
  const glm::dvec3 p = glm::cross(direction, v), q = glm::cross(from, u);
  const double volume = glm::dot(u, p);
  if (volume == 0.0) return kNone;
  const double a = glm::dot(from, p) / volume, b = glm::dot(direction, q) / volume,
               t = glm::dot(v, q) / volume;
  return a >= 0.0 && b >= 0.0 && a + b <= 1.0 && t > 0.0 ? static_cast<float>(t) : kNone;
}

// The vertices of a primitive at a node, in the world.
struct Placed {
  const ModelData& model;
  const Primitive& primitive;
  glm::mat4 world;
  std::span<const glm::mat4> joints;  // empty: not skinned
  std::span<const float> weights;

  Bounds bounds() const {
    return joints.empty() ? primitive.morphed(weights).transformed(world)
                          : primitive.skinnedBy(joints, weights);
  }
  glm::vec3 vertex(std::uint32_t index) const {
    const std::size_t at = std::size_t{primitive.firstVertex} + index;
    glm::vec3 position = model.vertices[at].position;
    for (std::size_t i = 0; i < std::min(weights.size(), primitive.targets.size()); ++i)
      if (weights[i] != 0.0f)
        position += weights[i] * model.displacements[primitive.targets[i].first + index].position;
    if (joints.empty()) return glm::vec3(world * glm::vec4(position, 1.0f));
    glm::vec3 sum(0.0f);
    const ModelWeights& by = model.weights[at];
    for (int k = 0; k < 4; ++k)
      if (by.joints[k] < joints.size())
        sum += by.weights[k] * glm::vec3(joints[by.joints[k]] * glm::vec4(position, 1.0f));
    return sum;
  }
  float firstHit(const Ray& ray) const {
    float nearest = kNone;
    for (std::uint32_t i = 0; i + 2 < primitive.indices; i += 3) {
      const std::uint32_t* const at = &model.indices[primitive.firstIndex + i];
      nearest = std::min(nearest, distanceOf(ray, {vertex(at[0]), vertex(at[1]), vertex(at[2])}));
    }
    return nearest;
  }
};

}  // namespace

std::optional<float> firstHit(const ModelData& model, const std::vector<glm::mat4>& world,
                              const std::vector<float>& weights, const Ray& ray) {
  float nearest = kNone;
  for (std::size_t at = 0; at < model.nodes.size(); ++at) {
    const ModelNode& node = model.nodes[at];
    if (node.mesh < 0) continue;
    std::vector<glm::mat4> joints;
    if (node.skin >= 0) {
      const ModelSkin& skin = model.skins[static_cast<std::size_t>(node.skin)];
      for (std::size_t j = 0; j < skin.joints.size(); ++j)
        joints.push_back(world[static_cast<std::size_t>(skin.joints[j])] * skin.inverseBinding[j]);
    }
    const ModelMesh& mesh = model.meshes[static_cast<std::size_t>(node.mesh)];
    for (const Primitive& primitive : mesh.primitives) {
      if (model.materials[static_cast<std::size_t>(primitive.material)].alphaMode == AlphaMode::blend)
        continue;
      const Placed placed{
          model, primitive, world[at],
          primitive.skinned ? std::span<const glm::mat4>(joints) : std::span<const glm::mat4>(),
          std::span(weights).subspan(node.firstWeight, mesh.targets)};
      if (meets(ray, placed.bounds())) nearest = std::min(nearest, placed.firstHit(ray));
    }
  }
  return nearest < kNone ? std::optional(nearest) : std::nullopt;
}

}  // namespace satdof
