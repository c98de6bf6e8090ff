#include "app/scene/teapots/culling.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>

#include "shaders/scene/teapots/sphere.h"

namespace satdof {

namespace {

uint32_t detailOf(const CullView& view, const glm::vec4& sphere) {
  const float distanceM = glsl::planeDistance(view.axis, sphere);
  uint32_t detail = 0;
  while (detail + 1 < kDetails && distanceM >= view.fartherM[detail]) ++detail;
  return detail;
}

bool mayShow(const CullView& view, const glm::vec4& sphere) {
  return std::ranges::all_of(view.planes,
                             [&](const glm::vec4& plane) { return glsl::planeDistance(plane, sphere) >= -sphere.w; });
}

// CullView::reversed for a view direction.
uint32_t reversedAlong(const glm::vec3& forward) { return (forward.z < 0 ? 2u : 0u) | (forward.x < 0 ? 1u : 0u); }

// The node in `place` of a level of `capacity` nodes, a power of 4, if
// `reversed` applies at every level above: to each base-4 digit of the index.
uint32_t nodeAt(uint32_t place, uint32_t reversed, uint32_t capacity) {
  return (place ^ (reversed * 0x55555555u)) & (capacity - 1);
}

void clear(DrawLists& lists) {
  for (auto& list : lists) list.clear();
}

// Lowers `nearestM` to the distance of the nearest teapot below `parent`.
void visitNearest(const Hierarchy& hierarchy, const Pinhole& pinhole, uint32_t reversed, std::size_t level,
                  uint32_t parent, float& nearestM) {
  const auto [first, size] = hierarchy.levels()[level];
  for (uint32_t c = 0; c < kFanOut; ++c) {
    const uint32_t node = kFanOut * parent + (c ^ reversed);
    if (node >= size) continue;
    const glm::vec4& sphere = hierarchy.spheres()[first + node];
    const float radiusM = level > 0 ? sphere.w : kTeapotRadiusM;
    const float distanceM = pinhole.distanceM(glm::vec3(sphere)) - radiusM;
    if (distanceM >= nearestM || !pinhole.mayShow(glm::vec3(sphere), radiusM)) continue;
    if (level > 0)
      visitNearest(hierarchy, pinhole, reversed, level - 1, node, nearestM);
    else
      nearestM = distanceM;
  }
}

}  // namespace

CullView cullView(const Pinhole& pinhole, const Pinhole& main, int heightPx, float errorPx) {
  const auto plane = [](const CameraFrame& frame, const glm::vec3& normal, float offset) {
    return glm::vec4(normal, -glm::dot(normal, frame.eye) - offset);
  };
  CullView view{};
  for (int axis = 0; axis < 2; ++axis)
    for (int side = 0; side < 2; ++side) {
      // Inside the image -z <= ndc z <= z, where dot(row, (x, y, z, 1)) is ndc z.
      const float sign = side == 0 ? 1.0f : -1.0f;
      const glm::vec4 row = pinhole.ndcRow(axis);
      const glm::vec3 normal = sign * row.x * pinhole.frame.right + sign * row.y * pinhole.frame.up +
                               (1.0f + sign * row.z) * pinhole.frame.forward;
      const float length = glm::length(normal);
      view.planes[static_cast<std::size_t>(2 * axis + side)] =
          plane(pinhole.frame, normal / length, -sign * row.w / length);
    }
  view.planes[4] = plane(pinhole.frame, pinhole.frame.forward, pinhole.nearM);
  view.axis = plane(main.frame, main.frame.forward, 0.0f);

  // An error of e metres at the distance z and the angle a off the axis is at most e focalPx / (z cos(a)) pixels.
  const float cornerSecant = glm::length(glm::vec3(1.0f / main.scale, 1.0f));
  const float pxPerUnit = main.focalPx(heightPx) * cornerSecant * kTeapotUnitM;
  view.fartherM.fill(std::numeric_limits<float>::infinity());
  for (int detail = 0; detail + 1 < kDetails; ++detail)
    view.fartherM[static_cast<std::size_t>(detail)] = kTeapotRadiusM + pxPerUnit * detailError(detail + 1) / errorPx;
  view.reversed = reversedAlong(main.frame.forward);
  return view;
}

void listAll(const Hierarchy& hierarchy, const CullView& view, DrawLists& lists) {
  clear(lists);
  const auto size = static_cast<uint32_t>(hierarchy.teapots().size());
  uint32_t capacity = 1;
  while (capacity < size) capacity *= kFanOut;
  for (uint32_t place = 0; place < capacity; ++place) {
    const uint32_t teapot = nodeAt(place, view.reversed, capacity);
    if (teapot < size) lists[detailOf(view, hierarchy.spheres()[teapot])].push_back(teapot);
  }
}

void listVisible(const Hierarchy& hierarchy, const CullView& view, Frontiers& frontiers, DrawLists& lists) {
  clear(lists);
  auto& [parents, children] = frontiers;
  parents.clear();
  for (uint32_t place = 0; place < kRoots; ++place) parents.push_back(nodeAt(place, view.reversed, kRoots));
  for (std::size_t level = hierarchy.levels().size(); level-- > 0;) {
    const auto [first, size] = hierarchy.levels()[level];
    children.clear();
    for (const uint32_t parent : parents)
      for (uint32_t c = 0; c < kFanOut; ++c) {
        const uint32_t node = kFanOut * parent + (c ^ view.reversed);
        if (node >= size) continue;
        const glm::vec4& sphere = hierarchy.spheres()[first + node];
        if (!mayShow(view, sphere)) continue;
        if (level > 0)
          children.push_back(node);
        else
          lists[detailOf(view, sphere)].push_back(node);
      }
    std::swap(parents, children);
  }
}

float nearestTeapotM(const Hierarchy& hierarchy, const Pinhole& pinhole) {
  float nearestM = std::numeric_limits<float>::infinity();
  if (hierarchy.levels().empty()) return nearestM;
  const uint32_t reversed = reversedAlong(pinhole.frame.forward);
  for (uint32_t place = 0; place < kRoots; ++place)
    visitNearest(hierarchy, pinhole, reversed, hierarchy.levels().size() - 1, nodeAt(place, reversed, kRoots),
                 nearestM);
  return nearestM;
}

}  // namespace satdof
