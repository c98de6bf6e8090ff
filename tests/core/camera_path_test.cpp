#include "app/core/shot/camera_path.h"

#include <gmock/gmock.h>

#include <array>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include "app/core/shot/shot_json.h"
#include "app/scene/camera.h"
#include "tests/core/random_shot.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

using json::Json;
using testing::Contains;
using testing::HasSubstr;

struct Read {
  Shot shot;
  std::vector<std::string> notes;
};

Read readPath(const Json& file) {
  Read read;
  read.shot = shotFromJson(file.dump(), "path.json", read.notes);
  EXPECT_EQ(shotFromJson(shotToJson(read.shot), "", read.notes), read.shot) << "can be written and read";
  return read;
}

std::string complaintAbout(const Json& file) {
  return test::reasonOf<UsageError>([&] { readPath(file); });
}

struct Placed {
  glm::vec3 eye, forward;
  float fov;
};

Placed randomPlaced() {
  return {{uniform(-5, 5), uniform(0, 3), uniform(-5, 5)},
          glm::normalize(glm::vec3(uniform(-1, 1), uniform(-0.9f, 0.1f), uniform(0.2f, 1))),
          uniform(20, 90)};
}

glm::vec3 rightOf(const glm::vec3& forward) { return glm::normalize(glm::cross(forward, glm::vec3(0, 1, 0))); }

// Camera axes: x right, y down, z forward.
Json ngpCamera(const Placed& camera, float aperture, float focus) {
  const glm::vec3 right = rightOf(camera.forward), down = glm::cross(camera.forward, right);
  const glm::quat q = glm::quat_cast(glm::mat3(right, down, camera.forward));
  return {{"R", {q.x, q.y, q.z, q.w}},
          {"T", {camera.eye.x, camera.eye.y, camera.eye.z}},
          {"slice", 0.25f},
          {"scale", focus - 0.25f},
          {"fov", camera.fov},
          {"aperture_size", aperture}};
}

// A 4 x 4 matrix by rows. Camera axes: x right, y up, z backwards; in the world, z is up.
Json nerfstudioCamera(const Placed& camera) {
  const glm::vec3 right = rightOf(camera.forward), up = glm::cross(right, camera.forward);
  const auto row = [](const glm::vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? -v.z : v.y; };
  Json matrix = Json::array();
  for (int axis = 0; axis < 3; ++axis)
    for (const glm::vec3& column : {right, up, -camera.forward, camera.eye}) matrix.push_back(row(column, axis));
  for (const int last : {0, 0, 0, 1}) matrix.push_back(last);
  return {{"camera_to_world", matrix}, {"fov", camera.fov}, {"aspect", 1}};
}

void expectPlaced(const Settings& settings, const Placed& camera) {
  const CameraFrame frame = cameraFrame(settings.camera);
  EXPECT_LT(glm::distance(frame.eye, camera.eye), 1e-3f);
  EXPECT_GT(glm::dot(frame.forward, camera.forward), 1 - 1e-5f);
  EXPECT_FLOAT_EQ(settings.camera.verticalFovDegrees, camera.fov);
}

TEST(CameraPath, OfInstantNgpHasItsCamerasLensAndTimes) {
  for (int i = 0; i < 30; ++i) {
    std::vector<Placed> cameras(1 + generator() % 5);
    Json file{{"loop", false}, {"time", 1.0}, {"path", Json::array()}};
    std::vector<float> apertures, focus;
    for (Placed& camera : cameras) {
      camera = randomPlaced();
      apertures.push_back(uniform(0.001f, 0.1f));
      focus.push_back(uniform(0.6f, 8));
      file["path"].push_back(ngpCamera(camera, apertures.back(), focus.back()));
    }
    const bool timed = i % 2 == 0;
    float timeS = 0;
    std::vector<double> times{0};
    for (Json& camera : file["path"]) {
      timeS += uniform(0.5f, 3);
      if (timed) camera["timestamp"] = timeS;
      times.push_back(timed ? timeS : static_cast<double>(times.size()));
    }
    if (timed) file["duration_seconds"] = timeS + 1;
    const Read read = readPath(file);
    for (std::size_t k = 0; k < cameras.size(); ++k) {
      const Settings at = settingsAt(read.shot, {}, times[k]);
      expectPlaced(at, cameras[k]);
      EXPECT_NEAR(at.lens.focusDistanceM, focus[k], 1e-4f);
      const float expected = at.lens.focalLengthMm / (2000 * apertures[k]);
      EXPECT_NEAR(at.lens.fNumber, std::clamp(expected, 0.1f, 128.0f), 1e-3f * expected);
      EXPECT_NEAR(at.lens.focalLengthMm, 12 / std::tan(glm::radians(cameras[k].fov) / 2), 1e-3f);
    }
    EXPECT_EQ(testing::Value(read.notes, Contains(HasSubstr("no times"))), !timed && cameras.size() > 1);
  }
}

