#include "app/core/shot/shot.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "app/core/settings_json.h"
#include "app/core/shot/shot_json.h"
#include "app/core/usage_error.h"
#include "app/scene/camera.h"
#include "tests/core/random_shot.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

using testing::HasSubstr;

constexpr Interpolation kWays[] = {Interpolation::step, Interpolation::linear, Interpolation::logarithmic,
                                   Interpolation::diopters, Interpolation::angle};

std::vector<Key> randomKeys(std::size_t count, bool smoothAlone = false) {
  std::vector<Key> keys(count);
  double timeS = uniform(0, 2);
  for (Key& key : keys) {
    key.timeS = timeS;
    timeS += uniform(0.05f, 3);
    key.value = std::exp(uniform(-2, 5));
    if (!smoothAlone) randomEasing(key);
  }
  return keys;
}

TEST(Shot, PassesThroughItsKeysAndIsConstantOutside) {
  for (int i = 0; i < 300; ++i) {
    const auto keys = randomKeys(1 + generator() % 7);
    for (const Interpolation how : kWays) {
      for (const Key& key : keys) EXPECT_EQ(valueAt(how, keys, key.timeS), key.value);
      EXPECT_EQ(valueAt(how, keys, keys.front().timeS - 1), keys.front().value);
      EXPECT_EQ(valueAt(how, keys, keys.back().timeS + 1e5), keys.back().value);
    }
  }
}

TEST(Shot, NeverGoesBeyondTheTwoKeysBesideATime) {
  for (int i = 0; i < 3000; ++i) {
    const auto keys = randomKeys(6);
    const std::size_t k = generator() % 5;
    const double timeS = keys[k].timeS + (keys[k + 1].timeS - keys[k].timeS) * uniform(0, 1);
    const auto [low, high] = std::minmax(keys[k].value, keys[k + 1].value);
    for (const Interpolation how :
         {Interpolation::step, Interpolation::linear, Interpolation::logarithmic, Interpolation::diopters}) {
      const float value = valueAt(how, keys, timeS);
      EXPECT_GE(value, low);
      EXPECT_LE(value, high);
    }
  }
}

TEST(Shot, RisesBetweenRisingKeys) {
  for (int i = 0; i < 200; ++i) {
    auto keys = randomKeys(5);
    std::vector<float> values;
    for (const Key& key : keys) values.push_back(key.value);
    std::ranges::sort(values);
    for (std::size_t k = 0; k < keys.size(); ++k) keys[k].value = values[k];
    for (const Interpolation how : {Interpolation::linear, Interpolation::logarithmic, Interpolation::diopters}) {
      float last = 0;
      for (double timeS = 0; timeS < 16; timeS += 0.01) {
        const float value = valueAt(how, keys, timeS);
        ASSERT_GE(value, last * (1 - 1e-6f)) << timeS;
        last = value;
      }
    }
  }
}

// Speed of the value on its interpolation scale.
double speedAt(Interpolation how, const std::vector<Key>& keys, double timeS, double step) {
  const auto scaled = [&](double at) {
    const double value = valueAt(how, keys, at);
    return how == Interpolation::diopters ? 1 / value : how == Interpolation::logarithmic ? std::log(value) : value;
  };
  return (scaled(timeS + step) - scaled(timeS)) / step;
}

TEST(Shot, SmoothKeepsItsSpeedAtKeysAndRestsAtTheEnds) {
  constexpr double kStepS = 1e-3;
  for (int i = 0; i < 200; ++i) {
    const auto keys = randomKeys(6, true);
    for (const Interpolation how : {Interpolation::linear, Interpolation::logarithmic, Interpolation::diopters}) {
      double most = 0;
      for (double timeS = 0; timeS < keys.back().timeS; timeS += 0.01)
        most = std::max(most, std::abs(speedAt(how, keys, timeS, 0.01)));
      for (const Key& key : keys) {
        const double before = speedAt(how, keys, key.timeS, -kStepS), after = speedAt(how, keys, key.timeS, kStepS);
        EXPECT_NEAR(before, after, 0.15 * most);
        if (&key == &keys.front() || &key == &keys.back()) {
          EXPECT_NEAR(after, 0, 0.15 * most);
          EXPECT_NEAR(before, 0, 0.15 * most);
        }
      }
    }
  }
}

