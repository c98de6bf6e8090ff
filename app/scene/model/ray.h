#pragma once
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "app/scene/model/model.h"
#include "app/scene/tracked_point.h"

namespace satdof {

// A ray in the world of pose().
struct Ray {
  glm::vec3 from{0.0f}, direction{0.0f, 0.0f, -1.0f};
};

// The distance of the first triangle on the ray, in lengths of its direction; none: the ray meets nothing. Blended surfaces let
// the ray pass, holes of masked ones do not. `world`, `weights`: of pose() and morphWeights(). O(triangles whose bounds the
// ray meets).
std::optional<float> firstHit(const ModelData& model, const std::vector<glm::mat4>& world,
                              const std::vector<float>& weights, const Ray& ray);

// The point that firstHit() finds. The object is 1 + the node; or, if joints or morph targets move the surface, 1 + the number of
// nodes + a vertex, and `at` is how far the point is from the vertex before the joints move both.
std::optional<TrackedPoint> firstPoint(const ModelData& model, const std::vector<glm::mat4>& world,
                                       const std::vector<float>& weights, const Ray& ray);
// Where the point is in another pose; none if the model has no such point.
std::optional<glm::vec3> positionOf(const ModelData& model, const std::vector<glm::mat4>& world,
                                    const std::vector<float>& weights, const TrackedPoint& point);

}  // namespace satdof
