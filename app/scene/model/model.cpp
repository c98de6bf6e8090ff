#include "app/scene/model/model.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <utility>

#include "app/scene/model/entry.h"

namespace satdof {

namespace {

glm::quat quaternion(const glm::vec4& v) { return {v.w, v.x, v.y, v.z}; }
glm::vec4 vector(const glm::quat& q) { return {q.x, q.y, q.z, q.w}; }

glm::vec4 unit(const glm::vec4& v) {
  const float length = glm::length(v);
  return length > 0.0f ? v / length : glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
}

void apply(const Channel& channel, float timeS, Placement& placement) {
  const glm::vec4 value = valueAt(channel, timeS);
  if (channel.path == Path::translation) placement.translation = glm::vec3(value);
  if (channel.path == Path::rotation) placement.rotation = quaternion(value);
  if (channel.path == Path::scale) placement.scale = value;
}

// The clip, or null, and the time within its period.
std::pair<const Clip*, float> playing(const ModelData& model, int clip, double timeS) {
  if (clip < 0 || static_cast<std::size_t>(clip) >= model.clips.size()) return {nullptr, 0.0f};
  const Clip& found = entry(model.clips, clip);
  const auto duration = static_cast<double>(found.durationS);
  return {&found, static_cast<float>(duration > 0.0 ? std::fmod(timeS, duration) : 0.0)};
}

// A unit vector perpendicular to the unit vector n.
glm::vec3 perpendicular(const glm::vec3& n) {
  const glm::vec3 axis = std::abs(n.x) < 0.7f ? glm::vec3(1.0f, 0.0f, 0.0f) : glm::vec3(0.0f, 1.0f, 0.0f);
  return glm::normalize(glm::cross(axis, n));
}

}  // namespace

void Bounds::add(const glm::vec3& point) {
  low = glm::min(low, point);
  high = glm::max(high, point);
}

void Bounds::add(const Bounds& other) {
  low = glm::min(low, other.low);
  high = glm::max(high, other.high);
}

float Bounds::radius() const { return empty() ? 0.0f : 0.5f * glm::distance(low, high); }

Bounds Bounds::transformed(const glm::mat4& transform) const {
  Bounds result;
  if (empty()) return result;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::vec3 at((corner & 1) != 0 ? high.x : low.x, (corner & 2) != 0 ? high.y : low.y,
                       (corner & 4) != 0 ? high.z : low.z);
    result.add(glm::vec3(transform * glm::vec4(at, 1.0f)));
  }
  return result;
}

Bounds Primitive::morphed(std::span<const float> weights) const {
  Bounds result = bounds;
  for (std::size_t i = 0; i < std::min(weights.size(), targets.size()); ++i) {
    const Bounds& by = targets[i].displacement;
    if (weights[i] == 0.0f || by.empty()) continue;
    result.low += glm::min(weights[i] * by.low, weights[i] * by.high);
    result.high += glm::max(weights[i] * by.low, weights[i] * by.high);
  }
  return result;
}

Bounds Primitive::skinnedBy(std::span<const glm::mat4> jointToWorld, std::span<const float> weights) const {
  const Bounds morph = morphed(weights);
  Bounds result;
  // A skinned vertex is a weighted mean of its positions under its joints, so it lies within the union of the joints'
  // bounds.
  for (const JointBounds& part : joints) {
    if (part.joint >= jointToWorld.size()) continue;
    Bounds moved = part.bounds;
    moved.low += morph.low - bounds.low;
    moved.high += morph.high - bounds.high;
    result.add(moved.transformed(jointToWorld[part.joint]));
  }
  return result;
}

glm::dmat4 Placement::matrix() const {
  const glm::dmat4 turned = glm::translate(glm::dmat4(1.0), translation) * glm::mat4_cast(glm::dquat(rotation));
  return glm::scale(turned, glm::dvec3(scale));
}

void moveOrigin(ModelData& model) {
  constexpr float kFarInRadii = 100.0f, kFar = 500.0f;
  const Bounds all = bounds(model, pose(model, -1, 0.0));
  if (all.empty()) return;
  const float distance = glm::length(all.centre());
  if (distance > std::min(kFar, kFarInRadii * all.radius())) model.origin = all.centre();
}

glm::vec4 valueAt(const Channel& channel, float timeS) {
  const auto& times = channel.timesS;
  const bool cubic = channel.interpolation == KeyInterpolation::cubic;
  const bool turns = channel.path == Path::rotation;
  const auto value = [&](std::size_t i, std::size_t part = 1) { return channel.values[cubic ? 3 * i + part : i]; };
  const auto end = [&](std::size_t i) { return turns ? unit(value(i)) : value(i); };
  if (timeS <= times.front()) return end(0);
  if (timeS >= times.back()) return end(times.size() - 1);
  const auto next = static_cast<std::size_t>(std::ranges::upper_bound(times, timeS) - times.begin());
  const std::size_t last = next - 1;
  if (channel.interpolation == KeyInterpolation::step) return end(last);
  const float span = times[next] - times[last];
  const float t = span > 0.0f ? (timeS - times[last]) / span : 0.0f;
  if (cubic) {  // Hermite spline
    const float t2 = t * t, t3 = t2 * t;
    const glm::vec4 v = (2 * t3 - 3 * t2 + 1) * value(last) + span * (t3 - 2 * t2 + t) * value(last, 2) +
                        (3 * t2 - 2 * t3) * value(next) + span * (t3 - t2) * value(next, 0);
    return turns ? unit(v) : v;
  }
  if (turns) return vector(glm::slerp(quaternion(end(last)), quaternion(end(next)), t));
  return glm::mix(value(last), value(next), t);
}