TEST(Shot, GoesOnWithoutStoppingThroughKeysOfOneWay) {
  const std::vector<Key> keys{{.timeS = 0, .value = 0}, {.timeS = 1, .value = 1}, {.timeS = 2, .value = 2}};
  EXPECT_NEAR(speedAt(Interpolation::linear, keys, 1, 1e-3), 1, 0.01);
  EXPECT_FLOAT_EQ(valueAt(Interpolation::linear, keys, 1.5), 1.625f);
}

TEST(Shot, HalfwayIsTheMeanOfTheRow) {
  for (int i = 0; i < 100; ++i) {
    auto keys = randomKeys(2);
    const float a = keys[0].value, b = keys[1].value;
    const double halfS = (keys[0].timeS + keys[1].timeS) / 2;
    for (const Easing easing : {Easing::linear, Easing::smooth, Easing::bezier}) {
      keys[0].easing = easing;
      keys[0].handles = kHandles;
      EXPECT_NEAR(1 / valueAt(Interpolation::diopters, keys, halfS), (1 / a + 1 / b) / 2, 1e-5f / a + 1e-5f / b);
      EXPECT_NEAR(valueAt(Interpolation::logarithmic, keys, halfS), std::sqrt(a * b), 1e-4f * std::max(a, b));
      EXPECT_NEAR(valueAt(Interpolation::linear, keys, halfS), (a + b) / 2, 1e-4f * std::max(a, b));
      EXPECT_EQ(valueAt(Interpolation::step, keys, halfS), a);
    }
  }
}

TEST(Shot, AnglesTakeTheShorterWay) {
  const std::vector<Key> keys{{.timeS = 0, .value = 170}, {.timeS = 1, .value = -170}, {.timeS = 2, .value = -150}};
  for (double timeS = 0; timeS <= 2; timeS += 0.05)
    EXPECT_LE(std::abs(std::remainder(valueAt(Interpolation::angle, keys, timeS) - 190, 360)), 20.001) << timeS;
  Shot shot{.tracks = {{.field = "scene.model.environmentDegrees",
                        .keys = {{.timeS = 0, .value = 350}, {.timeS = 1, .value = -340}}}},
            .camera = {}};
  for (double timeS = 0; timeS <= 1; timeS += 0.1) {
    const float degrees = settingsAt(shot, {}, timeS).scene.model.environmentDegrees;
    EXPECT_LE(std::abs(degrees), 360.0f) << "within the range of the row";
    EXPECT_LE(std::abs(std::remainder(degrees - 5, 360.0f)), 15.001f);
  }
}

TEST(Shot, BeziersFollowTheirHandles) {
  std::vector<Key> keys{
      {.timeS = 1, .value = 0, .easing = Easing::bezier, .handles = {1 / 3.f, 1 / 3.f, 2 / 3.f, 2 / 3.f}},
      {.timeS = 3, .value = 1}};
  for (float part = 0; part <= 1; part += 0.1f)
    EXPECT_NEAR(valueAt(Interpolation::linear, keys, 1 + 2.0 * part), part, 1e-6f) << "a straight curve";
  keys[0].handles = {1, 0, 1, 0};  // the curve s -> (3 s - 3 s^2 + s^3, s^3)
  for (float s = 0; s <= 1; s += 0.1f)
    EXPECT_NEAR(valueAt(Interpolation::linear, keys, 1 + 2.0 * (3 * s - 3 * s * s + s * s * s)), s * s * s, 1e-5f);
}

