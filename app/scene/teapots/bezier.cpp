#include "app/scene/teapots/bezier.h"

#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <stdexcept>
#include <string>

#include "app/core/text/foreign_text.h"

namespace satdof {

namespace {

// The cubic Bernstein polynomials and their derivatives at t = 1 - s. Swapping t and s reverses the values bit for bit.
struct Bernstein {
  Bernstein(double t, double s)
      : value{s * s * s, 3 * (s * s) * t, 3 * (t * t) * s, t * t * t},
        slope{-3 * (s * s), 3 * (s * s) - 6 * (s * t), 6 * (s * t) - 3 * (t * t), 3 * (t * t)} {}
  double value[4];
  double slope[4];
};

// The weighted sum of four points, added from both ends inward: reversed weights and points give the same bits.
template <class Point>
glm::dvec3 combine(const double (&weight)[4], Point&& point) {
  return (weight[0] * point(0) + weight[3] * point(3)) + (weight[1] * point(1) + weight[2] * point(2));
}

glm::dvec3 surface(const BezierPatch& patch, const double (&u)[4], const double (&v)[4]) {
  return combine(u, [&](int i) {
    return combine(v, [&](int j) { return glm::dvec3(patch.points[static_cast<std::size_t>(4 * i + j)]); });
  });
}

SurfacePoint evaluate(const BezierPatch& patch, const Bernstein& u, const Bernstein& v) {
  constexpr double kVanishing = 1e-9;
  glm::dvec3 alongU = surface(patch, u.slope, v.value);
  glm::dvec3 alongV = surface(patch, u.value, v.slope);
  const glm::dvec3 twist = surface(patch, u.slope, v.slope);
  // At a degenerate border the tangent is the limit from inside the patch: S_uv times the direction away from the
  // border.
  const auto inward = [](const Bernstein& b) { return b.value[0] > b.value[3] ? 1.0 : -1.0; };
  if (glm::length(alongV) < kVanishing) alongV = twist * inward(u);
  if (glm::length(alongU) < kVanishing) alongU = twist * inward(v);
  const glm::dvec3 normal = glm::cross(alongV, alongU);
  const double length = glm::length(normal);
  if (!(length > kVanishing * kVanishing))
    throw std::runtime_error("a Bezier patch has no normal: its control points lie on one line");
  return {surface(patch, u.value, v.value), normal / length};
}

}  // namespace

std::vector<BezierPatch> readPatches(const std::filesystem::path& file) {
  const auto fail = [&](const std::string& what) {
    return std::runtime_error("cannot read the patches " + pathText(file) + ": " + what);
  };
  std::ifstream stream(file);
  if (!stream) throw fail("the file is missing or unreadable; restore it from the repository");
  int count = 0;
  if (!(stream >> count) || count < 1 || count > 100000)
    throw fail("the file must start with the number of patches, 1 to 100000");
  std::vector<BezierPatch> patches(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    const auto where = "patch " + std::to_string(k + 1) + " of " + std::to_string(count);
    int degreeU = 0, degreeV = 0;
    if (!(stream >> degreeU >> degreeV) || degreeU != 3 || degreeV != 3)
      throw fail(where + " must start with its degrees, 3 3");
    auto& points = patches[static_cast<std::size_t>(k)].points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      auto& p = points[i];
      if (!(stream >> p.x >> p.y >> p.z) || !std::isfinite(p.x + p.y + p.z))
        throw fail(where + ": point " + std::to_string(i + 1) + " of 16 must be three numbers");
    }
  }
  if (std::string rest; stream >> rest) throw fail("\"" + rest + "\" follows the last patch");
  return patches;
}

SurfacePoint evaluate(const BezierPatch& patch, double u, double v) {
  return evaluate(patch, Bernstein(u, 1 - u), Bernstein(v, 1 - v));
}

Mesh tessellate(std::span<const BezierPatch> patches, int alongU, int alongV) {
  if (alongU < 1 || alongV < 1)
    throw std::runtime_error("cannot tessellate into " + std::to_string(alongU) + " x " + std::to_string(alongV) +
                             " segments; choose 1 or more");
  const auto grid = [](int segments) {
    std::vector<Bernstein> values;
    for (int k = 0; k <= segments; ++k) values.emplace_back(double(k) / segments, double(segments - k) / segments);
    return values;
  };
  const auto gridU = grid(alongU), gridV = grid(alongV);

  Mesh mesh;
  const auto addTriangle = [&](uint32_t a, uint32_t b, uint32_t c) {
    const auto position = [&](uint32_t i) { return mesh.vertices[i].position; };
    if (position(a) != position(b) && position(b) != position(c) && position(c) != position(a))
      mesh.indices.insert(mesh.indices.end(), {a, b, c});
  };
  for (const auto& patch : patches) {
    const auto first = static_cast<uint32_t>(mesh.vertices.size());
    for (int i = 0; i <= alongU; ++i)
      for (int j = 0; j <= alongV; ++j) {
        const auto point = evaluate(patch, gridU[static_cast<std::size_t>(i)], gridV[static_cast<std::size_t>(j)]);
        mesh.vertices.push_back({point.position, point.normal, glm::vec2(i, j) / glm::vec2(alongU, alongV)});
      }
    const auto stride = static_cast<uint32_t>(alongV + 1);
    for (uint32_t i = 0; i < static_cast<uint32_t>(alongU); ++i)
      for (uint32_t j = 0; j + 1 < stride; ++j) {
        const uint32_t a = first + i * stride + j;
        addTriangle(a, a + 1, a + stride);
        addTriangle(a + stride, a + 1, a + stride + 1);
      }
  }
  return mesh;
}

}  // namespace satdof
