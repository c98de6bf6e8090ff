#include "app/scene/model/obj/polygons.h"

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <numeric>

namespace satdof::obj {

namespace {

constexpr std::size_t kMaxWork = 300'000'000;

float cross(const glm::vec2& a, const glm::vec2& b) { return a.x * b.y - a.y * b.x; }

// Whether a point is in a counter-clockwise triangle or on its border.
bool contains(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c, const glm::vec2& p) {
  return cross(b - a, p - a) >= 0.0f && cross(c - b, p - b) >= 0.0f && cross(a - c, p - c) >= 0.0f;
}

// Projects a polygon along the largest axis of its normal, so that it is counter-clockwise.
std::vector<glm::vec2> projected(std::span<const glm::vec3> polygon, const glm::vec3& normal) {
  const glm::vec3 size = glm::abs(normal);
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  int u = (axis + 1) % 3, v = (axis + 2) % 3;
  if (normal[axis] < 0.0f) std::swap(u, v);
  std::vector<glm::vec2> flat;
  flat.reserve(polygon.size());
  for (const glm::vec3& p : polygon) flat.emplace_back(p[u], p[v]);
  return flat;
}

}  // namespace

glm::vec3 areaNormal(std::span<const glm::vec3> polygon) {
  glm::vec3 sum(0.0f);
  for (std::size_t i = 0; i + 2 < polygon.size(); ++i)
    sum += glm::cross(polygon[i + 1] - polygon[0], polygon[i + 2] - polygon[0]);
  return 0.5f * sum;
}

void Triangulator::split(std::span<const glm::vec3> polygon, std::vector<std::size_t>& corners) {
  left_.resize(polygon.size());
  std::iota(left_.begin(), left_.end(), std::size_t{0});
  const auto fan = [&] {
    for (std::size_t i = 1; i + 1 < left_.size(); ++i)
      corners.insert(corners.end(), {left_[0], left_[i], left_[i + 1]});
  };
  if (polygon.size() <= 3 || work_ > kMaxWork) return fan();
  const std::vector<glm::vec2> at = projected(polygon, areaNormal(polygon));
  const auto turn = [&](std::size_t i) {  // > 0: the remaining polygon is convex at its corner i
    const std::size_t n = left_.size();
    const glm::vec2 &a = at[left_[(i + n - 1) % n]], &b = at[left_[i]], &c = at[left_[(i + 1) % n]];
    return cross(b - a, c - b);
  };
  bool convex = true;
  for (std::size_t i = 0; i < left_.size() && convex; ++i) convex = turn(i) >= 0.0f;
  if (convex) return fan();
  const auto isEar = [&](std::size_t i) {
    if (turn(i) <= 0.0f) return false;
    const std::size_t n = left_.size(), before = (i + n - 1) % n, after = (i + 1) % n;
    const glm::vec2 &a = at[left_[before]], &b = at[left_[i]], &c = at[left_[after]];
    for (std::size_t k = 0; k < n; ++k, ++work_) {
      const glm::vec2& p = at[left_[k]];
      if (k != before && k != i && k != after && p != a && p != b && p != c && contains(a, b, c, p)) return false;
    }
    return true;
  };
  std::size_t i = 0;
  for (std::size_t tried = 0; left_.size() > 3 && tried < left_.size() && work_ <= kMaxWork;) {
    const std::size_t n = left_.size();
    i %= n;
    if (isEar(i)) {
      corners.insert(corners.end(), {left_[(i + n - 1) % n], left_[i], left_[(i + 1) % n]});
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i));
      tried = 0;
    } else {
      ++i, ++tried;
    }
  }
  fan();
}

}  // namespace satdof::obj
