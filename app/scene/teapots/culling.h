#pragma once
#include <array>
#include <cstdint>
#include <glm/vec4.hpp>
#include <vector>

#include "app/scene/camera.h"
#include "app/scene/teapots/detail.h"
#include "app/scene/teapots/hierarchy.h"

// Which teapots an image may show, and in which detail. Without OpenGL.
namespace satdof {

// The camera of one image.
struct CullView {
  // A sphere shows nothing if its centre is farther than its radius behind a plane: left, right, bottom, top, near.
  std::array<glm::vec4, 5> planes;
  glm::vec4 axis;  // distance along the view axis of the main camera
  // A teapot whose centre is at least fartherM[k] away has a detail greater than k.
  std::array<float, kDetails> fartherM;
  // Two bits: children are in reverse along z, along x. They come roughly nearest first.
  uint32_t reversed;
};

// `pinhole` bounds the image, which is `heightPx` high. `main` is the image from the centre of the aperture. It alone
// chooses the details, so every image of a frame shows the same meshes: the coarsest whose error is at most `errorPx`.
CullView cullView(const Pinhole& pinhole, const Pinhole& main, int heightPx, float errorPx = 1.0f);

// Indices into Hierarchy::teapots() of the teapots to draw, by detail. In each detail they are in the order of
// a traversal, so the image does not depend on what was culled.
using DrawLists = std::array<std::vector<uint32_t>, kDetails>;
// Scratch memory: nodes of a level, and their children that may show.
using Frontiers = std::array<std::vector<uint32_t>, 2>;

// All teapots.
void listAll(const Hierarchy& hierarchy, const CullView& view, DrawLists& lists);
// Teapots whose spheres may show in the image: a breadth-first traversal, level by level (Horn 2005; Billeter et al.
// 2009). O(visible nodes).
void listVisible(const Hierarchy& hierarchy, const CullView& view, Frontiers& frontiers, DrawLists& lists);

// The smallest distance of a teapot, without its shadow, that may show in the image; infinity if there is none. Visits
// near nodes first and skips nodes behind the nearest teapot so far.
float nearestTeapotM(const Hierarchy& hierarchy, const Pinhole& pinhole);

}  // namespace satdof
