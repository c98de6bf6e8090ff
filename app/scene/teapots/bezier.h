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

// Returns the surface point and normal at (u, v) in [0, 1]^2. Where a border has shrunk to a point, one tangent
// vanishes; the limit from inside the patch gives its direction: S_v(u, v) = u S_uv(0, v) + O(u^2). Throws
// std::runtime_error if there is no normal.
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

// Tessellates each patch into `alongU` x `alongV` quads, without degenerate triangles.
// Patches with a common border and the same number of segments along it have bit-identical
// positions there, in either direction. Throws std::runtime_error if a count is below 1.
Mesh tessellate(std::span<const BezierPatch> patches, int alongU, int alongV);

}  // namespace satdof
