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

// The lamps of a model file, and the exposure for the light of lamps and environment.
namespace satdof {

inline constexpr std::size_t kMaxLamps = 16;

// The block `Lamps` of shaders/scene/model/light.glsl (std140).
struct LampBlock {
  std::array<glm::vec4, kMaxLamps> positions, colours, directions, cones;
  glm::ivec4 count;
};

// The first kMaxLamps lamps of the file. `world`: ModelPose::world, scaled by `scale` metres per unit.
LampBlock lampBlock(const ModelData& model, const std::vector<glm::mat4>& world, float scale);

// Irradiance / pi on a surface: of lamp i, and of all lamps.
glm::vec3 lampLightOverPi(const LampBlock& lamps, std::size_t i, const glm::vec3& point, const glm::vec3& normal);
glm::vec3 lampLightOverPi(const LampBlock& lamps, const glm::vec3& point, const glm::vec3& normal);

// Automatic exposure: the smallest change, in stops, that brings the median luminance of grey surfaces at the `points`,
// which face the camera, between 0.14 and 0.7. 0 without light.
float autoExposureStops(const Irradiance& irradiance, const LampBlock& lamps, std::span<const glm::vec3> points,
                        const ModelSettings& settings, const CameraSettings& camera);

}  // namespace satdof
