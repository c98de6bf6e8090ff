#pragma once
#include <cstddef>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace satdof::obj {

// The area of a polygon times its unit normal: half the sum of the cross products of a fan.
glm::vec3 areaNormal(std::span<const glm::vec3> polygon);

// Triangulates polygons, which may be concave.
class Triangulator {
 public:
  // Appends the corners of size - 2 triangles. Clips ears, O(n^2) for most polygons. Completes a self-intersecting
  // polygon by a fan when it has no ear left, and all polygons once the total work exceeds a limit.
  void split(std::span<const glm::vec3> polygon, std::vector<std::size_t>& corners);

 private:
  std::size_t work_ = 0;           // tests whether a point is in a triangle, in all calls
  std::vector<std::size_t> left_;  // corners that are not clipped yet
};

}  // namespace satdof::obj