TEST(Shot, EveryFieldThatTakesKeysHasTheValuesOfItsKeys) {
  for (int i = 0; i < 20; ++i) {
    const Shot shot = randomShot(true);
    const Settings base = randomSettings();
    for (const Track& track : shot.tracks)
      for (const Key& key : track.keys) {
        const Settings at = settingsAt(shot, base, key.timeS);
        bool found = false;
        describe(at, [&]<class T>(const Field& field, const T& value) {
          if constexpr (isKeyed<T>)
            if (field.path() == track.field) {
              EXPECT_EQ(static_cast<float>(value), key.value) << track.field;
              found = true;
            }
        });
        EXPECT_TRUE(found) << track.field;
      }
    for (int k = 0; k < 50; ++k) {  // what settingsAt() returns can be written and read
      Settings read;
      const Settings at = settingsAt(shot, base, uniform(0, 20));
      applySettingsJson(read, settingsToJson(at), "frame.json");
      EXPECT_EQ(read, at);
    }
  }
}

TEST(Shot, SetsItsFieldsAlone) {
  const Shot shot{.tracks = {{.field = "lens.fNumber", .keys = {{.timeS = 0, .value = 2}, {.timeS = 2, .value = 8}}}},
                  .camera = {}};
  for (int i = 0; i < 50; ++i) {
    const Settings base = randomSettings();
    Settings expected = base;
    expected.lens.fNumber = settingsAt(shot, base, 1).lens.fNumber;
    EXPECT_FLOAT_EQ(expected.lens.fNumber, 4);
    EXPECT_EQ(settingsAt(shot, base, 1), expected);
    EXPECT_EQ(settingsAt({}, base, 1), base);
  }
}

TEST(Shot, KeyTimesAreOfAllTracks) {
  const Shot shot{.tracks = {{.field = "lens.fNumber", .keys = {{.timeS = 0}, {.timeS = 2}}},
                             {.field = "scene.samples", .keys = {{.timeS = 1}, {.timeS = 2}}}},
                  .camera = {}};
  EXPECT_EQ(keyTimes(shot), (std::vector<double>{0, 1, 2}));
}

TEST(Shot, AFocusPullEndsTheAutofocus) {
  Shot shot{.tracks = {{.field = "lens.focusDistanceM", .keys = {{.timeS = 0, .value = 2}}}}, .camera = {}};
  Settings base;
  base.lens.autofocus = true;
  EXPECT_FALSE(settingsAt(shot, base, 0).lens.autofocus);
  shot.tracks.push_back({.field = "lens.autofocus", .keys = {{.timeS = 0, .value = 1}, {.timeS = 3, .value = 0}}});
  EXPECT_TRUE(settingsAt(shot, base, 2.9).lens.autofocus);
  EXPECT_FALSE(settingsAt(shot, base, 3).lens.autofocus);
}

// A camera from a file keeps the fields that the shot sets.
TEST(Shot, FieldsOfItAreKeptWhenAFilePlacesTheCamera) {
  Shot shot{.tracks = {{.field = "lens.focusDistanceM", .keys = {{.timeS = 0, .value = 2}}}}, .camera = {}};
  EXPECT_THAT(settingsAt(shot, {}, 0).scene.typed.paths, testing::ElementsAre("lens.focusDistanceM"));
  const Settings twice = settingsAt(shot, settingsAt(shot, {}, 0), 0);
  EXPECT_EQ(twice.scene.typed.paths.size(), 1u);
  shot = {.tracks = {}, .camera = randomCamera(2)};
  EXPECT_THAT(settingsAt(shot, {}, 0).scene.typed.paths, testing::ElementsAreArray(kPlaceFields));
}

TEST(Shot, StretchMovesEveryKey) {
  Shot shot = randomShot(true);
  shot.camera = randomCamera(4);
  const Settings base = randomSettings();
  Shot slow = shot;
  scaleTimes(slow, 3);
  EXPECT_DOUBLE_EQ(durationS(slow), 3 * durationS(shot));
  for (const Track& track : shot.tracks)
    EXPECT_EQ(settingsAt(slow, base, 3 * track.keys.back().timeS), settingsAt(shot, base, track.keys.back().timeS));
}

