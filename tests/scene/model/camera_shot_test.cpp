#include "app/scene/model/camera_shot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include "app/scene/camera.h"

namespace satdof {
namespace {

// A camera on an arm that turns by 90 degrees about the vertical, in a file of centimetres.
ModelData craneModel() {
  ModelData model;
  model.nodes.resize(3);
  model.nodes[1].parent = 0;
  model.nodes[1].placement.translation = {0, 100, 200};
  model.nodes[2].placement.translation = {5, 5, 5};
  model.cameras = {{.name = "crane", .node = 1, .verticalFov = 0.7f, .focusDistanceM = 200}, {.name = "", .node = 2}};
  const float half = std::sqrt(0.5f);
  const Channel turn{.node = 0, .path = Path::rotation, .timesS = {0, 2}, .values = {{0, 0, 0, 1}, {0, half, 0, half}}};
  model.clips = {{.name = "turn", .durationS = 2, .channels = {turn}}};
  return model;
}

TEST(CameraShot, FollowsTheCameraOfTheFile) {
  const ModelData model = craneModel();
  const Shot shot = cameraShot(model, {}, 0.01f);
  EXPECT_DOUBLE_EQ(durationS(shot), 2);
  for (const double timeS : {0.0, 0.37, 1.0, 1.9}) {
    const Settings at = settingsAt(shot, {}, timeS);
    const CameraFrame frame = cameraFrame(at.camera);
    const float angle = static_cast<float>(timeS) * 0.25f * 3.14159265f;
    EXPECT_LT(glm::distance(frame.eye, {2 * std::sin(angle), 1, 2 * std::cos(angle)}), 2e-3f) << timeS;
    EXPECT_LT(glm::distance(frame.forward, {-std::sin(angle), 0, -std::cos(angle)}), 2e-3f) << timeS;
    EXPECT_NEAR(at.camera.distanceM, 2, 2e-3);
    EXPECT_NEAR(at.camera.verticalFovDegrees, 40.107, 1e-2);
    EXPECT_EQ(at.camera.rollDegrees, 0);
  }
}

TEST(CameraShot, HasTheRollOfTheCamera) {
  ModelData model = craneModel();
  model.nodes[1].placement.rotation = glm::angleAxis(0.3f, glm::vec3(0, 0, 1));
  const CameraSettings camera = settingsAt(cameraShot(model, {}, 0.01f), {}, 1).camera;
  const CameraFrame frame = cameraFrame(camera);
  const glm::mat4 world = pose(model, 0, 1.0).world[1];
  EXPECT_LT(glm::distance(frame.right, glm::vec3(world[0])), 2e-3f);
  EXPECT_LT(glm::distance(frame.up, glm::vec3(world[1])), 2e-3f);
}

TEST(CameraShot, ACameraThatNothingMovesHasNone) {
  const auto shotOf = [model = craneModel()](int camera, int clip, float scale) {
    ModelSettings settings;
    settings.camera = camera;
    settings.clip = clip;
    return cameraShot(model, settings, scale);
  };
  EXPECT_EQ(shotOf(2, 1, 0.01f), Shot{});
  EXPECT_EQ(shotOf(3, 1, 0.01f), Shot{});
  EXPECT_EQ(shotOf(1, 0, 0.01f), Shot{});
  EXPECT_NE(shotOf(0, 1, 0.01f), Shot{});
  EXPECT_EQ(shotOf(1, 1, 100.0f), Shot{}) << "too far away";
}

}  // namespace
}  // namespace satdof
