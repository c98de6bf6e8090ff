#include "app/scene/model/lamps.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "app/scene/camera.h"
#include "app/scene/model/entry.h"
#include "app/scene/model/environment_light.h"
#include "shaders/common/luminance.h"

namespace satdof {

LampBlock lampBlock(const ModelData& model, const std::vector<glm::mat4>& world, float scale) {
  LampBlock lamps{};
  const std::size_t count = std::min(model.lights.size(), kMaxLamps);
  for (std::size_t i = 0; i < count; ++i) {
    const ModelLight& light = model.lights[i];
    const glm::mat4& at = entry(world, light.node);
    const glm::vec3 axis =
        glm::normalize(glm::vec3(at * glm::vec4(0.0f, 0.0f, -1.0f, 0.0f)) + glm::vec3(0.0f, 0.0f, -1e-20f));
    const bool directional = light.kind == LightKind::directional;
    lamps.positions[i] = directional ? glm::vec4(-axis, 0.0f) : glm::vec4(glm::vec3(at[3]), 1.0f);
    // Scales 1 / r^2 from units of the file to metres.
    const float intensity = directional ? 1.0f : scale * scale;
    const float range = light.rangeM * scale;
    lamps.colours[i] = glm::vec4(light.colour * intensity, range > 0.0f ? 1.0f / (range * range) : 0.0f);
    lamps.directions[i] = glm::vec4(axis, light.kind == LightKind::spot ? std::cos(light.outerCone) : -2.0f);
    lamps.cones[i] = glm::vec4(std::cos(light.innerCone), 0.0f, 0.0f, 0.0f);
  }
  lamps.count = glm::ivec4(static_cast<int>(count), 0, 0, 0);
  return lamps;
}

// As lampLight() in shaders/scene/model/light.glsl.
glm::vec3 lampLightOverPi(const LampBlock& lamps, std::size_t i, const glm::vec3& point, const glm::vec3& normal) {
  const glm::vec4 at = lamps.positions[i], colour = lamps.colours[i];
  glm::vec3 l(at);
  float part = 1.0f;
  if (at.w != 0.0f) {
    const glm::vec3 to = glm::vec3(at) - point;
    const float square = std::max(glm::dot(to, to), 1e-4f);
    l = to / std::sqrt(square);
    const float outer = lamps.directions[i].w;
    const float cosine = glm::dot(-l, glm::vec3(lamps.directions[i]));
    const float spot =
        outer < -1.0f ? 1.0f : std::clamp((cosine - outer) / std::max(lamps.cones[i].x - outer, 1e-4f), 0.0f, 1.0f);
    const float window = std::clamp(1.0f - square * square * colour.w * colour.w, 0.0f, 1.0f);
    part = window * spot * spot / square;
  }
  return glm::vec3(colour) * (part * std::max(glm::dot(normal, l), 0.0f) / std::numbers::pi_v<float>);
}

glm::vec3 lampLightOverPi(const LampBlock& lamps, const glm::vec3& point, const glm::vec3& normal) {
  glm::vec3 sum(0.0f);
  for (std::size_t i = 0; i < static_cast<std::size_t>(lamps.count.x); ++i)
    sum += lampLightOverPi(lamps, i, point, normal);
  return sum;
}

float autoExposureStops(const Irradiance& irradiance, const LampBlock& lamps, std::span<const glm::vec3> points,
                        const ModelSettings& settings, const CameraSettings& camera) {
  constexpr float kAlbedo = 0.5f, kDarkest = 0.14f, kBrightest = 0.7f, kSlope = 0.7f, kMaxStops = 16.0f;
  if (points.empty()) return 0.0f;
  const CameraFrame frame = cameraFrame(camera);
  const glm::mat3 turn = toEnvironment(settings);
  constexpr std::array kSides = {glm::vec2(0.0f), glm::vec2(1.0f, 0.0f), glm::vec2(-1.0f, 0.0f), glm::vec2(0.0f, 1.0f),
                                 glm::vec2(0.0f, -1.0f)};
  std::vector<float> luminances(points.size(), 0.0f);
  for (const glm::vec2& side : kSides) {
    const glm::vec3 n = glm::normalize(kSlope * (side.x * frame.right + side.y * frame.up) - frame.forward);
    const glm::vec3 sky = settings.environmentStrength * irradianceOverPi(irradiance, turn * n);
    for (std::size_t i = 0; i < points.size(); ++i)
      luminances[i] += glsl::luminance(sky + lampLightOverPi(lamps, points[i], n));
  }
  const auto median = luminances.begin() + static_cast<std::ptrdiff_t>(luminances.size() / 2);
  std::nth_element(luminances.begin(), median, luminances.end());
  const float luminance = kAlbedo * *median / static_cast<float>(kSides.size());
  if (!(luminance > 0.0f)) return 0.0f;
  const float stops = std::log2(std::clamp(luminance, kDarkest, kBrightest) / luminance);
  return std::round(10.0f * std::clamp(stops, -kMaxStops, kMaxStops)) / 10.0f;
}

}  // namespace satdof
