#pragma once
#include <glm/vec3.hpp>
#include <optional>

#include "app/scene/model/model.h"
#include "app/scene/tracked_point.h"

namespace satdof {

// A ray in the world of pose().
struct Ray {
  glm::vec3 from{0.0f}, direction{0.0f, 0.0f, -1.0f};
};

// Where a ray meets a surface.
struct RayHit {
  float distance;  // in lengths of the ray's direction
  // Rigid surfaces: object = 1 + node, `at` in the space of the node. Surfaces with a skin or morph targets: object = 1
  // + number of nodes + vertex, `at` = offset from the morphed vertex before skinning.
  TrackedPoint point;
};

// The nearest hit of a ray; none if it meets no triangle. Ignores blended surfaces, and treats masked surfaces as
// solid. O(triangles of the primitives whose bounding spheres the ray meets).
std::optional<RayHit> firstHit(const ModelData& model, const ModelPose& pose, const Ray& ray);

// World position of RayHit::point in another pose; none if the model has no such point.
std::optional<glm::vec3> positionOf(const ModelData& model, const ModelPose& pose, const TrackedPoint& point);

}  // namespace satdof
