#include "app/core/shot/shot_edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "app/scene/camera.h"
#include "tests/core/random_shot.h"

namespace satdof {
namespace {

constexpr const char* kFocus = "lens.focusDistanceM";

Shot withFocusKeys(std::initializer_list<double> times) {
  Shot shot;
  Settings settings;
  for (const double timeS : times) {
    settings.lens.focusDistanceM = 1 + static_cast<float>(timeS);
    setKey(shot, settings, kFocus, timeS);
  }
  return shot;
}

TEST(ShotEdit, AKeyHasTheValueOfTheSettingsForEveryField) {
  Settings settings;
  for (int i = 0; i < 20; ++i) {
    describe(settings, [&]<class T>(const Field& field, T& value) {
      if constexpr (isKeyed<T>)
        if (field.takesKeys()) value = random<T>(field);
    });
    Shot shot;
    std::size_t fields = 0;
    describe(settings, [&]<class T>(const Field& field, const T&) {
      const bool takesKeys = keyValue(settings, field.path()).has_value();
      EXPECT_EQ(takesKeys, isKeyed<T> && field.takesKeys()) << field.path();
      if (!takesKeys) return;
      ++fields;
      setKey(shot, settings, field.path(), 1.5);
    });
    EXPECT_EQ(keyCount(shot), fields);
    EXPECT_EQ(settingsAt(shot, {}, 1.5).lens, settings.lens);
    EXPECT_EQ(settingsAt(shot, {}, 1.5).camera, settings.camera);
    EXPECT_EQ(settingsAt(shot, {}, 1.5).technique, settings.technique);
  }
  EXPECT_FALSE(keyValue(settings, "no.field"));
}

TEST(ShotEdit, KeysStandInOrderAndEaseLikeTheOneBefore) {
  Shot shot = withFocusKeys({3, 1});
  setEasing(shot, {{kFocus, 1}}, Easing::linear);
  Settings settings;
  setKey(shot, settings, kFocus, 2);
  EXPECT_EQ(keyTimes(shot, kFocus), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(easingOf(shot, {kFocus, 2}).first, Easing::linear);
  EXPECT_EQ(easingOf(shot, {kFocus, 3}).first, Easing::smooth);
  settings.lens.focusDistanceM = 9;
  setKey(shot, settings, kFocus, 2);
  EXPECT_EQ(keyTimes(shot, kFocus).size(), 3u) << "in place of the key at its time";
  EXPECT_EQ(findKey(shot, {kFocus, 2})->value, 9.0f);
  setValue(shot, {kFocus, 2}, 4.0f);
  EXPECT_EQ(findKey(shot, {kFocus, 2})->value, 4.0f);
  EXPECT_EQ(findKey(shot, {kFocus, 2.5}), nullptr);
}

TEST(ShotEdit, TheEndOfTheAutofocusBringsAKeyOfTheFocus) {
  Shot shot;
  Settings settings;
  settings.lens.autofocus = true;
  setKey(shot, settings, "lens.autofocus", 0);
  EXPECT_FALSE(animates(shot, kFocus));
  settings.lens.autofocus = false;
  setKey(shot, settings, "lens.autofocus", 2);
  EXPECT_TRUE(hasKey(shot, {kFocus, 2}));
}

TEST(ShotEdit, FieldsOfAPathSetItsPlaces) {
  Shot shot{.tracks = {}, .camera = randomCamera(2)};
  shot.camera[1].timeS = shot.camera[0].timeS + 1;
  Settings settings;
  settings.camera.yawDegrees = 70;
  EXPECT_EQ(trackOf(shot, "camera.distanceM"), kCameraPath);
  EXPECT_EQ(trackOf(shot, "camera.verticalFovDegrees"), "camera.verticalFovDegrees");
  setKey(shot, settings, "camera.distanceM", 50);
  ASSERT_EQ(shot.camera.size(), 3u);
  EXPECT_TRUE(shot.tracks.empty());
  EXPECT_LT(glm::distance(shot.camera[2].eyeM, cameraFrame(settings.camera).eye), 1e-5f);
  EXPECT_NEAR(settingsAt(shot, {}, 50).camera.yawDegrees, 70, 1e-3);
}

TEST(ShotEdit, MovedKeysReplaceOthersAndKeepTheirDistances) {
  Shot shot = withFocusKeys({0, 1, 2, 5});
  std::set<KeyId> ids{{kFocus, 0}, {kFocus, 1}};
  Shot moved = shot;
  moveKeys(moved, ids, 1, false, 30);
  EXPECT_EQ(keyTimes(moved, kFocus), (std::vector<double>{1, 2, 5}));
  EXPECT_EQ(findKey(moved, {kFocus, 2})->value, 2.0f) << "the moved one";
  EXPECT_EQ(ids, (std::set<KeyId>{{kFocus, 1}, {kFocus, 2}}));
  ids = {{kFocus, 1}, {kFocus, 5}};
  moved = shot;
  moveKeys(moved, ids, -3, false, 30);
  EXPECT_EQ(keyTimes(moved, kFocus), (std::vector<double>{0, 2, 4})) << "none before 0";
  ids = {{kFocus, 5}};
  moved = shot;
  moveKeys(moved, ids, 2, true, 30);
  EXPECT_EQ(keyTimes(moved, kFocus), (std::vector<double>{0, 1, 2, 5, 7}));
  EXPECT_EQ(findKey(moved, {kFocus, 7})->value, findKey(moved, {kFocus, 5})->value);
}

TEST(ShotEdit, ScaledKeysKeepTheirProportions) {
  Shot shot = withFocusKeys({0, 1, 2, 5});
  std::set<KeyId> ids{{kFocus, 1}, {kFocus, 2}, {kFocus, 5}};
  EXPECT_EQ(spanOf(ids), std::pair(1.0, 5.0));
  scaleKeys(shot, ids, 1, 0.5, 30);
  EXPECT_EQ(keyTimes(shot, kFocus), (std::vector<double>{0, 1, 1.5, 3}));
  EXPECT_EQ(findKey(shot, {kFocus, 3})->value, findKey(withFocusKeys({0, 1, 2, 5}), {kFocus, 5})->value);
  EXPECT_EQ(ids, (std::set<KeyId>{{kFocus, 1}, {kFocus, 1.5}, {kFocus, 3}}));
  scaleKeys(shot, ids, 3, 2, 30);
  EXPECT_EQ(keyTimes(shot, kFocus), (std::vector<double>{0, 3})) << "none before 0; the last of two at one time stays";
}

TEST(ShotEdit, MovedKeysStandOnFramesExactly) {
  constexpr float kRate = 29.97f;
  for (int frame = 1; frame < 300; frame += 7) {
    Shot shot = withFocusKeys({nearestFrameS(frame / 30.0, kRate)});
    std::set<KeyId> ids{{kFocus, shot.tracks[0].keys[0].timeS}};
    const double toS = nearestFrameS(7.77 + frame, kRate);
    moveKeys(shot, ids, toS - ids.begin()->timeS, false, kRate);
    EXPECT_TRUE(hasKey(shot, {kFocus, toS}));
  }
}

TEST(ShotEdit, ATrackGoesWithItsLastKey) {
  Shot shot = withFocusKeys({0, 1, 2});
  removeKeys(shot, kFocus, 0.5, 2);
  EXPECT_EQ(keyTimes(shot, kFocus), (std::vector<double>{0}));
  removeKeys(shot, {{kFocus, 0}});
  EXPECT_EQ(shot, Shot{});
}

TEST(ShotEdit, OnlyTracksThatChangedAreNamed) {
  const Shot before = randomShot(true);
  EXPECT_TRUE(changedTracks({}, {}).tracks.empty());
  Shot after = before;
  after.tracks[3].keys[0].value += 1;
  const Shot changed = changedTracks(before, after);
  EXPECT_TRUE(animates(changed, after.tracks[3].field));
  EXPECT_LE(changed.tracks.size(), 2u) << "it, and the autofocus";
}

}  // namespace
}  // namespace satdof
