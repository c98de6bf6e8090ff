#pragma once
#include <array>
#include <cstddef>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "app/core/settings.h"
#include "app/scene/model/environment.h"
#include "app/scene/model/model.h"

// The lamps of a model's file, and the exposure at which its light makes the model readable.
namespace satdof {

inline constexpr std::size_t kMaxLamps = 16;

// The block `Lamps` of shaders/scene/model/light.glsl (std140).
struct LampBlock {
  std::array<glm::vec4, kMaxLamps> positions, colours, directions, cones;
  glm::ivec4 count;
};

// The first lamps of the file. `world`: of pose(), scaled by `scale` metres of a unit.
LampBlock lampBlock(const ModelData& model, const std::vector<glm::mat4>& world, float scale);

// Irradiance / pi of lamp i, and of all lamps, on a surface.
glm::vec3 lampLightOverPi(const LampBlock& lamps, std::size_t i, const glm::vec3& point,
                          const glm::vec3& normal);
glm::vec3 lampLightOverPi(const LampBlock& lamps, const glm::vec3& point, const glm::vec3& normal);

// The exposure, in stops, at which surfaces at most of the `points` that face the camera are neither black nor white. 0 if they
// are so anyway, and in the dark.
float readableStops(const Irradiance& irradiance, const LampBlock& lamps, std::span<const glm::vec3> points,
                    const ModelSettings& settings, const CameraSettings& camera);

}  // namespace satdof
