#pragma once
#include <array>
#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/core/pixels.h"
#include "app/core/system/loading.h"
#include "app/io/file_limits.h"
#include "app/io/notes.h"

// Image-based lighting: an image of the sky, its irradiance and its prefiltered levels. Without OpenGL.
namespace satdof {

// Radiance by direction in an equirectangular image. Row 0 is up: u = atan(x, -z) / 2 pi + 1/2, v = acos(y) / pi.
struct SkyImage {
  glm::ivec2 size{0};
  std::vector<glm::vec3> radiance;

  glm::vec3 at(int x, int y) const { return radiance[pixelIndex(size, {x, y})]; }
  // Bilinear interpolation; repeats along x, clamps along y.
  glm::vec3 sample(glm::vec2 uv) const;
};

// The unit direction of texture coordinates, and the inverse.
glm::vec3 skyDirection(glm::vec2 uv);
glm::vec2 skyCoordinates(const glm::vec3& direction);

// Irradiance / pi by the normal, as coefficients of spherical harmonics up to l = 2 (Ramamoorthi and Hanrahan 2001).
using Irradiance = std::array<glm::vec3, 9>;
glm::vec3 irradianceOverPi(const Irradiance& coefficients, const glm::vec3& normal);

struct Environment {
  SkyImage sky;
  Irradiance irradiance{};
  // Level i: mean radiance that a GGX surface of roughness i / (levels - 1) reflects, by mirror direction (Karis 2013).
  std::vector<SkyImage> prefiltered;
  Notes notes{};  // from the reader of the file
};

constexpr int kPrefilteredLevels = 6;
constexpr glm::ivec2 kPrefilteredSize{256, 128};

// Computes irradiance and prefiltered levels. O(texels of the sky), plus a constant cost for the levels. Throws
// LoadCancelled.
Environment makeEnvironment(SkyImage sky, LoadProgress& progress);

// A built-in environment.
struct EnvironmentRow {
  const char* name;
  const char* summary;
  glm::vec3 (*radiance)(const glm::vec3& direction);
};
std::span<const EnvironmentRow> environmentRows();

// Decodes a Radiance or OpenEXR file and adds to `notes`. Throws std::runtime_error with the reason, without the file.
SkyImage decodeSky(std::string_view bytes, const FileLimits& limits, Notes& notes);

std::vector<std::string> environmentExtensions();
bool isEnvironmentFile(const std::filesystem::path& path);

// Loads an environment. `name`: a built-in environment, or the path of a .hdr or .exr file; empty: the first built-in
// one. Throws std::runtime_error with the file and the reason; LoadCancelled.
std::shared_ptr<const Environment> loadEnvironment(const std::string& name, LoadProgress& progress);

}  // namespace satdof
