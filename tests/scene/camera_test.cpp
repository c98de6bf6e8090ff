#include "app/scene/camera.h"
#include "tests/support/uniform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec4.hpp>
#include <limits>

namespace satdof {
namespace {

TEST(Camera, OrbitsItsTarget) {
  CameraSettings camera;
  camera.yawDegrees = 37.0f;
  camera.pitchDegrees = 21.0f;
  camera.distanceM = 3.0f;
  camera.targetXM = 1.0f;
  const auto frame = cameraFrame(camera);
  const glm::vec3 target(camera.targetXM, camera.targetYM, camera.targetZM);
  EXPECT_NEAR(glm::distance(frame.eye, target), 3.0f, 1e-5f);
  EXPECT_NEAR(glm::dot(frame.forward, glm::normalize(target - frame.eye)), 1.0f, 1e-6f);
  EXPECT_NEAR(frame.eye.y, camera.targetYM + 3.0f * std::sin(glm::radians(21.0f)), 1e-5f);
  EXPECT_NEAR(frame.right.y, 0.0f, 1e-6f);
  EXPECT_GT(frame.up.y, 0.0f);
  EXPECT_NEAR(glm::distance(glm::cross(frame.right, frame.up), -frame.forward), 0.0f, 1e-6f);
}

TEST(Camera, RollTurnsItsAxesAboutTheView) {
  CameraSettings camera;
  camera.pitchDegrees = -55.0f;
  const CameraFrame level = cameraFrame(camera);
  camera.rollDegrees = 30.0f;
  const CameraFrame rolled = cameraFrame(camera);
  EXPECT_EQ(rolled.eye, level.eye);
  EXPECT_EQ(rolled.forward, level.forward);
  EXPECT_NEAR(glm::dot(rolled.right, level.right), std::cos(glm::radians(30.0f)), 1e-6f);
  EXPECT_NEAR(glm::dot(rolled.right, level.up), 0.5f, 1e-6f);
  EXPECT_NEAR(glm::distance(glm::cross(rolled.right, rolled.up), -rolled.forward), 0.0f, 1e-6f);
}

glm::vec3 project(const Pinhole& pinhole, const glm::vec3& point) {
  const glm::vec4 clip = pinhole.worldToClip() * glm::vec4(point, 1.0f);
  return glm::vec3(clip) / clip.w;
}

TEST(Camera, ProjectsWithReversedDepth) {
  const glm::ivec2 size(641, 479);
  const CameraSettings camera;
  const auto pinhole = makePinhole(camera, size, kNearM, {});
  const auto frame = cameraFrame(camera);
  const float half = std::tan(glm::radians(camera.verticalFovDegrees / 2));
  for (const float z : {kNearM, 1.0f, 7.5f, 1e4f}) {
    const glm::vec3 corner = frame.eye + z * (frame.forward + half * frame.up + half * 641.0f / 479.0f * frame.right);
    const auto ndc = project(pinhole, corner);
    EXPECT_NEAR(ndc.x, 1.0f, 1e-3f);
    EXPECT_NEAR(ndc.y, 1.0f, 1e-3f);
    EXPECT_NEAR(ndc.z * z / kNearM, 1.0f, 1e-3f);
    EXPECT_NEAR(pinhole.distanceM(corner) / z, 1.0f, 1e-3f);
  }
}

TEST(Camera, ShiftMovesTheWholeImage) {
  const glm::ivec2 size(640, 360);
  CameraSettings camera;
  const auto centred = makePinhole(camera, size, kNearM, {{0.02f, 0.01f}, 1.7f});
  camera.shiftX = 0.125f;
  camera.shiftY = 0.0625f;
  const auto shifted = makePinhole(camera, size, kNearM, {{0.02f, 0.01f}, 1.7f});
  const auto frame = cameraFrame(camera);
  for (const float z : {0.8f, 1.8f, 50.0f}) {
    const glm::vec3 point = frame.eye + z * (frame.forward + 0.2f * frame.right - 0.1f * frame.up);
    const glm::vec3 moved = project(shifted, point) - project(centred, point);
    EXPECT_NEAR(0.5f * moved.x, 0.125f, 1e-6f) << "image widths";
    EXPECT_NEAR(0.5f * moved.y, 0.0625f, 1e-6f) << "image heights";
    EXPECT_NEAR(moved.z, 0.0f, 1e-6f);
  }
}

TEST(Camera, ApertureShiftLeavesTheFocusPlaneInPlace) {
  const glm::ivec2 size(640, 360);
  const CameraSettings camera;
  const auto frame = cameraFrame(camera);
  const float focusM = 1.7f;
  const auto centre = makePinhole(camera, size, kNearM, {});
  for (const glm::vec2 aperture : {glm::vec2(0.02f, 0.0f), glm::vec2(-0.01f, 0.017f)}) {
    const auto shifted = makePinhole(camera, size, kNearM, {aperture, focusM});
    const auto at = [&](const Pinhole& pinhole, float z) {
      return project(pinhole, frame.eye + z * frame.forward + 0.2f * frame.right - 0.1f * frame.up);
    };
    EXPECT_NEAR(glm::distance(at(shifted, focusM), at(centre, focusM)), 0.0f, 2e-6f);
    // Points at other distances move by aperture * scale * (1/S - 1/z), the circle of confusion of a thin
    // lens.
    for (const float z : {0.8f, 4.0f}) {
      const glm::vec2 moved = glm::vec2(at(shifted, z) - at(centre, z));
      const glm::vec2 expected = aperture * centre.scale * (1 / focusM - 1 / z);
      EXPECT_NEAR(glm::distance(moved, expected), 0.0f, 1e-5f);
    }
  }
}

TEST(Camera, CullsOnlySpheresOutsideTheImage) {
  const CameraSettings camera;
  const auto pinhole = makePinhole(camera, {320, 180}, kNearM, {{0.02f, -0.01f}, 1.7f});
  int shown = 0, hidden = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto coordinate = [&](int axis) {
      return 6.0f * (std::fmod(float(i) * (0.618034f + 0.1371f * float(axis)), 1.0f) - 0.5f);
    };
    const glm::vec3 point(coordinate(0), coordinate(1), coordinate(2));
    const bool inFront = pinhole.distanceM(point) >= kNearM;
    const auto ndc = project(pinhole, point);
    const bool inside = inFront && std::max(std::abs(ndc.x), std::abs(ndc.y)) <= 0.9999f;
    const bool outside = !inFront || std::max(std::abs(ndc.x), std::abs(ndc.y)) > 1.0001f;
    if (inside || outside) {
      EXPECT_EQ(pinhole.mayShow(point, 0.0f), inside);
    }
    ++(inside ? shown : hidden);
  }
  EXPECT_GT(shown, 20);
  EXPECT_GT(hidden, 1000);
}

// Against points of random boxes that the image shows.
TEST(Camera, FindsTheNearestPointOfABoxInTheImage) {
  test::Uniform uniform(20261124);
  int shown = 0, around = 0;
  for (int trial = 0; trial < 400; ++trial) {
    CameraSettings camera;
    camera.yawDegrees = uniform(-180, 180);
    camera.pitchDegrees = uniform(-30, 60);
    camera.distanceM = uniform(0.5f, 4);
    camera.verticalFovDegrees = uniform(20, 80);
    camera.shiftX = uniform(-0.3f, 0.3f);
    camera.rollDegrees = uniform(-180, 180);
    const Pinhole pinhole = makePinhole(camera, {160, 90}, 0.1f, {{uniform(-0.1f, 0.1f), 0.05f}, 2.0f});
    const glm::vec3 low(uniform(-3, 2), trial % 5 == 0 ? 0.0f : uniform(-1, 1), uniform(-3, 2));
    const glm::vec3 size(uniform(0, 4), trial % 5 == 0 ? 0.0f : uniform(0, 1), uniform(0, 4));
    const float found = pinhole.nearestInBoxM(low, low + size);
    float nearest = std::numeric_limits<float>::infinity();
    constexpr int kSteps = 40;
    for (int x = 0; x <= kSteps; ++x)
      for (int y = 0; y <= kSteps; ++y)
        for (int z = 0; z <= kSteps; ++z) {
          const glm::vec3 p = low + size * glm::vec3(x, y, z) / float(kSteps);
          const glm::vec4 clip = pinhole.worldToClip() * glm::vec4(p, 1.0f);
          if (clip.w > 0 && std::abs(clip.x) <= clip.w && std::abs(clip.y) <= clip.w)
            nearest = std::min(nearest, clip.w);
        }
    EXPECT_LE(found, nearest * 1.0001f) << trial;
    shown += std::isfinite(nearest) ? 1 : 0;
    if (std::isfinite(nearest)) around += found >= nearest - 2.0f * glm::length(size) / float(kSteps) ? 1 : 0;
  }
  EXPECT_GT(shown, 100);
  EXPECT_GE(around, shown - shown / 20) << "bounds that are close";
}

TEST(Camera, FocalLengthInPixelsMatchesTheProjection) {
  const glm::ivec2 size(641, 479);
  const auto pinhole = makePinhole({}, size, kNearM, {});
  const float xM = 0.3f, zM = 2.0f;
  const auto ndc = project(pinhole, pinhole.frame.eye + zM * pinhole.frame.forward + xM * pinhole.frame.right);
  EXPECT_NEAR(0.5f * float(size.x) * ndc.x, pinhole.focalPx(size.y) * xM / zM, 1e-3f);
}

TEST(Camera, APartShowsThePixelsOfTheWhole) {
  const glm::ivec2 whole(640, 360), from(256, 32), size(200, 300);
  const CameraSettings camera{.shiftX = 0.1f};
  const ViewOffset offset{{0.02f, -0.01f}, 3.0f};
  const auto all = makePinhole(camera, whole, kNearM, offset);
  const auto part = makePinhole(camera, size, kNearM, offset, {from, whole});
  EXPECT_NEAR(part.focalPx(size.y), all.focalPx(whole.y), 1e-3f);
  for (const glm::vec3 at : {glm::vec3(0.3f, 0.2f, 2.0f), glm::vec3(-0.4f, 0.1f, 1.0f)}) {
    const glm::vec3 point = all.frame.eye + at.x * all.frame.right + at.y * all.frame.up + at.z * all.frame.forward;
    const auto pixel = [&](const Pinhole& pinhole, glm::ivec2 of) {
      const auto ndc = project(pinhole, point);
      return (glm::vec2(ndc.x, ndc.y) * 0.5f + 0.5f) * glm::vec2(of);
    };
    const glm::vec2 expected = pixel(all, whole) - glm::vec2(from), found = pixel(part, size);
    EXPECT_NEAR(found.x, expected.x, 1e-3f);
    EXPECT_NEAR(found.y, expected.y, 1e-3f);
  }
}

// Points in the plane of focus stay in place, others move by their radius on the aperture.
TEST(Camera, TiltShearsAroundThePlaneOfFocus) {
  test::Uniform uniform(7);
  const glm::ivec2 size(640, 360);
  for (int i = 0; i < 500; ++i) {
    CameraSettings camera;
    camera.shiftX = uniform(-0.2f, 0.2f);
    camera.shiftY = uniform(-0.2f, 0.2f);
    const ViewOffset offset{.apertureM = {uniform(-0.05f, 0.05f), uniform(-0.05f, 0.05f)},
                            .focusDistanceM = uniform(0.5f, 4),
                            .tilt = {uniform(-1, 1), uniform(-1, 1)}};
    const ImagePart part = i % 2 == 0 ? ImagePart{} : ImagePart{{100, 50}, {1280, 720}};
    const Pinhole centre = makePinhole(camera, size, kNearM, {}, part);
    const Pinhole moved = makePinhole(camera, size, kNearM, offset, part);
    const CameraFrame frame = cameraFrame(camera);
    const float z = uniform(0.3f, 20);
    const glm::vec2 tangent(uniform(-0.3f, 0.3f), uniform(-0.2f, 0.2f));
    const glm::vec3 point = frame.eye + z * (frame.forward + tangent.x * frame.right + tangent.y * frame.up);
    const float focus = 1 / offset.focusDistanceM - glm::dot(offset.tilt, tangent);
    const glm::vec2 expected = glm::vec2(project(centre, point)) + centre.scale * offset.apertureM * (focus - 1 / z);
    EXPECT_NEAR(glm::distance(glm::vec2(project(moved, point)), expected), 0.0f, 2e-5f) << i;

    const glm::vec4 clip = moved.worldToClip() * glm::vec4(point, 1.0f);
    const float behind = glm::dot(moved.behindFocus(offset), glm::vec4(clip.x, clip.y, clip.w, 1.0f));
    if (std::abs(focus - 1 / z) > 1e-3f) {
      EXPECT_EQ(behind > 0, focus > 1 / z) << i;
    }

    const glm::vec2 ndc(uniform(-1, 1), uniform(-1, 1));
    const glm::vec2 far = moved.unskewed() * ((ndc - moved.shear) / moved.scale);
    const glm::vec4 sky = moved.worldToClip() * glm::vec4(frame.forward + far.x * frame.right + far.y * frame.up, 0.0f);
    EXPECT_NEAR(glm::distance(glm::vec2(sky) / sky.w, ndc), 0.0f, 1e-5f) << i;

    const glm::vec2 shown(project(moved, point));
    if (std::max(std::abs(shown.x), std::abs(shown.y)) < 0.999f) {
      EXPECT_TRUE(moved.mayShow(point, 0.0f)) << i;
    }
  }
}

}  // namespace
}  // namespace satdof
