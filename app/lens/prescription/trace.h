#pragma once
#include <glm/vec3.hpp>
#include <vector>

#include "app/lens/prescription/prescription.h"

namespace satdof {

// A ray in mm. z is measured from the vertex of the next surface; behind the last surface, from its vertex.
struct LensRay {
  glm::dvec3 from, along;  // a point and the unit direction

  // The point of the ray at this z.
  glm::dvec3 at(double z) const { return from + along * ((z - from.z) / along.z); }
};

// Spectral lines of hydrogen (C, red; F, blue) and helium (d, yellow). Catalogues give a glass by its index n at d and
// its Abbe number V = (n - 1) / (n_F - n_C).
enum class SpectralLine { c, d, f };

enum class RayFate { passes, misses, reflected };

inline constexpr std::size_t kNoSurface = ~std::size_t{0};

// How to trace a ray.
struct LensPath {
  const std::vector<LensSurface>& surfaces;
  SpectralLine line = SpectralLine::d;
  bool clips = true;             // clear apertures stop rays
  std::size_t end = kNoSurface;  // the trace ends on this surface, before refraction
};

// Traces the ray, whose z is measured from the first vertex, through the surfaces. A ray that misses a surface or its
// clear aperture, or that is totally reflected, stays there.
RayFate traceRay(const LensPath& path, LensRay& ray);

}  // namespace satdof
