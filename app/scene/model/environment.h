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
#include "app/io/file_limits.h"
#include "app/io/notes.h"
#include "app/scene/loading.h"

// Light from all directions: an image of the sky, and what surfaces need of it.
namespace satdof {

// Radiance by direction. Row 0 is up, u = atan(x, -z) / 2 pi + 1/2, v = acos(y) / pi.
struct SkyImage {
  glm::ivec2 size{0};
  std::vector<glm::vec3> radiance;

  glm::vec3 at(int x, int y) const { return radiance[pixelIndex(size, {x, y})]; }
  // Bilinear; repeats along x.
  glm::vec3 sample(glm::vec2 uv) const;
};

glm::vec3 skyDirection(glm::vec2 uv);
glm::vec2 skyCoordinates(const glm::vec3& direction);

// Coefficients of the spherical harmonics up to l = 2 of irradiance / pi (Ramamoorthi and Hanrahan 2001).
using Irradiance = std::array<glm::vec3, 9>;
glm::vec3 irradianceOverPi(const Irradiance& coefficients, const glm::vec3& normal);

struct Environment {
  SkyImage sky;
  Irradiance irradiance{};
  // The mean radiance that a surface of roughness i / (levels - 1) mirrors, GGX (Karis 2013). The first is a coarse sky.
  std::vector<SkyImage> prefiltered;
  Notes notes{};  // of the reader of the file
};

constexpr int kPrefilteredLevels = 6;
constexpr glm::ivec2 kPrefilteredSize{256, 128};

// Computes irradiance and prefiltered light. O(texels of the sky) and a fixed part.
Environment makeEnvironment(SkyImage sky, LoadProgress& progress);

// The built-in environments, by name.
struct EnvironmentRow {
  const char* name;
  const char* summary;
  glm::vec3 (*radiance)(const glm::vec3& direction);
};
std::span<const EnvironmentRow> environmentRows();

// The sky in a Radiance or OpenEXR file; adds to `notes`. Throws std::runtime_error with the reason alone.
SkyImage decodeSky(std::string_view bytes, const FileLimits& limits, Notes& notes);

std::vector<std::string> environmentExtensions();
bool isEnvironmentFile(const std::filesystem::path& path);

// `name`: of a built-in environment, or the path of a .hdr or .exr file; empty: the first built-in one. Throws
// std::runtime_error with the file and the reason.
std::shared_ptr<const Environment> loadEnvironment(const std::string& name, LoadProgress& progress);

}  // namespace satdof
