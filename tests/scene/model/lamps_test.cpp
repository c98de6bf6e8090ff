#include "app/scene/model/lamps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace satdof {
namespace {

Irradiance lightOf(glm::vec3 (*radiance)(const glm::vec3&)) {
  SkyImage sky;
  sky.size = {32, 16};
  for (int y = 0; y < sky.size.y; ++y)
    for (int x = 0; x < sky.size.x; ++x)
      sky.radiance.push_back(
          radiance(skyDirection({(static_cast<float>(x) + 0.5f) / 32.0f, (static_cast<float>(y) + 0.5f) / 16.0f})));
  LoadProgress progress;
  return makeEnvironment(std::move(sky), progress).irradiance;
}

float stops(const Irradiance& light, const CameraSettings& camera, float turnDegrees = 0.0f, float strength = 1.0f,
            const LampBlock& lamps = {}) {
  ModelSettings settings;
  settings.environmentDegrees = turnDegrees;
  settings.environmentStrength = strength;
  const std::array points{glm::vec3(0.0f)};
  return autoExposureStops(light, lamps, points, settings, camera);
}

CameraSettings from(float yawDegrees) {
  CameraSettings camera;
  camera.yawDegrees = yawDegrees;
  camera.pitchDegrees = 0.0f;
  return camera;
}

TEST(ReadableStops, BrightenADarkSideAndDarkenAGlaringOne) {
  const Irradiance grey = lightOf([](const glm::vec3&) { return glm::vec3(0.6f); });
  const Irradiance behind = lightOf([](const glm::vec3& d) { return glm::vec3(d.z < -0.9f ? 8.0f : 0.01f); });
  EXPECT_EQ(stops(grey, from(0)), 0.0f);
  EXPECT_GT(stops(behind, from(0)), 1.0f);
  EXPECT_EQ(stops(behind, from(180)), 0.0f);
  EXPECT_EQ(stops(behind, from(0), 180.0f), 0.0f) << "turned";
  EXPECT_NEAR(stops(grey, from(0), 0.0f, 10.0f), std::log2(0.7f / 3.0f), 0.06f);
  EXPECT_NEAR(stops(grey, from(0), 0.0f, 1e-3f), std::log2(0.14f / 3e-4f), 0.06f);
  EXPECT_EQ(stops(grey, from(0), 0.0f, 0.0f), 0.0f) << "no light";
}

TEST(ReadableStops, OfLampsFollowThePlaces) {
  ModelData model;
  ModelLight lamp;
  lamp.colour = glm::vec3(5000.0f);
  lamp.node = 0;
  model.lights.push_back(lamp);
  const std::vector<glm::mat4> world{glm::translate(glm::mat4(1.0f), glm::vec3(0, 0, 4))};
  const LampBlock lamps = lampBlock(model, world, 1.0f);
  EXPECT_NEAR(lampLightOverPi(lamps, glm::vec3(0), {0, 0, 1}).r, 5000.0f / 16.0f / 3.14159265f, 0.01f);
  EXPECT_EQ(lampLightOverPi(lamps, glm::vec3(0), {0, 0, -1}).r, 0.0f);
  const Irradiance dark{};
  EXPECT_LT(stops(dark, from(0), 0.0f, 1.0f, lamps), -5.0f);
  EXPECT_EQ(stops(dark, from(180), 0.0f, 1.0f, lamps), 0.0f) << "the lamp lights the other side";
  // One of three points near the lamp does not decide the exposure.
  const std::array points{glm::vec3(0, 0, 3.99f), glm::vec3(0, 0, -400), glm::vec3(0, 0, -401)};
  EXPECT_GT(autoExposureStops(dark, lamps, points, {}, from(0)), 0.0f);
}

}  // namespace
}  // namespace satdof