TEST(ShotCamera, PassesThroughItsKeysAndLooksAtThePlace) {
  for (int i = 0; i < 100; ++i) {
    const auto keys = randomCamera(1 + generator() % 6);
    for (const CameraKey& key : keys) {
      const Settings at = settingsAt({.tracks = {}, .camera = keys}, {}, key.timeS);
      const CameraFrame frame = cameraFrame(at.camera);
      EXPECT_LT(glm::distance(frame.eye, key.eyeM), 1e-4f);
      EXPECT_GT(glm::dot(frame.forward, glm::normalize(key.lookAtM - key.eyeM)), 1 - 1e-5f);
    }
    const CameraPlace after = cameraAt(keys, 1e5);
    EXPECT_EQ(after.eyeM, keys.back().eyeM);
    EXPECT_EQ(cameraAt(keys, -1).eyeM, keys.front().eyeM);
  }
}

TEST(ShotCamera, WalksEachSegmentAtOneSpeed) {
  for (int i = 0; i < 50; ++i) {
    auto keys = randomCamera(4);
    for (CameraKey& key : keys) key.easing = Easing::linear;
    for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
      constexpr int kSteps = 20, kChords = 20;
      float least = 1e9f, most = 0, way = 0;
      glm::vec3 last = keys[k].eyeM;
      for (int chord = 1; chord <= kSteps * kChords; ++chord) {
        const double part = double(chord) / (kSteps * kChords);
        const glm::vec3 next = cameraAt(keys, keys[k].timeS + part * (keys[k + 1].timeS - keys[k].timeS)).eyeM;
        way += glm::distance(next, last);
        last = next;
        if (chord % kChords != 0) continue;
        least = std::min(least, way);
        most = std::max(most, way);
        way = 0;
      }
      EXPECT_LT(most - least, 0.02f * most);
    }
  }
}

TEST(ShotCamera, TurnsWithoutCorners) {
  for (int i = 0; i < 50; ++i) {
    auto keys = randomCamera(5);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      keys[k].easing = Easing::linear;
      keys[k].eyeM.x += 9.0f * static_cast<float>(k);  // onwards: a way back has a corner
    }
    for (std::size_t k = 1; k + 1 < keys.size(); ++k) {
      const auto direction = [&](double stepS) {
        const glm::vec3 there = cameraAt(keys, keys[k].timeS + stepS).eyeM;
        return glm::normalize((there - keys[k].eyeM) * (stepS < 0 ? -1.0f : 1.0f));
      };
      EXPECT_GT(glm::dot(direction(-2e-3), direction(2e-3)), 0.99f);
    }
  }
}

TEST(ShotCamera, IsTheSamePathBackwards) {
  for (int i = 0; i < 50; ++i) {
    auto keys = randomCamera(5);
    for (CameraKey& key : keys) key.easing = Easing::linear;
    auto back = keys;
    for (CameraKey& key : back) key.timeS = 100 - key.timeS;
    std::ranges::reverse(back);
    for (int k = 0; k < 20; ++k) {
      const double timeS = uniform(0, 12);
      EXPECT_LT(glm::distance(cameraAt(keys, timeS).eyeM, cameraAt(back, 100 - timeS).eyeM), 2e-3f);
    }
  }
}

TEST(ShotCamera, AStraightPathIsStraightAndAStandingEyePans) {
  const std::vector<CameraKey> straight{{.timeS = 0, .eyeM = {0, 1, 0}, .lookAtM = {0, 0, -5}},
                                        {.timeS = 1, .eyeM = {1, 1, 0}, .lookAtM = {0, 0, -5}},
                                        {.timeS = 3, .eyeM = {7, 1, 0}, .lookAtM = {2, 0, -5}}};
  for (double timeS = 0; timeS <= 3; timeS += 0.1) {
    EXPECT_NEAR(cameraAt(straight, timeS).eyeM.y, 1, 1e-5f);
    EXPECT_NEAR(cameraAt(straight, timeS).eyeM.z, 0, 1e-5f);
  }
  const std::vector<CameraKey> pan{{.timeS = 0, .eyeM = {0, 1, 0}, .lookAtM = {-1, 1, -4}},
                                   {.timeS = 2, .eyeM = {0, 1, 0}, .lookAtM = {1, 1, -4}}};
  EXPECT_LT(glm::distance(cameraAt(pan, 1).lookAtM, glm::vec3(0, 1, -4)), 1e-5f);
  EXPECT_EQ(cameraAt(pan, 1).eyeM, pan[0].eyeM);
}

