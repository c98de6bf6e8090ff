#include "app/scene/model/obj/normals.h"

#include <glm/geometric.hpp>

#include "app/scene/model/entry.h"
#include "app/scene/model/obj/polygons.h"

namespace satdof::obj {

namespace {

constexpr float kCosSharp = 0.866f;       // 30 degrees
constexpr std::size_t kMaxCompared = 64;  // faces around a position: with more, all edges are smooth

glm::vec3 unit(const glm::vec3& v) {
  const float length = glm::length(v);
  return length > 0.0f ? v / length : glm::vec3(0.0f, 1.0f, 0.0f);
}

}  // namespace

Normals::Normals(std::span<const glm::vec3> positions, std::span<const Face> faces, std::span<const Corner> corners,
                 bool hasGroups)
    : faces_(faces), hasGroups_(hasGroups), faceNormals_(faces.size()) {
  std::vector<glm::vec3> polygon;
  const auto cornersOf = [&](const Face& face) { return corners.subspan(face.firstCorner, face.corners); };
  if (!hasGroups_) {
    firstFace_.resize(positions.size() + 1);
    sums_.resize(positions.size(), glm::vec3(0.0f));
  }
  for (std::size_t f = 0; f < faces.size(); ++f) {
    polygon.clear();
    for (const Corner& c : cornersOf(faces[f])) polygon.push_back(entry(positions, c.position));
    faceNormals_[f] = areaNormal(polygon);
    for (const Corner& c : cornersOf(faces[f])) {
      if (!hasGroups_) {
        ++entry(firstFace_, c.position + 1);
        entry(sums_, c.position) += faceNormals_[f];
      } else if (faces[f].smoothing > 0) {
        groupSums_.try_emplace({c.position, faces[f].smoothing}, 0.0f).first->second += faceNormals_[f];
      }
    }
  }
  if (hasGroups_) return;
  for (std::size_t i = 1; i < firstFace_.size(); ++i) firstFace_[i] += firstFace_[i - 1];
  facesAround_.resize(firstFace_.back());
  std::vector<std::uint32_t> next(firstFace_.begin(), firstFace_.end() - 1);
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (const Corner& c : cornersOf(faces[f])) facesAround_[entry(next, c.position)++] = static_cast<std::uint32_t>(f);
}

Normals::Result Normals::at(std::size_t face, int position) const {
  const glm::vec3 own = unit(faceNormals_[face]);
  if (hasGroups_) {
    const int group = faces_[face].smoothing;
    const auto found = groupSums_.find({position, group});
    return found == groupSums_.end() ? Result{own, -1} : Result{unit(found->second), -1 - group};
  }
  const auto p = static_cast<std::size_t>(position);
  const auto around = std::span(facesAround_).subspan(firstFace_[p], firstFace_[p + 1] - firstFace_[p]);
  if (around.size() > kMaxCompared) return {unit(sums_[p]), -2};
  glm::vec3 sum(0.0f);
  bool all = true;
  for (const std::uint32_t other : around) {
    const glm::vec3& n = faceNormals_[other];
    if (glm::dot(own, n) >= kCosSharp * glm::length(n))
      sum += n;
    else
      all = false;
  }
  return {unit(sum), all ? -2 : -1};
}

}  // namespace satdof::obj
