#pragma once
#include <array>
#include <glm/vec2.hpp>
#include <span>

#include "app/scene/teapots/bezier.h"

// Levels of detail of the teapot in assets/teapot.bpt, finest first. Lengths are in units of that file.
namespace satdof {

inline constexpr int kDetails = 8;
inline constexpr size_t kTeapotPatches = 36;

// Upper bound of the distance from the surface to the mesh, along the normal. 0.003 is one pixel at a distance of
// 0.6 m, with the default field of view and a height of 1080 pixels. The coarsest detail, 0.27, is one pixel at
// 55 m: among the last teapots.
float detailError(int detail);

// The segments along u and v of each patch: the fewest quads with detailError(), equal on shared borders.
std::array<glm::ivec2, kTeapotPatches> detailSegments(int detail);

// Throws std::runtime_error if `teapot` has another number of patches.
Mesh detailMesh(std::span<const BezierPatch> teapot, int detail);

}  // namespace satdof
