#include "app/scene/teapots/hierarchy.h"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace satdof {

namespace {

// Added to the radius of inner nodes: in spite of rounding, no node is culled that has a visible teapot.
constexpr float kSlackM = 0.01f;

// Sorts teapots into a k-d tree: halves of `capacity` places by the position along `axis`, recursively, with
// alternating axes. Fills the first places first.
void sortAlong(std::span<Teapot> teapots, std::size_t capacity, glm::length_t axis) {
  if (teapots.size() <= 1 || capacity <= 1) return;
  std::stable_sort(teapots.begin(), teapots.end(),
                   [axis](const Teapot& a, const Teapot& b) { return a.position[axis] < b.position[axis]; });
  const std::size_t half = capacity / 2, first = std::min(half, teapots.size());
  const glm::length_t other = 2 - axis;  // x, z, x ...
  sortAlong(teapots.first(first), half, other);
  sortAlong(teapots.subspan(first), half, other);
}

}  // namespace

void Hierarchy::build(int count) {
  const auto size = static_cast<std::size_t>(std::clamp(count, 0, kMaxTeapots));
  teapots_.clear();
  for (std::size_t i = 0; i < size; ++i) teapots_.push_back(teapotAt(static_cast<int>(i)));
  std::size_t capacity = 1;
  while (capacity < size) capacity *= kFanOut;
  sortAlong(teapots_, capacity, 2);

  levels_ = {{0, static_cast<uint32_t>(size)}};
  spheres_.clear();
  for (const Teapot& teapot : teapots_)
    spheres_.emplace_back(teapot.position + glm::vec3(0.0f, kTeapotCentreYM, 0.0f), kShadowRadiusM);
  for (std::size_t teapots = kFanOut; levels_.back().size > kCullThreads; teapots *= kFanOut) {
    const auto first = static_cast<uint32_t>(spheres_.size());
    for (std::size_t begin = 0; begin < size; begin += teapots) {
      const std::span under(spheres_.data() + begin, std::min(teapots, size - begin));
      glm::vec3 low(under[0]), high(under[0]);
      for (const glm::vec4& sphere : under) {
        low = glm::min(low, glm::vec3(sphere));
        high = glm::max(high, glm::vec3(sphere));
      }
      const glm::vec3 centre = 0.5f * (low + high);
      float radius = 0.0f;
      for (const glm::vec4& sphere : under)
        radius = std::max(radius, glm::distance(centre, glm::vec3(sphere)) + sphere.w);
      spheres_.emplace_back(centre, radius + kSlackM);
    }
    levels_.push_back({first, static_cast<uint32_t>(spheres_.size()) - first});
  }
}

}  // namespace satdof
