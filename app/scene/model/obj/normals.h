#pragma once
#include <cstdint>
#include <glm/vec3.hpp>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace satdof::obj {

// A corner of a face: indices into the positions, coordinates and normals of the file; -1: none.
struct Corner {
  int position = -1, uv = -1, normal = -1;
};

// A polygon.
struct Face {
  std::uint32_t firstCorner = 0, corners = 0;
  int shape = 0, material = -1;
  int smoothing = 0;  // smoothing group; 0: flat
};

// Vertex normals for corners without normals: area-weighted means over the faces around a position. Averages over the
// faces of the same smoothing group; in a file without groups, over faces whose normals differ by less than 30 degrees.
class Normals {
 public:
  Normals(std::span<const glm::vec3> positions, std::span<const Face> faces, std::span<const Corner> corners,
          bool hasGroups);

  struct Result {
    glm::vec3 normal;
    int key;  // below -1: corners of a position with equal keys share the normal; -1: no other corner shares it
  };
  Result at(std::size_t face, int position) const;

 private:
  std::span<const Face> faces_;
  bool hasGroups_;
  std::vector<glm::vec3> faceNormals_;  // times the area
  // Without groups: the faces around position p are facesAround_[firstFace_[p]]
  // to [firstFace_[p + 1] - 1]; sums_[p]: the sum of their normals.
  std::vector<std::uint32_t> firstFace_, facesAround_;
  std::vector<glm::vec3> sums_;
  std::map<std::pair<int, int>, glm::vec3> groupSums_;  // of normals, by position and group
};

}  // namespace satdof::obj
