#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

// Bicubic Bezier patches and their tessellation, without OpenGL.
namespace satdof {

// S(u, v) = sum_ij B_i(u) B_j(v) points[4 i + j].
struct BezierPatch {
  std::array<glm::vec3, 16> points;
};

// Reads a .bpt file: the number of patches, then for each "3 3" and 16 points. Throws std::runtime_error with
// the file and the place in it when it is missing or damaged.
std::vector<BezierPatch> readPatches(const std::filesystem::path& file);

struct SurfacePoint {
  glm::vec3 position;
  glm::vec3 normal;  // unit length, along S_v x S_u: outward for the patches of the teapot
};

// The surface at (u, v) in [0, 1]^2. Where a tangent vanishes because a border has shrunk to a point, its
// direction is the limit from inside: S_v(u, v) = u S_uv(0, v) + O(u^2). Throws std::runtime_error where
// there is no normal.
SurfacePoint evaluate(const BezierPatch& patch, double u, double v);

struct MeshVertex {
  glm::vec3 position;
  glm::vec3 normal;
  glm::vec2 patchUv;
};

// Triangles turn counter-clockwise seen from outside.
struct Mesh {
  std::vector<MeshVertex> vertices;
  std::vector<uint32_t> indices;
};

// `segments` x `segments` quads a patch, less the triangles that a pole shrinks to a line. Positions on
// borders that two patches share are bit-identical, whichever way each runs along it.
Mesh tessellate(std::span<const BezierPatch> patches, int segments);

}  // namespace satdof