TEST(ShotCamera, StandsAndStartsWithoutAJumpOfItsSpeed) {
  // The eye rests while the target moves, then the target rests.
  const std::vector<CameraKey> keys{{.timeS = 0, .eyeM = {0, 1, 0}, .lookAtM = {0, 0, -5}},
                                    {.timeS = 1, .eyeM = {2, 1, 0}, .lookAtM = {0, 0, -5}},
                                    {.timeS = 2, .eyeM = {2, 1, 0}, .lookAtM = {3, 0, -5}},
                                    {.timeS = 4, .eyeM = {7, 1, 0}, .lookAtM = {3, 0, -5}}};
  constexpr double kStepS = 1e-3;
  for (const auto place : {&CameraPlace::eyeM, &CameraPlace::lookAtM})
    for (double timeS = kStepS; timeS < 4; timeS += kStepS) {
      const auto at = [&](double moved) { return glm::dvec3(cameraAt(keys, timeS + moved).*place); };
      const glm::dvec3 change = at(-kStepS) + at(kStepS) - 2.0 * at(0);
      EXPECT_LT(glm::length(change) / kStepS, 0.05) << "metres a second, at " << timeS;
    }
}

TEST(ShotCamera, ThePlaceOfAnOrbitLeadsBackToIt) {
  for (int i = 0; i < 100; ++i) {
    CameraSettings camera;
    camera.yawDegrees = static_cast<float>(uniform(-180, 180));
    camera.pitchDegrees = static_cast<float>(uniform(-80, 80));
    camera.distanceM = static_cast<float>(uniform(0.5, 20));
    camera.targetXM = static_cast<float>(uniform(-5, 5));
    EXPECT_LT(glm::distance(placeOf(camera).eyeM, cameraFrame(camera).eye), 1e-4f);
    CameraSettings back;
    placeCamera(back, placeOf(camera));
    EXPECT_NEAR(back.yawDegrees, camera.yawDegrees, 0.02f);
    EXPECT_NEAR(back.distanceM, camera.distanceM, 1e-4f);
  }
}

TEST(Shot, FramesOfARoundedRateHitTheKeys) {
  for (const double rate : {23.976, 24.0, 24000.0 / 1001, 25.0, 29.97, 30000.0 / 1001, 59.94, 119.88}) {
    Shot shot{.tracks = {{.field = "technique.view", .keys = {}}}, .camera = {}};
    for (int frame = 0; frame < 2000; ++frame)
      shot.tracks[0].keys.push_back({.timeS = frame / rate, .value = static_cast<float>(frame % 3)});
    const auto rounded = static_cast<float>(rate);
    EXPECT_EQ(framesOf(shot, rounded), 1999);
    for (int frame = 0; frame < 2000; ++frame)
      ASSERT_EQ(frameTimeS(shot, frame, rounded), shot.tracks[0].keys[static_cast<std::size_t>(frame)].timeS);
    EXPECT_EQ(frameTimeS({}, 100, rounded), 100 / static_cast<double>(rounded));
  }
  const Shot beside{.tracks = {{.field = "technique.view", .keys = {{.timeS = 1 + 1e-6}}}}, .camera = {}};
  EXPECT_EQ(frameTimeS(beside, 24, 24), 1) << "farther away than the rate is rounded";
}

TEST(Shot, TheLastFrameIsBeforeTheEnd) {
  const auto frames = [](double lastS, float rate) {
    return framesOf({.tracks = {{.field = "technique.view", .keys = {{.timeS = lastS}}}}, .camera = {}}, rate);
  };
  EXPECT_EQ(frames(10, 30), 300);
  EXPECT_EQ(frames(10.01, 30), 301);
  EXPECT_EQ(frames(0, 30), 1);
}

