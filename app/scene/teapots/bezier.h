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

// Reads a .bpt file: the number of patches, then for each patch "3 3" and 16 points. Throws
// std::runtime_error with the file, the position and the reason if the file is missing or damaged.
std::vector<BezierPatch> readPatches(const std::filesystem::path& file);

struct SurfacePoint {
  glm::vec3 position;
  glm::vec3 normal;  // unit length, along S_v x S_u: outward for the patches of the teapot
};

// The surface at (u, v) in [0, 1]^2. If a border has shrunk to a point, a tangent vanishes there; its
// direction is the limit from inside the patch: S_v(u, v) = u S_uv(0, v) + O(u^2). Throws std::runtime_error
// if the normal does not exist.
SurfacePoint evaluate(const BezierPatch& patch, double u, double v);

struct MeshVertex {
  glm::vec3 position;
  glm::vec3 normal;
  glm::vec2 patchUv;
};

// Triangles are counter-clockwise seen from outside.
struct Mesh {
  std::vector<MeshVertex> vertices;
  std::vector<uint32_t> indices;
};

// `alongU` x `alongV` quads a patch, without the triangles that degenerate at a pole. Two patches with a
// common border and equal segments there have bit-identical positions on it, in either direction.
Mesh tessellate(std::span<const BezierPatch> patches, int alongU, int alongV);

}  // namespace satdof