TEST(CameraPath, OfInstantNgpMayBeShort) {
  const auto durationOf = [](double durationS, const char* generator) {
    Json file{{"generator", generator}, {"duration_seconds", durationS}, {"path", Json::array()}};
    for (int camera = 0; camera < 3; ++camera) {
      file["path"].push_back(ngpCamera(randomPlaced(), 0, 2));
      file["path"].back()["timestamp"] = durationS * (camera + 1) / 3;
    }
    return satdof::durationS(readPath(file).shot);
  };
  EXPECT_NEAR(durationOf(0.3, ""), 0.2, 1e-6);
  EXPECT_NEAR(durationOf(1.0, "satdof"), 2.0 / 3, 1e-6);
  EXPECT_EQ(durationOf(1.0, ""), 2.0) << "instant-ngp gives this duration to a path without times";
  EXPECT_EQ(durationOf(0.0, ""), 2.0);
}

TEST(CameraPath, OfInstantNgpMayBeALoopWithoutALens) {
  Json file{{"loop", true}, {"time", 0.0}, {"path", Json::array()}};
  const Placed first = randomPlaced();
  file["path"].push_back(ngpCamera(first, 0, 2));
  file["path"].push_back(ngpCamera(randomPlaced(), 0, 2));
  const Read read = readPath(file);
  EXPECT_EQ(durationS(read.shot), 2.0);
  expectPlaced(settingsAt(read.shot, {}, 0), first);
  expectPlaced(settingsAt(read.shot, {}, 2), first);
  EXPECT_FALSE(animates(read.shot, "lens.fNumber"));
  EXPECT_THAT(read.notes, Contains(HasSubstr("aperture is 0")));
}

TEST(CameraPath, OfNerfstudioHasAKeyForEachFrame) {
  std::vector<Placed> cameras(12);
  Json file{{"camera_type", "perspective"},
            {"render_width", 640},
            {"render_height", 360},
            {"fps", 8},
            {"seconds", 1.5},
            {"keyframes", Json::array()},
            {"camera_path", Json::array()}};
  for (Placed& camera : cameras) {
    camera = randomPlaced();
    file["camera_path"].push_back(nerfstudioCamera(camera));
  }
  const Read read = readPath(file);
  for (std::size_t k = 0; k < cameras.size(); ++k)
    expectPlaced(settingsAt(read.shot, {}, static_cast<double>(k) / 8), cameras[k]);
  EXPECT_THAT(read.notes, Contains("its size is left out: give --size 640x360"));
  EXPECT_THAT(read.notes, Contains("its frame rate is left out: give --fps 8"));
  EXPECT_FALSE(animates(read.shot, "camera.rollDegrees"));
  file["camera_type"] = "fisheye";
  file.erase("fps");
  const Read fisheye = readPath(file);
  EXPECT_THAT(fisheye.notes, Contains("camera_type \"fisheye\" is drawn as perspective"));
  EXPECT_THAT(fisheye.notes, Contains("its frame rate is left out: give --fps 8"));
}

TEST(CameraPath, ARolledCameraHasATrackOfItsRoll) {
  for (const glm::vec3 forward : {glm::vec3(0, 0, -1), glm::vec3(0, -0.8f, -0.6f), glm::vec3(0.6f, 0.8f, 0)}) {
    Json camera = ngpCamera({.eye = {0, 1, 3}, .forward = forward, .fov = 40}, 0, 2);
    const auto turned = [&](float degrees) {
      const float half = glm::radians(degrees) / 2;
      const glm::quat roll(std::cos(half), 0, 0, std::sin(half));
      const glm::quat q = glm::quat(camera["R"][3], camera["R"][0], camera["R"][1], camera["R"][2]) * roll;
      Json json = camera;
      json["R"] = {q.x, q.y, q.z, q.w};
      return readPath({{"path", {json, json}}});
    };
    const Settings level = settingsAt(turned(0).shot, {}, 0), rolled = settingsAt(turned(30).shot, {}, 0);
    expectPlaced(rolled, {.eye = {0, 1, 3}, .forward = forward, .fov = 40});
    // Cameras of the file look along +z: the roll turns their right side downwards.
    EXPECT_NEAR(std::remainder(rolled.camera.rollDegrees - level.camera.rollDegrees, 360.0f), -30.0f, 0.01f);
  }
}

