#include "app/ui/edit.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/core/fields.h"
#include "app/device/device.h"
#include "app/lens/lens.h"
#include "app/scene/camera.h"
#include "tests/support/gl_fixture.h"

namespace satdof {
namespace {

glm::vec3 targetOf(const CameraSettings& camera) { return {camera.targetXM, camera.targetYM, camera.targetZM}; }

TEST(Edit, CapturesAreNamedAfterThePhotographOrTheFilm) {
  Session session;
  EXPECT_EQ(captureName(session), "satdof");
  session.settings.scene.kind = SceneKind::image;
  EXPECT_EQ(captureName(session), "satdof");
  session.settings.scene.image.file.text = "/photos/At noon.v2.JPG";
  EXPECT_EQ(captureName(session), "At noon.v2-refocused");
  session.preferences.film = RecentImage{{"/films/walk.mp4"}, {}};
  EXPECT_EQ(captureName(session), "walk-refocused");
  session.preferences.film = RecentImage{{"/films/run/%04d.png"}, {}};
  EXPECT_EQ(captureName(session), "run-refocused");
  session.preferences.capture.name = "portrait";
  EXPECT_EQ(captureName(session), "portrait");
}

TEST(Edit, AMaskThatCannotBeReadIsNotChosen) {
  Session session;
  MaskName& mask = session.settings.filter.mask;
  const auto choose = [&](const char* name) { keepReadableMask(session, std::exchange(mask, MaskName{name})); };
  choose("edges");
  choose("missing.json");
  EXPECT_EQ(mask.text, "edges");
  ASSERT_EQ(session.notices.errors.size(), 1u);
  EXPECT_NE(session.notices.errors[0].text.find("missing.json"), std::string::npos);
  choose("edges");
  EXPECT_EQ(session.notices.errors.size(), 1u) << "until it is closed or another mask is chosen";
  choose("blur");
  EXPECT_EQ(mask.text, "blur");
  EXPECT_TRUE(session.notices.errors.empty());
}

TEST(Edit, ASceneShowsItsControlsAndThoseThatItReads) {
  const auto shows = [](SceneKind scene, const char* path) { return showsControl(sceneRow(scene), path); };
  for (const char* path :
       {"scene.model.environment", "scene.model.environmentDegrees", "scene.model.environmentStrength"}) {
    EXPECT_TRUE(shows(SceneKind::teapots, path)) << path;
    EXPECT_TRUE(shows(SceneKind::model, path)) << path;
    EXPECT_FALSE(shows(SceneKind::bodies, path)) << path;
  }
  EXPECT_FALSE(shows(SceneKind::teapots, "scene.model.file"));
  EXPECT_FALSE(shows(SceneKind::model, "scene.teapots.count"));
  EXPECT_TRUE(shows(SceneKind::bodies, "scene.animate"));
}

TEST(Edit, AChosenSceneHasItsCameraAsItWasLeft) {
  Session session;
  Settings& settings = session.settings;
  const auto choose = [&](SceneKind scene) {
    rememberCamera(session);
    settings.scene.kind = scene;
    placeCamera(session);
  };
  settings.camera.yawDegrees = 50.0f;
  settings.camera.shiftX = 0.1f;
  settings.lens.focusDistanceM = 3.0f;
  settings.lens.fNumber = 4.0f;
  const Settings teapots = settings;
  choose(SceneKind::model);
  EXPECT_EQ(settings.camera, CameraSettings{});
  EXPECT_TRUE(session.centreCamera);
  EXPECT_EQ(settings.lens.focusDistanceM, LensSettings{}.focusDistanceM);
  EXPECT_EQ(settings.lens.fNumber, 4.0f);
  EXPECT_TRUE(settings.scene.frame);
  choose(SceneKind::teapots);
  EXPECT_EQ(settings, teapots);
  EXPECT_FALSE(session.centreCamera);

  choose(SceneKind::model);
  EXPECT_TRUE(settings.scene.frame) << "its file was not read yet";
  CameraSettings ofFile;
  ofFile.yawDegrees = -70.0f;
  ofFile.verticalFovDegrees = 15.0f;
  applyFraming(settings, {.camera = ofFile,
                          .focusDistanceM = 7.0f,
                          .focalLengthMm = 90.0f,
                          .sensorHeightMm = 24.0f,
                          .exposureStops = 3.0f});
  const Settings model = settings;
  choose(SceneKind::teapots);
  EXPECT_EQ(settings, teapots);
  choose(SceneKind::model);
  EXPECT_EQ(settings, model);
}

TEST(Edit, TheRadiusOfAFilterWithAFixedSizeHasNoEffect) {
  const auto radiusMissing = [](const std::string& mask) {
    Settings settings;
    settings.filter.mask.text = mask;
    return whyNot(settings, "filter.radiusPx");
  };
  for (const MaskEntry& entry : filterMasks()) {
    const std::string mask = entry.name;
    const bool hasRadius = mask == "blur" || mask == "sharpen";
    EXPECT_EQ(radiusMissing(mask).empty(), hasRadius) << mask;
  }
  EXPECT_EQ(radiusMissing("missing.json"), "the file gives the size of its mask");
}

TEST(Edit, RecordingIsAVideoIfThereIsFfmpeg) {
  Session session;
  session.preferences.capture.sequenceFrames = 7;
  toggleRecording(session);
  ASSERT_TRUE(session.sequence);
  EXPECT_TRUE(session.sequence->video);
  EXPECT_EQ(session.sequence->frames, 7);
  toggleRecording(session);
  EXPECT_FALSE(session.sequence);
  session.videoMissing = "ffmpeg is not installed";
  toggleRecording(session);
  EXPECT_FALSE(session.sequence->video);
  EXPECT_EQ(session.notices.text, "Recording numbered images: ffmpeg is not installed");
  session = {};
  session.preferences.capture.video = false;
  toggleRecording(session);
  EXPECT_FALSE(session.sequence->video);
}

TEST(Edit, OrbitTurnsAroundTheTarget) {
  CameraSettings camera;
  orbit(camera, 30.0f, -4.0f);
  CameraSettings expected;
  expected.yawDegrees += 30.0f;
  expected.pitchDegrees -= 4.0f;
  EXPECT_EQ(camera, expected);
}

TEST(Edit, OrbitFollowsTheMouseInARolledImage) {
  CameraSettings camera;
  camera.rollDegrees = 90.0f;
  orbit(camera, 4.0f, 3.0f);
  EXPECT_NEAR(camera.yawDegrees, CameraSettings{}.yawDegrees - 3.0f, 1e-4f);
  EXPECT_NEAR(camera.pitchDegrees, CameraSettings{}.pitchDegrees + 4.0f, 1e-4f);
}

TEST(Edit, ACameraBelowTheFloorTurnsWithoutAJump) {
  CameraSettings camera;
  camera.pitchDegrees = -39.0f;
  orbit(camera, 5.0f, -2.0f);
  EXPECT_EQ(camera.pitchDegrees, -41.0f);
  zoom(camera, 1.0f);
  EXPECT_EQ(camera.pitchDegrees, -41.0f);
  pan(camera, {0.0f, 0.0f});
  EXPECT_EQ(camera.targetYM, CameraSettings{}.targetYM);
  orbit(camera, 0.0f, 60.0f);
  orbit(camera, 0.0f, -60.0f);
  EXPECT_GT(cameraFrame(camera).eye.y, 0.04f) << "came above the floor and stays there";
}

TEST(Edit, OrbitKeepsTheYawWithinHalfATurn) {
  CameraSettings camera;
  camera.yawDegrees = 170.0f;
  orbit(camera, 20.0f, 0.0f);
  EXPECT_FLOAT_EQ(camera.yawDegrees, -170.0f);
  orbit(camera, -20.0f, 0.0f);
  EXPECT_FLOAT_EQ(camera.yawDegrees, 170.0f);
}

TEST(Edit, PanMovesTheTargetByAFractionOfTheImagesHeight) {
  CameraSettings camera;
  camera.pitchDegrees = 0.0f;
  camera.targetYM = 5.0f;
  const auto frame = cameraFrame(camera);
  const auto before = targetOf(camera);
  pan(camera, {0.0f, 0.25f});
  const float heightM = 2.0f * camera.distanceM * std::tan(glm::radians(camera.verticalFovDegrees) / 2.0f);
  auto move = targetOf(camera) - before;
  EXPECT_NEAR(glm::dot(move, frame.up), -0.25f * heightM, 1e-5f);
  EXPECT_NEAR(glm::length(move), 0.25f * heightM, 1e-5f);

  pan(camera, {0.5f, -0.25f});
  move = targetOf(camera) - before;
  EXPECT_NEAR(glm::dot(move, frame.right), -0.5f * heightM, 1e-5f);
  EXPECT_NEAR(glm::dot(move, frame.up), 0.0f, 1e-5f);
  EXPECT_EQ(camera.yawDegrees, CameraSettings{}.yawDegrees);
  EXPECT_EQ(camera.distanceM, CameraSettings{}.distanceM);
}

TEST(Edit, ResetCameraAsksForTheMiddleOfTheVisibleImage) {
  Session session;
  session.settings.camera.yawDegrees = 90.0f;
  session.settings.camera.shiftX = 0.1f;
  resetCamera(session);
  EXPECT_EQ(session.settings.camera, CameraSettings{});
  EXPECT_TRUE(session.centreCamera);
  session.visible.left = 0.25f;
  EXPECT_EQ(session.visible.centre(), glm::vec2(0.625f, 0.5f));
}

TEST(Edit, ZoomDividesTheDistance) {
  CameraSettings camera;
  camera.distanceM = 2.2f;
  zoom(camera, 1.0f);
  EXPECT_NEAR(camera.distanceM, 2.0f, 1e-5f);
  zoom(camera, -2.0f);
  EXPECT_NEAR(camera.distanceM, 2.42f, 1e-5f);
}

TEST(Edit, FocusMovesInEqualDiopterSteps) {
  LensSettings lens;
  lens.focusDistanceM = 0.5f;
  lens.autofocus = true;
  float diopters = 2.0f;
  for (int step = 0; step < 20; ++step) {
    moveFocus(lens, 1.0f);
    diopters -= 0.02f;
    ASSERT_NEAR(1.0f / lens.focusDistanceM, diopters, 1e-4f);
  }
  EXPECT_FALSE(lens.autofocus);
  moveFocus(lens, -20.0f);
  EXPECT_NEAR(lens.focusDistanceM, 0.5f, 1e-4f);
}

TEST(Edit, FocusStopsAtAFarDistance) {
  LensSettings lens;
  lens.focusDistanceM = 100.0f;
  moveFocus(lens, 5.0f);
  EXPECT_TRUE(std::isfinite(lens.focusDistanceM));
  EXPECT_GE(lens.focusDistanceM, 9000.0f);
}

TEST(Edit, FNumbersMoveInStandardThirdStops) {
  LensSettings lens;
  lens.fNumber = 2.0f;
  for (const auto& [steps, expected] : {std::pair{1, 2.2f}, {2, 2.8f}, {-6, 1.4f}, {0, 1.4f}}) {
    moveFNumber(lens, steps);
    EXPECT_EQ(lens.fNumber, expected);
  }
  lens.fNumber = 1.3f;
  moveFNumber(lens, -1);
  EXPECT_EQ(lens.fNumber, 1.2f) << "from between two standard numbers to the next";
  for (const auto& [steps, expected] : {std::pair{100, 128.0f}, {-100, 0.1f}}) {
    moveFNumber(lens, steps);
    EXPECT_EQ(lens.fNumber, expected);
  }
}

TEST(Edit, FNumberStepsThereAndBackEndWhereTheyBegan) {
  for (const float start : {0.1f, 0.5f, 1.0f, 1.2f, 2.8f, 22.0f, 64.0f}) {
    LensSettings lens;
    lens.fNumber = start;
    for (const int step : {1, 1, 1, -1, -1, -1}) moveFNumber(lens, step);
    EXPECT_EQ(lens.fNumber, start);
  }
}

TEST(Edit, StandardFNumbersAreAThirdOfAStopApart) {
  for (float exact = 0.1f; exact < 128.0f; exact *= 1.01f) {
    const float standard = nearestFNumber(exact);
    EXPECT_LT(std::abs(2.0f * std::log2(standard / exact)), 0.25f) << exact;
    EXPECT_EQ(nearestFNumber(standard), standard);
  }
}

TEST(Edit, PanStopsAtTheFloor) {
  CameraSettings camera;
  pan(camera, {0.0f, 9.0f});
  EXPECT_NEAR(cameraFrame(camera).eye.y, 0.05f, 1e-4f);
  EXPECT_EQ(camera.pitchDegrees, CameraSettings{}.pitchDegrees);
}

TEST(Edit, TheCameraStaysAboveTheFloor) {
  for (const float distanceM : {0.5f, 1.8f, 50.0f, 200.0f}) {
    CameraSettings camera;
    camera.distanceM = distanceM;
    orbit(camera, 0.0f, -40.0f);
    EXPECT_NEAR(cameraFrame(camera).eye.y, 0.05f, 2e-3f) << distanceM;
    camera.pitchDegrees = -2.0f;
    camera.distanceM = 2.0f;
    zoom(camera, -30.0f);
    EXPECT_GT(cameraFrame(camera).eye.y, 0.04f);
  }
  CameraSettings high;
  orbit(high, 0.0f, 30.0f);
  EXPECT_EQ(high.pitchDegrees, CameraSettings{}.pitchDegrees + 30.0f);
}

TEST(Edit, AChosenPresetWhoseFileIsMissingIsForgotten) {
  Session session;
  session.ownPresets = {"/presets/One.json"};
  for (const auto& [name, kept] : {std::pair{"One", true}, {"Two", false}, {"Default", true}}) {
    session.preferences.preset = {name, {}};
    forgetMissingPreset(session);
    EXPECT_EQ(session.preferences.preset.has_value(), kept) << name;
  }
}

class EditCycle : public GlTest {
 protected:
  // Cycles from `value` until it returns, and expects every entry for which available() holds exactly once.
  template <class E, class Available>
  void expectToVisitAll(const char* path, E value, const Available& available, SceneKind scene = {}) {
    Settings settings;
    settings.scene.kind = scene;
    const E first = value;
    std::vector<E> visited;
    do {
      cycle(settings, path, value);
      visited.push_back(value);
    } while (value != first && visited.size() < 100);
    for (const auto& entry : entries(E{}))
      EXPECT_EQ(std::ranges::count(visited, entry.value), available(entry.value) ? 1 : 0) << entry.name;
  }
};

TEST_F(EditCycle, APhotographIsComparedWithItsOtherAperture) {
  Settings settings;
  makeSidesDiffer(settings);
  EXPECT_NE(settings.split.b.lens.kind, settings.technique.lens.kind);
  EXPECT_FALSE(settings.split.ownLens);
  settings = {};
  settings.scene.kind = SceneKind::image;
  settings.scene.image.file.text = "a.png";
  settings.lens.focusDistanceM = 1.25f;
  makeSidesDiffer(settings);
  EXPECT_EQ(settings.split.b, settings.technique);
  EXPECT_TRUE(settings.split.ownLens);
  EXPECT_EQ(settings.split.focusDistanceM, 1.25f);
  EXPECT_NE(settings.split.fNumber, settings.lens.fNumber);
}

TEST_F(EditCycle, TheAutofocusTracksInFilmsOfImages) {
  Settings settings;
  settings.scene.kind = SceneKind::image;
  EXPECT_EQ(whyNot(settings, "lens.autofocusOn", AutofocusOn::tracked), "");
}

TEST_F(EditCycle, FieldsOfASceneThatChangeNothingSayWhy) {
  Settings settings;
  SceneSettings& scene = settings.scene;
  EXPECT_EQ(whyNot(settings, "scene.kind"), "");
  scene.bodies.solver = BodySolver::cpuLoop;
  EXPECT_EQ(whyNot(settings, "scene.bodies.openingAngle"), "the solver cpu-loop ignores it");
  EXPECT_NE(whyNot(settings, "scene.bodies.traversal"), "");
  EXPECT_EQ(whyNot(settings, "scene.bodies.softening"), "");
  scene.bodies.solver = BodySolver::cpuTree;
  EXPECT_EQ(whyNot(settings, "scene.bodies.openingAngle"), "");
  EXPECT_NE(whyNot(settings, "scene.bodies.sort"), "");
  scene.bodies.solver = BodySolver::cudaTree;
  EXPECT_EQ(whyNot(settings, "scene.bodies.sort"), "");
  EXPECT_NE(whyNot(settings, "scene.bodies.compaction"), "") << "depth-first";
  scene.bodies.traversal = Traversal::breadthFirst;
  EXPECT_EQ(whyNot(settings, "scene.bodies.compaction"), "");

  EXPECT_EQ(whyNot(settings, "scene.model.environment"), "");
  for (const char* field : {"scene.model.environmentDegrees", "scene.model.environmentStrength"}) {
    EXPECT_NE(whyNot(settings, field), "") << "teapots in their own evening";
    scene.model.environment.text = "studio";
    EXPECT_EQ(whyNot(settings, field), "");
    scene.model.environment = {};
    scene.kind = SceneKind::model;
    EXPECT_EQ(whyNot(settings, field), "") << "a model without a file is in the evening, too";
    scene.kind = SceneKind::teapots;
  }

  for (const char* field : {"inverted", "nearM", "baselineMm", "offsetPx", "edgeContrast", "highlightsFrom"})
    EXPECT_EQ(whyNot(settings, std::string("scene.image.") + field), "") << field << ": the file decides";
  scene.image.meaning = DepthMeaning::disparity;
  EXPECT_EQ(whyNot(settings, "scene.image.nearM"), "only if the depth means relative");
  EXPECT_EQ(whyNot(settings, "scene.image.baselineMm"), "");
  scene.image.edgeRadiusPx = 0;
  scene.image.highlights = 1.0f;
  EXPECT_NE(whyNot(settings, "scene.image.edgeContrast"), "");
  EXPECT_NE(whyNot(settings, "scene.image.highlightsFrom"), "");
}

TEST_F(EditCycle, WhatCannotComputeTheBlurIsWhatMakesNoLens) {
  for (const auto& device : entries(DeviceId{}))
    for (const LensRow& row : lenses())
      for (const LensOn on : {LensOn::cpu, LensOn::cuda, LensOn::cudaDirect, LensOn::cudaSeparable}) {
        if (!row.readsLensOn || !availability(device.value).available) continue;
        const Technique technique = resolve(Technique{.device = device.value, .lens = {row.kind, on}});
        Settings settings;
        settings.technique = technique;
        const std::string missing = whyNot(settings, "technique.lens.on", on);
        if (missing.empty())
          EXPECT_NO_THROW(makeLens(technique)) << device.name << " " << name(row.kind) << " " << name(on);
        else
          EXPECT_THROW(makeLens(technique), std::runtime_error) << missing << " " << name(row.kind);
      }
}

TEST_F(EditCycle, UnavailableChoicesBecomeAutomatic) {
  Settings settings;
  EXPECT_EQ(replaceImpossible(settings), "");
  EXPECT_EQ(settings, Settings{});
  settings.technique.device = DeviceId::cpu;
  settings.technique.lens = {LensKind::box, LensOn::cpu};
  settings.filter.mask.text = "blur";
  settings.filter.form = FilterForm::separable;
  const Settings possible = settings;
  EXPECT_EQ(replaceImpossible(settings), "");
  EXPECT_EQ(settings, possible);

  settings.technique.lens.kind = LensKind::tent;
  EXPECT_EQ(replaceImpossible(settings), "Blur computed by: auto. cpu: not for the tent lens");
  EXPECT_EQ(settings.technique.lens.on, LensOn::automatic);
  settings = possible;
  settings.technique.device = DeviceId::glCompute;
  EXPECT_EQ(replaceImpossible(settings), "Blur computed by: auto. cpu: only with the cpu device");

  settings = possible;
  settings.filter.mask.text = "edges";
  EXPECT_NE(replaceImpossible(settings), "");
  EXPECT_EQ(settings.filter.form, FilterForm::automatic);
  EXPECT_NE(whyNot(settings, "filter.form", FilterForm::separable), "");
  EXPECT_EQ(whyNot(settings, "filter.form", FilterForm::direct), "");
  settings.filter = {.mask = {"missing.json"}, .form = FilterForm::separable};
  EXPECT_EQ(replaceImpossible(settings), "") << "the filter tells that the file is missing";

  settings = possible;
  settings.split.b.device = DeviceId::glCompute;
  settings.split.b.lens = {LensKind::box, LensOn::cpu};
  EXPECT_EQ(replaceImpossible(settings), "") << "side B is not shown";
  settings.split.enabled = true;
  EXPECT_NE(replaceImpossible(settings), "");
  EXPECT_EQ(settings.split.b.lens.on, LensOn::automatic);
  EXPECT_EQ(settings.technique, possible.technique);
}

TEST_F(EditCycle, DevicesThatAreNotAvailableAreSkipped) {
  for (const DeviceId first : {DeviceId::automatic, DeviceId::cpu})
    expectToVisitAll("technique.device", first, [](DeviceId device) { return availability(device).available; });
}

TEST_F(EditCycle, EveryLensThatCanDrawTheSceneIsVisited) {
  for (const SceneRow& scene : sceneRows()) {
    const auto draws = [&](LensKind lens) { return scene.capabilities.otherViewpoints || !lensOf(lens).accumulates; };
    for (const LensKind first : {LensKind::automatic, LensKind::box})
      expectToVisitAll("technique.lens.kind", first, draws, scene.kind);
  }
}

TEST_F(EditCycle, AfterTheLastLensComesTheAutomaticOne) {
  LensKind lens = LensKind::automatic;
  std::vector<LensKind> order;
  do {
    order.push_back(lens);
    cycle(Settings{}, "technique.lens.kind", lens);
  } while (lens != LensKind::automatic && order.size() < 100);
  std::vector<LensKind> expected;
  for (const auto& entry : entries(LensKind{})) expected.push_back(entry.value);
  EXPECT_EQ(order, expected);
}

TEST_F(EditCycle, LensesWithoutANearLayerOfferOneThatHasIt) {
  for (const LensRow& row : lenses()) {
    const auto better = betterForNearObjects(row.kind);
    EXPECT_EQ(better.has_value(), !row.layers && !row.accumulates) << name(row.kind);
    if (better) {
      EXPECT_TRUE(lensOf(*better).layers);
    }
  }
}

TEST_F(EditCycle, EveryTableFormatIsVisited) {
  expectToVisitAll("technique.table.format", TableFormat::uint32, [](TableFormat) { return true; });
}

TEST_F(EditCycle, ScansStayWithoutADeviceThatUsesThem) {
  Settings settings;
  settings.technique.device = DeviceId::cudaEmulated;
  Scan scan = Scan::blelloch;
  cycle(settings, "technique.table.scan", scan);
  EXPECT_EQ(scan != Scan::blelloch, availability(Scan::blelloch).available);
}

TEST(FollowFocus, BFollowsAUntilAClickFocusesIt) {
  Session session;
  Settings& settings = session.settings;
  const auto focusA = [&](float distanceM) {
    followFocus(settings, std::exchange(settings.lens.focusDistanceM, distanceM));
  };
  const float before = settings.split.focusDistanceM = settings.lens.focusDistanceM;
  focusA(before + 1.0f);
  EXPECT_EQ(settings.split.focusDistanceM, before) << "without a lens of its own";
  focusA(before);
  settings.split.ownLens = true;
  focusA(2.0f);
  EXPECT_EQ(settings.split.focusDistanceM, 2.0f) << "not shown";
  settings.split.enabled = true;
  focusA(3.0f);
  EXPECT_EQ(settings.split.focusDistanceM, 3.0f);
  useDistance(session, {}, 4.0f);
  focusA(5.0f);
  EXPECT_EQ(settings.split.focusDistanceM, 4.0f);
}

}  // namespace
}  // namespace satdof
