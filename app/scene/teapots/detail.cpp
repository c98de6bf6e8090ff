#include "app/scene/teapots/detail.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace satdof {

namespace {

// Consecutive patches with equal segments.
struct Part {
  std::size_t first, patches;
  float u;
};
// Parts with equal segments along v. nu x nv segments have an error of at most u / nu^2 + v / nv^2. The coefficients
// are measured; tests/scene/teapots/detail_test.cpp checks the error of every detail.
struct Ring {
  float v;
  std::vector<Part> parts;
};

const std::vector<Ring>& rings() {
  static const std::vector<Ring> all = {
      // Rim, belly, bottom, ledge.
      {0.66f, {{0, 4, 0.13f}, {4, 4, 0.20f}, {8, 4, 0.37f}, {28, 4, 0.19f}, {32, 4, 0.01f}}},
      {0.24f, {{12, 2, 0.47f}, {14, 2, 0.28f}}},  // handle
      {0.63f, {{16, 2, 1.05f}, {18, 2, 0.21f}}},  // spout
      {0.44f, {{20, 4, 0.62f}, {24, 4, 0.65f}}},  // lid
  };
  return all;
}

// The segments that a part needs along u. `errorV`: the error of the segments along v, less than `error`.
int segmentsU(const Part& part, float errorV, float error) {
  return static_cast<int>(std::ceil(std::sqrt(part.u / (error - errorV))));
}

// The number of segments along v for which all parts of the ring have the fewest quads.
int segmentsV(const Ring& ring, float error) {
  int best = 0;
  int fewest = std::numeric_limits<int>::max();
  for (int v = static_cast<int>(std::sqrt(ring.v / error)) + 1; v < fewest; ++v) {
    int quads = 0;
    for (const Part& part : ring.parts)
      quads += static_cast<int>(part.patches) * v * segmentsU(part, ring.v / float(v * v), error);
    if (quads >= fewest) continue;
    fewest = quads;
    best = v;
  }
  return best;
}

}  // namespace

float detailError(int detail) { return 0.003f * std::pow(1.9f, float(detail)); }

std::array<glm::ivec2, kTeapotPatches> detailSegments(int detail) {
  const float error = detailError(detail);
  std::array<glm::ivec2, kTeapotPatches> segments{};
  for (const Ring& ring : rings()) {
    const int v = segmentsV(ring, error);
    for (const Part& part : ring.parts)
      for (std::size_t i = 0; i < part.patches; ++i)
        segments[part.first + i] = {segmentsU(part, ring.v / float(v * v), error), v};
  }
  return segments;
}

Mesh detailMesh(std::span<const BezierPatch> teapot, int detail) {
  if (teapot.size() != kTeapotPatches)
    throw std::runtime_error("cannot tessellate the teapot: it has " + std::to_string(teapot.size()) +
                             " patches instead of " + std::to_string(kTeapotPatches) +
                             "; restore assets/teapot.bpt from the repository");
  const auto segments = detailSegments(detail);
  Mesh mesh;
  for (std::size_t patch = 0; patch < kTeapotPatches; ++patch) {
    const auto first = static_cast<uint32_t>(mesh.vertices.size());
    const Mesh added = tessellate(teapot.subspan(patch, 1), segments[patch].x, segments[patch].y);
    mesh.vertices.insert(mesh.vertices.end(), added.vertices.begin(), added.vertices.end());
    for (const uint32_t index : added.indices) mesh.indices.push_back(first + index);
  }
  return mesh;
}

}  // namespace satdof