// A written camera path, read again, gives the same frames.
TEST(CameraPath, AShotIsWrittenForBothPrograms) {
  for (int i = 0; i < 20; ++i) {
    const float rate = i % 2 == 0 ? 24.0f : 12.5f;
    const double lengthS = std::array{1.5, 1.0, 0.4}[static_cast<std::size_t>(i % 3)];
    Shot shot;
    const auto track = [&](const char* field, float from, float to) {
      Track made{field, {}};
      for (const double part : {0.0, 0.3, 1.0})
        made.keys.push_back({.timeS = part * lengthS, .value = uniform(from, to)});
      shot.tracks.push_back(made);
    };
    track("camera.yawDegrees", -180, 180);
    track("camera.pitchDegrees", -80, 80);
    track("camera.rollDegrees", -60, 60);
    track("camera.distanceM", 0.5f, 5);
    track("camera.targetXM", -2, 2);
    track("camera.verticalFovDegrees", 20, 70);
    track("lens.focusDistanceM", 0.6f, 8);
    track("lens.fNumber", 1, 16);
    const Settings base;
    for (const CameraPathFormat of : {CameraPathFormat::instantNgp, CameraPathFormat::nerfstudio}) {
      const Read read = readPath(Json::parse(cameraPathToJson(of, shot, base, rate)));
      const auto frames = static_cast<long>(framesOf(shot, rate));
      // The last camera is a frame in nerfstudio and the end of the path in instant-ngp.
      EXPECT_EQ(framesOf(read.shot, rate), of == CameraPathFormat::nerfstudio ? frames : frames - 1);
      for (long frame = 0; frame < frames; ++frame) {
        const double timeS = frameTimeS(shot, frame, rate);
        const Settings expected = settingsAt(shot, base, timeS), found = settingsAt(read.shot, base, timeS);
        const CameraFrame a = cameraFrame(expected.camera), b = cameraFrame(found.camera);
        ASSERT_LT(glm::distance(a.eye, b.eye), 2e-3f) << frame;
        ASSERT_GT(glm::dot(a.forward, b.forward), 1 - 1e-4f);
        ASSERT_GT(glm::dot(a.right, b.right), 1 - 1e-3f) << "roll";
        ASSERT_NEAR(expected.camera.verticalFovDegrees, found.camera.verticalFovDegrees, 1e-3f);
        if (of == CameraPathFormat::nerfstudio) continue;
        ASSERT_NEAR(1 / expected.lens.focusDistanceM, 1 / found.lens.focusDistanceM, 1e-4f);
        const auto apertureMm = [](const LensSettings& lens) { return lens.focalLengthMm / lens.fNumber; };
        ASSERT_NEAR(apertureMm(expected.lens), apertureMm(found.lens), 1e-3f * apertureMm(expected.lens));
      }
    }
  }
}

TEST(CameraPath, DamageIsRefusedWithTheCameraThatHasIt) {
  const Json good = ngpCamera(randomPlaced(), 0, 2);
  const auto with = [&](const char* name, const Json& value) {
    Json camera = good;
    camera[name] = value;
    return Json{{"path", {good, camera}}};
  };
  EXPECT_THAT(complaintAbout({{"path", Json::array()}}), HasSubstr("\"path\" must be a list of cameras"));
  EXPECT_THAT(complaintAbout({{"path", {1}}}), HasSubstr("camera 1: \"R\" is missing"));
  EXPECT_THAT(complaintAbout(with("R", {0, 0, 0})), HasSubstr("camera 2: \"R\" must be a list of 4 numbers"));
  EXPECT_THAT(complaintAbout(with("R", {0, 0, 0, 0})), HasSubstr("camera 2: \"R\" is no rotation"));
  EXPECT_THAT(complaintAbout(with("T", {0, 1e6, 0})), HasSubstr("camera 2: the camera is more than 1000 m away"));
  EXPECT_THAT(complaintAbout(with("fov", "wide")), HasSubstr("camera 2: \"fov\" must be a number"));
  Json frame = nerfstudioCamera(randomPlaced());
  frame["camera_to_world"] = std::vector<int>(16, 0);
  EXPECT_THAT(complaintAbout({{"camera_path", {frame}}}), HasSubstr("frame 1: its axes have no length"));
  EXPECT_THAT(complaintAbout({{"camera_path", {nerfstudioCamera(randomPlaced())}}, {"fps", -3}}), HasSubstr("\"fps\""));
}

TEST(CameraPath, MoreKeysOrSecondsThanAShotTakesAreRefused) {
  const auto path = [](std::size_t cameras, double rate) {
    Json frames = Json::array();
    for (std::size_t i = 0; i < cameras; ++i)
      frames.push_back(
          {{"camera_to_world", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}, {"fov", i % 2 == 0 ? 40 : 50}});
    return Json{{"camera_path", frames}, {"fps", rate}};
  };
  EXPECT_EQ(complaintAbout(path(kMaxShotKeys / 2 - 1, 24)), "accepted");
  EXPECT_THAT(complaintAbout(path(kMaxShotKeys / 2, 24)), HasSubstr("take 20002 keys"));
  EXPECT_THAT(complaintAbout(path(1002, 1e-3)), HasSubstr("longer than"));
}

}  // namespace
}  // namespace satdof