TEST(ShotCamera, KeepsEyeAndDirectionWithinTheLimitsOfTheOrbit) {
  CameraSettings camera;
  placeCamera(camera, {.eyeM = {0, 1, 0}, .lookAtM = {0, 1, -500}});
  EXPECT_EQ(camera.distanceM, 200.0f);
  EXPECT_LT(glm::distance(cameraFrame(camera).eye, glm::vec3(0, 1, 0)), 1e-4f);
  placeCamera(camera, {.eyeM = {0, 3, 0}, .lookAtM = {0, 0, 0}});
  EXPECT_EQ(camera.pitchDegrees, 90.0f) << "straight down";
  camera.yawDegrees = 123;
  placeCamera(camera, {.eyeM = {0, 3, 0}, .lookAtM = {0, 0, 0}});
  EXPECT_EQ(camera.yawDegrees, 0.0f) << "not the yaw of the frame before";
  EXPECT_LT(glm::distance(cameraFrame(camera).eye, glm::vec3(0, 3, 0)), 1e-4f);
}

Shot readShot(const std::string& json) {
  std::vector<std::string> notes;
  Shot shot = shotFromJson(json, "a.json", notes);
  EXPECT_TRUE(notes.empty());
  return shot;
}

std::string complaintAbout(const std::string& json) {
  return test::reasonOf<UsageError>([&] { readShot(json); });
}

std::string shotWith(const std::string& members) {
  return R"({"format": "satdof-shot", "version": 1, )" + members + "}";
}

std::string focusKeys(const std::string& keys) {
  return shotWith(R"("tracks": [{"field": "lens.focusDistanceM", "keys": [)" + keys + "]}]");
}

TEST(ShotJson, ReadsBackExactly) {
  for (int i = 0; i < 50; ++i) {
    Shot shot = randomShot(i % 2 == 0);
    if (i % 2 == 1) {
      std::erase_if(shot.tracks, [](const Track& track) { return track.field.starts_with("camera."); });
      shot.camera = randomCamera(1 + generator() % 5);
    }
    ASSERT_EQ(readShot(shotToJson(shot)), shot) << shotToJson(shot);
  }
}

TEST(ShotJson, ReadsHandwrittenFiles) {
  const Shot shot = readShot(focusKeys(R"({"time": 0, "value": 1}, {"time": 2.5, "value": 3, "easing": "hold"})"));
  ASSERT_EQ(shot.tracks.size(), 1u);
  EXPECT_EQ(shot.tracks[0].keys[0], (Key{.timeS = 0, .value = 1, .easing = Easing::smooth}));
  EXPECT_EQ(shot.tracks[0].keys[1], (Key{.timeS = 2.5, .value = 3, .easing = Easing::hold}));
  const Shot view =
      readShot(shotWith(R"("tracks": [{"field": "technique.view", "keys": [{"time": 0, "value": "coc"}]}])"));
  EXPECT_EQ(view.tracks[0].keys[0].value, static_cast<float>(View::coc));
}