ModelPose pose(const ModelData& model, int clip, double timeS) {
  return {worldTransforms(model, clip, timeS), morphWeights(model, clip, timeS)};
}

std::vector<glm::mat4> worldTransforms(const ModelData& model, int clip, double timeS) {
  std::vector<Placement> placements(model.nodes.size());
  for (std::size_t i = 0; i < placements.size(); ++i) placements[i] = model.nodes[i].placement;
  std::vector<bool> moved(model.nodes.size());
  if (const auto [found, at] = playing(model, clip, timeS); found != nullptr) {
    for (const Channel& channel : found->channels) {
      if (channel.path == Path::weight) continue;
      apply(channel, at, entry(placements, channel.node));
      entry(moved, channel.node) = true;
    }
  }
  std::vector<glm::dmat4> world(model.nodes.size());
  const glm::dmat4 toOrigin = glm::translate(glm::dmat4(1.0), -model.origin);
  for (std::size_t i = 0; i < world.size(); ++i) {
    const ModelNode& node = model.nodes[i];
    const glm::dmat4 local = node.matrix && !moved[i] ? *node.matrix : placements[i].matrix();
    world[i] = (node.parent >= 0 ? entry(world, node.parent) : toOrigin) * local;
  }
  return {world.begin(), world.end()};
}

void addJoints(std::vector<glm::mat4>& joints, const ModelData& model, const ModelNode& node,
               const std::vector<glm::mat4>& world) {
  if (node.skin < 0) return;
  const ModelSkin& skin = entry(model.skins, node.skin);
  for (std::size_t j = 0; j < skin.joints.size(); ++j)
    joints.push_back(entry(world, skin.joints[j]) * skin.inverseBinding[j]);
}

std::vector<float> morphWeights(const ModelData& model, int clip, double timeS) {
  std::vector<float> weights = model.morphWeights;
  if (const auto [found, at] = playing(model, clip, timeS); found != nullptr)
    for (const Channel& channel : found->channels)
      if (channel.path == Path::weight)
        weights[entry(model.nodes, channel.node).firstWeight + channel.target] = valueAt(channel, at).x;
  return weights;
}

Bounds bounds(const ModelData& model, const ModelPose& pose) {
  Bounds all;
  std::vector<glm::mat4> joints;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const ModelNode& node = model.nodes[i];
    if (node.mesh < 0) continue;
    const ModelMesh& mesh = entry(model.meshes, node.mesh);
    const auto morph = std::span(pose.weights).subspan(node.firstWeight, mesh.targets);
    joints.clear();
    addJoints(joints, model, node, pose.world);
    for (const Primitive& primitive : mesh.primitives) {
      const bool skinned = primitive.skinned && node.skin >= 0;
      all.add(skinned ? primitive.skinnedBy(joints, morph) : primitive.morphed(morph).transformed(pose.world[i]));
    }
  }
  return all;
}

void computeFlatNormals(ModelData& model, const Primitive& primitive) {
  const auto vertices = std::span(model.vertices).subspan(primitive.firstVertex, primitive.vertices);
  const auto indices = std::span(model.indices).subspan(primitive.firstIndex, primitive.indices);
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    auto &a = vertices[indices[i]], &b = vertices[indices[i + 1]], &c = vertices[indices[i + 2]];
    const glm::vec3 normal = glm::cross(b.position - a.position, c.position - a.position);
    const float length = glm::length(normal);
    a.normal = b.normal = c.normal = length > 0.0f ? normal / length : glm::vec3(0.0f, 1.0f, 0.0f);
  }
}

// Sums over the triangles of a vertex the directions in which u and v grow (Lengyel 2001). O(triangles).
void computeTangents(ModelData& model, const Primitive& primitive) {
  const auto vertices = std::span(model.vertices).subspan(primitive.firstVertex, primitive.vertices);
  const auto indices = std::span(model.indices).subspan(primitive.firstIndex, primitive.indices);
  std::vector<glm::vec3> along(vertices.size(), glm::vec3(0.0f)), across = along;
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const std::array at{indices[i], indices[i + 1], indices[i + 2]};
    const auto &a = vertices[at[0]], &b = vertices[at[1]], &c = vertices[at[2]];
    const glm::vec3 e1 = b.position - a.position, e2 = c.position - a.position;
    const glm::vec2 d1 = glm::vec2(b.uv) - glm::vec2(a.uv), d2 = glm::vec2(c.uv) - glm::vec2(a.uv);
    const float area = d1.x * d2.y - d2.x * d1.y;
    if (area == 0.0f) continue;
    const float sign = area > 0.0f ? 1.0f : -1.0f;
    for (const auto v : at) {
      along[v] += sign * (d2.y * e1 - d1.y * e2);
      across[v] += sign * (d1.x * e2 - d2.x * e1);
    }
  }
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const glm::vec3& n = vertices[v].normal;
    const glm::vec3 t = along[v] - n * glm::dot(n, along[v]);
    const float length = glm::length(t);
    const glm::vec3 tangent = length > 1e-20f ? t / length : perpendicular(n);
    // The bitangent of glTF points against v, which grows downwards.
    const float handed = glm::dot(glm::cross(n, tangent), across[v]) < 0.0f ? 1.0f : -1.0f;
    vertices[v].tangent = glm::vec4(tangent, length > 1e-20f ? handed : 1.0f);
  }
}

}  // namespace satdof
