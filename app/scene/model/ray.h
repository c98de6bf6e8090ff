#pragma once
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "app/scene/model/model.h"

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

// A point on a surface: of a node in its space; or, if joints or morph targets move the surface, nodes + a vertex, and how far the
// point is from it before the joints move both.
struct ModelPoint {
  int object = 0;
  glm::vec3 at{0.0f};
};

// The same point that firstHit() finds.
std::optional<ModelPoint> firstPoint(const ModelData& model, const std::vector<glm::mat4>& world,
                                     const std::vector<float>& weights, const Ray& ray);
// Where the point is in another pose; none if the model has no such point.
std::optional<glm::vec3> placeOf(const ModelData& model, const std::vector<glm::mat4>& world,
                                 const std::vector<float>& weights, const ModelPoint& point);

}  // namespace satdof
