#pragma once
#include <array>
#include <glm/vec2.hpp>
#include <span>

#include "app/scene/teapots/bezier.h"

// Levels of detail of the teapot in assets/teapot.bpt, finest first. Lengths are in units of the file.
namespace satdof {

inline constexpr int kDetails = 8;
inline constexpr std::size_t kTeapotPatches = 36;

// Upper bound of the distance between surface and mesh, along the normal. With the default field of view and 1080
// pixels height, the finest detail (0.003) has an error of one pixel at 0.6 m, and the coarsest (0.27) at 55 m, among
// the last teapots.
float detailError(int detail);

// The segments along u and v of each patch: the fewest quads within detailError(), with equal segments on shared
// borders.
std::array<glm::ivec2, kTeapotPatches> detailSegments(int detail);

// The mesh of one detail. Throws std::runtime_error unless `teapot` has kTeapotPatches patches.
Mesh detailMesh(std::span<const BezierPatch> teapot, int detail);

}  // namespace satdof
