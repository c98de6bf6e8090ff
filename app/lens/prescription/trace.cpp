#include "app/lens/prescription/trace.h"

#include <cmath>
#include <glm/geometric.hpp>

namespace satdof {

namespace {

// The index behind a surface at a spectral line. By Cauchy, n = A + B / wavelength^2, n_F - n_d is 0.699 (n_F - n_C).
double indexAt(const LensSurface& surface, SpectralLine line) {
  if (surface.abbe == 0.0 || line == SpectralLine::d) return surface.index;
  constexpr double kAbove = 0.6990;
  return surface.index + (surface.index - 1.0) / surface.abbe * (line == SpectralLine::f ? kAbove : kAbove - 1.0);
}

// Moves the ray to the surface. From the plane of the vertex, the distance t along the ray solves a t^2 - 2 b t + c =
// 0; the root next to that plane counts. Returns false if the ray misses the surface.
bool meet(const LensSurface& surface, LensRay& ray) {
  ray.from = ray.at(0.0);
  const double x = ray.from.x, y = ray.from.y, dz = ray.along.z;
  const double a = surface.curvature * (1.0 + surface.conic * dz * dz);
  const double b = dz - surface.curvature * (x * ray.along.x + y * ray.along.y);
  const double c = surface.curvature * (x * x + y * y);
  const double squared = b * b - a * c;
  if (!(squared >= 0.0) || b <= 0.0) return false;
  ray.from += ray.along * (c / (b + std::sqrt(squared)));
  return true;
}

// Refracts the ray in the plane of ray and normal by Snell's law, n' sin' = n sin, with ratio = n / n'. Returns false
// for total reflection.
bool refract(const LensSurface& surface, double ratio, LensRay& ray) {
  const glm::dvec3 normal = glm::normalize(glm::dvec3(0.0, 0.0, 1.0) -
                                           surface.curvature * glm::dvec3(1.0, 1.0, 1.0 + surface.conic) * ray.from);
  const double cosine = glm::dot(ray.along, normal), squared = 1.0 - ratio * ratio * (1.0 - cosine * cosine);
  if (!(squared > 0.0)) return false;
  ray.along = ratio * ray.along + (std::sqrt(squared) - ratio * cosine) * normal;
  return true;
}

}  // namespace

RayFate traceRay(const LensPath& path, LensRay& ray) {
  double before = 1.0;
  for (std::size_t i = 0; i < path.surfaces.size(); ++i) {
    const LensSurface& surface = path.surfaces[i];
    if (!meet(surface, ray)) return RayFate::misses;
    const glm::dvec3& at = ray.from;
    if (path.clips && at.x * at.x + at.y * at.y > surface.semi * surface.semi) return RayFate::misses;
    if (i == path.end) return RayFate::passes;
    const double behind = indexAt(surface, path.line);
    if (behind != before && !refract(surface, before / behind, ray)) return RayFate::reflected;
    before = behind;
    if (i + 1 < path.surfaces.size()) ray.from.z -= surface.thickness;
  }
  return RayFate::passes;
}

}  // namespace satdof
