#pragma once
#include <cstddef>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace satdof::obj {

// The area of a polygon times its normal, by Newell's formula.
glm::vec3 areaNormal(std::span<const glm::vec3> polygon);

// Splits polygons, also concave ones, into triangles.
class Triangulator {
 public:
  // Appends three corners for each of the polygon's size - 2 triangles. Clips ears; a polygon that crosses itself becomes a fan
  // from where no ear is left, and so do all once the work exceeds a limit.
  void split(std::span<const glm::vec3> polygon, std::vector<std::size_t>& corners);

 private:
  std::size_t work_ = 0;  // tests of a point in a triangle
  std::vector<std::size_t> left_;
};

}  // namespace satdof::obj