TEST(ShotJson, MessagesNameTheKeyAndTheField) {
  const std::pair<std::string, std::vector<std::string>> cases[] = {
      {"[]", {"\"a.json\"", "JSON object"}},
      {"{", {"line 1", "not valid JSON"}},
      {"{}", {"\"format\" is missing"}},
      {R"({"format": "other", "version": 1})", {"satdof-shot", "other"}},
      {R"({"format": "satdof-shot"})", {"\"version\" is missing"}},
      {R"({"format": "satdof-shot", "version": 2})", {"\"version\" must be 1, not 2"}},
      {shotWith(R"("trakcs": [])"), {"trakcs", "did you mean \"tracks\""}},
      {shotWith(R"("tracks": {})"), {"\"tracks\" must be a list"}},
      {shotWith(R"("tracks": [7])"), {"track 1", "JSON object"}},
      {shotWith(R"("tracks": [{"field": "lens.fNumbr", "keys": []}])"), {"track 1", "did you mean \"lens.fNumber\""}},
      {shotWith(R"("tracks": [{"field": "scene.kind", "keys": []}])"), {"scene.kind", "takes no keys"}},
      {shotWith(R"("tracks": [{"field": "scene.image.file", "keys": []}])"), {"takes no keys"}},
      {focusKeys(""), {"track 1 (lens.focusDistanceM) has no keys"}},
      {focusKeys(R"({"value": 1})"), {"key 1: \"time\" is missing"}},
      {focusKeys(R"({"time": 0})"), {"key 1: \"value\" is missing"}},
      {focusKeys(R"({"time": -1, "value": 1})"), {"key 1: \"time\" must be a number from 0 to"}},
      {focusKeys(R"({"time": 0, "value": 1}, {"time": 1, "value": 0})"),
       {"track 1 (lens.focusDistanceM), key 2: \"value\" must be a number from 0.1 to 10000, not 0"}},
      {focusKeys(R"({"time": 1, "value": 1}, {"time": 1, "value": 2})"), {"key 2", "not after", "1"}},
      {focusKeys(R"({"time": 0, "value": "1"})"), {"\"value\" must be a number"}},
      {focusKeys(R"({"time": 0, "value": 1, "easing": "soft"})"), {"key 1", "hold, linear, smooth, bezier", "soft"}},
      {focusKeys(R"({"time": 0, "value": 1, "handles": [0, 0, 1, 1]})"), {"key 1", "bezier"}},
      {focusKeys(R"({"time": 0, "value": 1, "easing": "bezier", "handles": [0, 0, 1]})"), {"4 numbers"}},
      {focusKeys(R"({"time": 0, "value": 1, "easing": "bezier", "handles": [0, 0, 1, 2]})"), {"from 0 to 1, not 2"}},
      {focusKeys(R"({"time": 0, "value": 1, "easin": "hold"})"), {"key 1", "did you mean \"easing\""}},
      {shotWith(R"("camera": [{"time": 0, "eye": [0, 1], "lookAt": [0, 0, 0]}])"), {"\"camera\", key 1", "3 numbers"}},
      {shotWith(R"("camera": [{"time": 0, "eye": [0, 1, 0], "lookAt": [0, 1, 0]}])"), {"key 1", "same place"}},
      {shotWith(R"("camera": [{"time": 0, "eye": [0, 1, 0], "lookAt": [0, 1, 1e9]}])"), {"\"lookAt\"", "1000"}},
      {shotWith(R"("camera": [{"time": 0, "eye": [0, 1, 0], "lookAt": [0, 1, 3]}], "tracks": [{"field":
        "camera.yawDegrees", "keys": [{"time": 0, "value": 1}]}])"),
       {"camera.yawDegrees", "leave one out"}},
      {shotWith(R"("tracks": [{"field": "lens.autofocus", "keys": [{"time": 0, "value": true}, {"time": 1,
        "value": false}]}])"),
       {"\"lens.autofocus\" ends without a track of \"lens.focusDistanceM\""}}};
  EXPECT_THAT(complaintAbout(focusKeys(R"({"time": 0, "value": 1}, {"time": 1, "time": 2, "value": 1})")),
              HasSubstr("tracks 1, keys 2: \"time\" stands twice"));
  for (const auto& [json, says] : cases)
    for (const std::string& text : says) EXPECT_THAT(complaintAbout(json), HasSubstr(text)) << json;
  const std::string track = R"({"field": "lens.fNumber", "keys": [{"time": 0, "value": 2}]})";
  EXPECT_THAT(complaintAbout(shotWith("\"tracks\": [" + track + ", " + track + "]")),
              HasSubstr("two tracks of \"lens.fNumber\""));
}

TEST(ShotJson, RefusesTooManyKeys) {
  std::string keys;
  for (std::size_t i = 0; i <= kMaxShotKeys; ++i)
    keys += (i == 0 ? "" : ",") + std::string(R"({"time":)") + std::to_string(i) + R"(,"value":1})";
  EXPECT_THAT(complaintAbout(focusKeys(keys)), HasSubstr("more than 20000 keys"));
}

}  // namespace
}  // namespace satdof
