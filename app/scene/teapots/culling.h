#pragma once
#include <array>
#include <cstdint>
#include <glm/vec4.hpp>
#include <vector>

#include "app/scene/camera.h"
#include "app/scene/teapots/detail.h"
#include "app/scene/teapots/hierarchy.h"

// Frustum culling and level of detail of the teapots. Without OpenGL.
namespace satdof {

// The frustum of one image, and the rule for the level of detail.
struct CullView {
  // Left, right, bottom, top, near, with inward unit normals: a sphere is outside if its signed distance from one is
  // below -radius.
  std::array<glm::vec4, 5> planes;
  glm::vec4 axis;  // plane through the eye of the main camera: signed distance = distance along the view axis
  // Detail of a teapot: the number of entries that are at most the distance of its centre. Ascending.
  std::array<float, kDetails> fartherM;
  // Order of children, roughly nearest first. Bit 1: descending z, bit 0: descending x.
  uint32_t reversed;
};

// `pinhole` gives the planes. `main`, the view from the centre of the aperture in an image `heightPx` high, gives the
// level of detail: the coarsest mesh with an error of at most `errorPx`. So all images of a frame show the same meshes.
CullView cullView(const Pinhole& pinhole, const Pinhole& main, int heightPx, float errorPx = 1.0f);

// For each detail, the indices into Hierarchy::teapots() of the teapots to draw. Both functions below list teapots in
// the order of the traversal, so culling does not change the image.
using DrawLists = std::array<std::vector<uint32_t>, kDetails>;
// Scratch memory: the nodes of a level, and their visible children.
using Frontiers = std::array<std::vector<uint32_t>, 2>;

// Lists all teapots.
void listAll(const Hierarchy& hierarchy, const CullView& view, DrawLists& lists);
// Lists the teapots whose spheres meet the frustum. Breadth-first,
// level by level (Horn 2005; Billeter et al. 2009). O(visible nodes).
void listVisible(const Hierarchy& hierarchy, const CullView& view, Frontiers& frontiers, DrawLists& lists);

// Lower bound of the distances of the visible teapots, without shadows; infinity if none is visible. Depth-first, near
// children first; skips nodes that are farther than the nearest teapot found.
float nearestTeapotM(const Hierarchy& hierarchy, const Pinhole& pinhole);

}  // namespace satdof
