#include "app/lens/lens_space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/trigonometric.hpp>

#include "app/lens/thin_lens.h"
#include "tests/support/uniform.h"

namespace satdof {
namespace {

struct Case {
  LensSettings lens;
  SceneFacts scene;
  float shift;
};

Case randomCase(test::Uniform& uniform) {
  Case c{{.focusDistanceM = 1.0f / uniform(0.05f, 2.0f), .focalLengthMm = uniform(20, 200)},
         {.size = {300, 200},
          .focalPx = uniform(200, 900),
          .nearM = 0.1f,
          .nearestM = uniform(0.3f, 2.0f),
          .axisPx = {uniform(100, 500), uniform(100, 300)}},
         0.0f};
  c.lens.fNumber = uniform(1, 8);
  c.lens.tiltXDegrees = uniform(-9, 9);
  c.lens.tiltYDegrees = uniform(-9, 9);
  c.lens.fieldCurvature = uniform(-5, 5);
  if (uniform(0, 1) < 0.5f) {
    c.scene.whole = {640, 480};
    c.scene.from = {170, 120};
  }
  if (uniform(0, 1) < 0.5f) c.shift = uniform(-0.5f, 0.5f);
  return c;
}

// A lens in lens space has the radius K S (1 / z_f(p) - 1 / z) at every pixel and distance, and its bounds hold.
TEST(LensSpace, GivesTheRadiusOfTheBentLens) {
  test::Uniform uniform(41);
  for (int i = 0; i < 2000; ++i) {
    const auto [lens, scene, shift] = randomCase(uniform);
    const LensSpace space = lensSpace(lens, scene, shift);
    const ThinLens plain = thinLens(lens, scene.sensorPx(), scene.nearM);
    const ThinLens bent = thinLens(space.lens, scene.sensorPx(), scene.nearM);
    const double ks = double(plain.beta) * double(lens.focusDistanceM);
    for (int k = 0; k < 20; ++k) {
      const glm::vec2 p(uniform(0, float(scene.size.x)), uniform(0, float(scene.size.y)));
      const double z = k == 0 ? INFINITY : double(scene.nearestM) / double(uniform(0.001f, 1));
      const glm::dvec2 q = glm::dvec2(p) + glm::dvec2(scene.from) - glm::dvec2(scene.axisPx);
      const glm::dvec2 onSensor = q * double(lens.sensorHeightMm) / double(scene.sensorPx());  // mm
      const double f = double(lens.focalLengthMm);
      const double tilts = (onSensor.x * std::sin(glm::radians(double(lens.tiltYDegrees))) +
                            onSensor.y * std::sin(glm::radians(double(lens.tiltXDegrees)))) /
                           f * 1000 / f;
      const double curves = double(lens.fieldCurvature) * (onSensor.x * onSensor.x + onSensor.y * onSensor.y) / f / f;
      const double focus = 1 / double(lens.focusDistanceM) + double(shift) - tilts + curves;
      const float depth = glsl::lensDepth(space.surface, static_cast<float>(double(scene.nearM) / z), p);
      EXPECT_NEAR(double(glsl::signedRadius(bent, depth)), ks * (focus - 1 / z), 2e-3 + 1e-4 * ks) << i;
      EXPECT_GE(depth, 0.0f);
      EXPECT_LE(depth, scene.nearM / space.scene.nearestM * 1.0001f);
    }
  }
}

TEST(LensSpace, IsTheSceneWithoutAnyEffect) {
  const SceneFacts scene{.size = {64, 48}, .nearestM = 0.7f, .axisPx = {32, 24}};
  const LensSpace space = lensSpace({}, scene);
  EXPECT_EQ(space.lens, LensSettings{});
  EXPECT_EQ(space.scene.nearestM, 0.7f);
  EXPECT_EQ(space.surface, FocusSurface{});
}

// A lens tilted by t is in focus on a plane that meets the plane of the lens f / sin(t) below it (Merklinger 1996).
TEST(LensSpace, HingesTheFocusPlane) {
  LensSettings lens{.focusDistanceM = 3.0f, .focalLengthMm = 90.0f};
  lens.tiltXDegrees = 4.0f;
  const SceneFacts scene{.size = {480, 480}, .focalPx = 90.0f / 24 * 480, .axisPx = {240, 240}};
  const double hinge = 0.09 / std::sin(glm::radians(4.0));
  const glm::vec2 slope = tiltSlope(lens, scene);
  EXPECT_EQ(slope.x, 0.0f);
  for (const double tangent : {-0.05, 0.0, 0.03}) {
    const double z = 1 / (1.0 / 3 - double(slope.y) * tangent);
    EXPECT_NEAR(z * tangent, hinge * (z / 3 - 1), 1e-5);
  }
}

TEST(LensSpace, BreathesAsAThinLens) {
  LensSettings lens{.focusDistanceM = 0.5f, .focalLengthMm = 50.0f};
  EXPECT_NEAR(fieldOfViewDegrees(27.0f, lens), 27.0f, 1e-4f);
  lens.breathing = 1.0f;
  // The image lies f S / (S - f) behind the lens.
  const float v = 50.0f * 500.0f / 450.0f;
  EXPECT_NEAR(std::tan(glm::radians(fieldOfViewDegrees(27.0f, lens)) / 2),
              std::tan(glm::radians(27.0f) / 2) * 50.0f / v, 1e-6f);
}

}  // namespace
}  // namespace satdof
