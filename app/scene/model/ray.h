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

}  // namespace satdof
