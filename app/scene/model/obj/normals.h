#pragma once
#include <cstdint>
#include <glm/vec3.hpp>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace satdof::obj {

// A corner of a face: indices into the lists of the file; -1: none.
struct Corner {
  int position = -1, uv = -1, normal = -1;
};

// A polygon.
struct Face {
  std::uint32_t firstCorner = 0, corners = 0;
  int shape = 0, material = -1;
  int smoothing = 0;  // the group; 0: flat
};

// Normals for corners that have none. Faces of a smoothing group share the normals of their positions. In a file without any group,
// faces share them across edges of less than 30 degrees.
class Normals {
 public:
  Normals(std::span<const glm::vec3> positions, std::span<const Face> faces, std::span<const Corner> corners,
          bool hasGroups);

  struct Result {
    glm::vec3 normal;
    int key;  // corners at one position with one key, below -1, share the normal; -1: only this one
  };
  Result at(std::size_t face, int position) const;

 private:
  std::span<const Face> faces_;
  bool hasGroups_;
  std::vector<glm::vec3> ofFaces_;                      // times the area
  std::vector<std::uint32_t> firstFace_, facesAround_;  // without groups: the faces at each position
  std::vector<glm::vec3> sums_;                         // then: of the normals of the faces at each position
  std::map<std::pair<int, int>, glm::vec3> ofGroups_;   // by position and group
};

}  // namespace satdof::obj
