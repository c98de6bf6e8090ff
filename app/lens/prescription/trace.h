#pragma once
#include <glm/vec3.hpp>
#include <vector>

#include "app/lens/prescription/prescription.h"

namespace satdof {

// A ray in mm. z is from the vertex of the surface that it meets next, at last from the vertex of the last one.
struct LensRay {
  glm::dvec3 from, along;  // `along` has the length 1

  glm::dvec3 at(double z) const { return from + along * ((z - from.z) / along.z); }
};

// Of hydrogen and helium: red, yellow, blue. Glasses have their d index and n_F - n_C = (n - 1) / V.
enum class SpectralLine { c, d, f };

enum class RayFate { passes, misses, reflected };

inline constexpr std::size_t kNoSurface = ~std::size_t{0};

// Where a ray may go.
struct LensPath {
  const std::vector<LensSurface>& surfaces;
  SpectralLine line = SpectralLine::d;
  bool clips = true;             // by the clear apertures
  std::size_t end = kNoSurface;  // the ray stays on this surface, before it refracts
};

// Takes the ray, whose z is from the first vertex, through the surfaces. A ray that does not pass misses a surface or its clear aperture,
// or is totally reflected; it stays there.
RayFate traceRay(const LensPath& path, LensRay& ray);

}  // namespace satdof
