#include "app/ui/edit.h"

#include <array>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <iterator>
#include <stdexcept>

#include "app/core/fields.h"
#include "app/core/text/count_text.h"
#include "app/core/text/letters.h"
#include "app/core/tracking.h"
#include "app/filter/mask.h"
#include "app/lens/depth_of_field.h"
#include "app/lens/lens.h"
#include "app/lens/lens_space.h"
#include "app/render/reach.h"
#include "app/render/resolve.h"
#include "app/scene/camera.h"
#include "app/scene/scene_files.h"
#include "app/ui/controls.h"
#include "app/ui/image/zoom.h"
#include "app/ui/presets.h"
#include "app/views/views.h"

namespace satdof {

namespace {

constexpr float kDioptersPerStep = 0.02f;
constexpr float kZoomPerStep = 1.1f;
constexpr float kMaxOffCentre = 0.9f;  // of the split line, in halves of the visible image
constexpr float kEyeAboveFloorM = 0.05f;

bool isAboveFloor(const CameraSettings& camera) { return cameraFrame(camera).eye.y >= kEyeAboveFloorM; }

// The f-numbers engraved on lenses, a third of a stop apart.
constexpr std::array kFNumbers = {
    0.1f,  0.11f, 0.13f, 0.14f, 0.16f, 0.18f, 0.2f,  0.22f, 0.25f, 0.28f, 0.32f, 0.35f, 0.4f,   0.45f,  0.5f,  0.56f,
    0.63f, 0.7f,  0.8f,  0.9f,  1.0f,  1.1f,  1.2f,  1.4f,  1.6f,  1.8f,  2.0f,  2.2f,  2.5f,   2.8f,   3.2f,  3.5f,
    4.0f,  4.5f,  5.0f,  5.6f,  6.3f,  7.1f,  8.0f,  9.0f,  10.0f, 11.0f, 13.0f, 14.0f, 16.0f,  18.0f,  20.0f, 22.0f,
    25.0f, 29.0f, 32.0f, 36.0f, 40.0f, 45.0f, 51.0f, 57.0f, 64.0f, 72.0f, 80.0f, 90.0f, 102.0f, 114.0f, 128.0f};
constexpr float kSameFNumber = 1.005f;  // ratio of f-numbers that count as equal

}  // namespace

void orbit(CameraSettings& camera, float yawDegrees, float pitchDegrees) {
  const CameraSettings before = camera;
  const float roll = glm::radians(camera.rollDegrees), c = std::cos(roll), s = std::sin(roll);
  camera.yawDegrees = std::remainder(camera.yawDegrees + c * yawDegrees - s * pitchDegrees, 360.0f);
  camera.pitchDegrees += s * yawDegrees + c * pitchDegrees;
  keepAboveFloor(camera, before);
}

void pan(CameraSettings& camera, glm::vec2 fraction) {
  const auto frame = cameraFrame(camera);
  const bool above = isAboveFloor(camera);
  const float heightM = 2.0f * camera.distanceM * std::tan(glm::radians(camera.verticalFovDegrees) / 2.0f);
  const auto move = -heightM * (fraction.x * frame.right + fraction.y * frame.up);
  camera.targetXM += move.x;
  camera.targetYM += move.y;
  camera.targetZM += move.z;
  if (above) camera.targetYM += std::max(kEyeAboveFloorM - cameraFrame(camera).eye.y, 0.0f);
}

void zoom(CameraSettings& camera, float steps) {
  const CameraSettings before = camera;
  camera.distanceM *= std::pow(kZoomPerStep, -steps);
  keepAboveFloor(camera, before);
}

void moveFocus(LensSettings& lens, float steps) {
  const float diopters = 1.0f / lens.focusDistanceM - steps * kDioptersPerStep;
  lens.focusDistanceM = 1.0f / std::clamp(diopters, 1e-4f, 1.0f / kNearestFocusM);
  lens.autofocus = false;
}

float nearestFNumber(float fNumber) {
  const float logarithm = std::log2(fNumber);
  return *std::ranges::min_element(kFNumbers, {},
                                   [&](float standard) { return std::abs(std::log2(standard) - logarithm); });
}

void moveFNumber(LensSettings& lens, int steps) {
  for (; steps > 0; --steps) {
    const auto next = std::ranges::upper_bound(kFNumbers, lens.fNumber * kSameFNumber);
    if (next != kFNumbers.end()) lens.fNumber = *next;
  }
  for (; steps < 0; ++steps) {
    const auto next = std::ranges::lower_bound(kFNumbers, lens.fNumber / kSameFNumber);
    if (next != kFNumbers.begin()) lens.fNumber = *std::prev(next);
  }
}

void keepAboveFloor(CameraSettings& camera, const CameraSettings& before) {
  if (isAboveFloor(camera) || !isAboveFloor(before)) return;
  const float sine = std::clamp((kEyeAboveFloorM - camera.targetYM) / camera.distanceM, -1.0f, 1.0f);
  camera.pitchDegrees = glm::degrees(std::asin(sine));
}

bool canMoveCamera(const Session& session) {
  return static_cast<bool>(sceneRow(session.settings.scene.kind).capabilities.otherViewpoints);
}

bool tracksPoint(const Session& session) {
  return tracks(session.settings.lens) && (canMoveCamera(session) || session.inputFrames > 0);
}

bool spaceIsFree(const Session& session) {
  return !session.slow.shown && !session.timeline.shown && !session.shown.whyStill.empty();
}

bool showsFocusPoint(const Session& session) {
  const LensSettings& lens = session.settings.lens;
  return session.focus.point && session.settings.present.showUi && showsPhoto(session.settings) && !lens.autofocus &&
         (session.focus.pointM == 0.0f || session.focus.pointM == lens.focusDistanceM);
}

bool checkCameraMoves(Session& session, const char* action) {
  const Capability can = sceneRow(session.settings.scene.kind).capabilities.otherViewpoints;
  if (!can)
    session.say(std::string("No ") + action + ": " + can.missing +
                (session.shown.whyStill.empty() ? "; the left button turns it" : ""));
  return static_cast<bool>(can);
}

bool canTurnCamera(const Session& session) { return canMoveCamera(session) || session.shown.whyStill.empty(); }

bool checkCameraTurns(Session& session) {
  if (canTurnCamera(session)) return true;
  session.say("No orbit: " + session.shown.whyStill);
  return false;
}

const char* shownName(View value) { return titleOf(value); }

bool isReadyMade(std::string_view name) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  return std::ranges::any_of(
      presets(), [&](const Preset& preset) { return std::ranges::equal(std::string_view(preset.name), name, same); });
}

void forgetMissingPreset(Session& session) {
  auto& chosen = session.preferences.preset;
  const auto isChosen = [&](const std::filesystem::path& own) { return own.stem() == chosen->name; };
  if (chosen && !isReadyMade(chosen->name) && std::ranges::none_of(session.ownPresets, isChosen)) chosen.reset();
}

std::string replaceImpossible(Settings& settings) {
  std::string replaced;
  const auto replace = [&]<class E>(const char* path, E& value, const std::string& reason) {
    if (reason.empty()) return;
    if (!replaced.empty()) replaced += '\n';
    replaced += labelOf(path) + ": " + name(E::automatic) + ". " + name(value) + ": " + reason;
    value = E::automatic;
  };
  const auto replaceLensOn = [&](const char* path, LensOn& on) { replace(path, on, whyNot(settings, path, on)); };
  replaceLensOn("technique.lens.on", settings.technique.lens.on);
  if (showsB(settings)) replaceLensOn("split.b.lens.on", settings.split.b.lens.on);
  FilterSettings& filter = settings.filter;
  replace("filter.variant", filter.variant, whyNot(settings, "filter.variant", filter.variant));
  replace("filter.form", filter.form, whyNot(settings, "filter.form", filter.form));
  return replaced;
}

std::optional<LensKind> betterForNearObjects(LensKind lens) {
  const LensRow& chosen = lensOf(lens);
  const auto better = std::ranges::find_if(lenses(), &LensRow::layers);
  if (chosen.layers || chosen.accumulates || better == lenses().end()) return std::nullopt;
  return better->kind;
}

void makeSidesDiffer(Settings& settings) {
  const Technique a = restingTechnique(settings, settings.technique);
  if (settings.split.ownLens || a != restingTechnique(settings, settings.split.b)) return;
  settings.split.b = settings.technique;
  if (showsPhoto(settings)) {
    settings.split.ownLens = true;
    settings.split.focusDistanceM = settings.lens.focusDistanceM;
    return;
  }
  const LensKind quick = lensOf(settings.technique.lens.kind).kind;
  const auto other = std::ranges::find_if(lenses(), [&](const LensRow& lens) {
    return lens.kind != a.lens.kind && lens.kind != quick && !lens.accumulates;
  });
  settings.split.b.lens.kind = other->kind;
}

std::string captureName(const Session& session) {
  if (const std::string& typed = session.preferences.capture.name; !typed.empty()) return typed;
  if (!showsPhoto(session.settings)) return "satdof";
  const auto& film = session.preferences.film;
  std::filesystem::path shown = (film ? film->file : shownFile(session.settings)).text;
  if (film && shown.string().find('%') != std::string::npos) shown = shown.parent_path();  // of the frames
  return refocusedName(shown);
}

std::string refocusedName(const std::filesystem::path& photograph) { return photograph.stem().string() + "-refocused"; }

void placeSplit(Session& session) {
  float& position = session.settings.split.position;
  const float centre = session.visible.centre().x, half = 1.0f - centre;  // half of the visible image
  const bool moved = position != SplitSettings{}.position;
  if (!moved || std::abs(position - centre) > kMaxOffCentre * half) position = centre;
}

void startComparison(Session& session) {
  makeSidesDiffer(session.settings);
  placeSplit(session);
}

bool showsControl(const SceneRow& scene, std::string_view path) {
  if (scene.sharedSettings != nullptr && path.starts_with(scene.sharedSettings)) return true;
  return std::ranges::none_of(sceneRows(), [&](const SceneRow& other) {
    return &other != &scene && path.starts_with(std::string("scene.").append(other.name).append("."));
  });
}

namespace {

void addSharpPlace(Session& session, glm::vec2 place, float distanceM) {
  Settings& settings = session.settings;
  const glm::vec2 at = place * glm::vec2(settings.size) - axisPx(settings, settings.size);
  std::vector<glm::vec3>& places = *session.focus.sharpPlaces;
  places.emplace_back(at, 1.0f / distanceM);
  if (places.size() < 3) return;
  const float height = (session.shown.areaTo.y - session.shown.areaFrom.y) * static_cast<float>(settings.size.y);
  const std::string why =
      focusOnPlane(settings.lens, static_cast<int>(std::lround(height)), {places[0], places[1], places[2]});
  if (!why.empty()) session.say("No tilt: " + why);
  session.focus.sharpPlaces.reset();
}

}  // namespace

void useDistance(Session& session, glm::vec2 at, float distanceM) {
  if (session.focus.sharpPlaces)
    addSharpPlace(session, placeAt(session, at), distanceM);
  else
    session.settings.split.focusDistanceM = distanceM;
}

void followFocus(Settings& settings, float focusBefore) {
  float& focusOfB = settings.split.focusDistanceM;
  const bool follows = settings.split.ownLens && !settings.lens.autofocus;
  if (follows && focusOfB == focusBefore) focusOfB = settings.lens.focusDistanceM;
}

void keepReadableMask(Session& session, const MaskName& before) {
  FilterSettings& filter = session.settings.filter;
  if (filter.mask == before) return;
  session.forget("filter");
  try {
    maskOf(filter);
  } catch (const std::runtime_error& error) {
    filter.mask = before;
    session.report("filter", error.what());
  }
}

void swapSides(Session& session) {
  Settings& settings = session.settings;
  std::swap(settings.technique, settings.split.b);
  if (settings.split.ownLens) {
    std::swap(settings.lens.fNumber, settings.split.fNumber);
    std::swap(settings.lens.focusDistanceM, settings.split.focusDistanceM);
    settings.lens.autofocus = false;
  }
  session.action = "Swap A and B";
}

void toggleRecording(Session& session) {
  if (session.sequence) {
    if (!session.sequence->video)
      session.say("Recording stopped after " + countText(static_cast<std::size_t>(session.sequence->written), "image"));
    session.sequence.reset();
    return;
  }
  const CaptureSettings& capture = session.preferences.capture;
  const bool possible = session.videoMissing.empty();
  session.sequence = Sequence{.frames = capture.sequenceFrames, .video = capture.video && possible};
  if (capture.video && !possible) session.say("Recording numbered images: " + session.videoMissing);
}

void resetCamera(Session& session) {
  session.settings.camera = {};
  session.centreCamera = true;
  session.action = "Reset camera";
}

LeftScene leftScene(const Settings& settings) {
  const LensSettings& lens = settings.lens;
  return {{.camera = settings.camera,
           .focusDistanceM = lens.focusDistanceM,
           .focalLengthMm = lens.focalLengthMm,
           .sensorHeightMm = lens.sensorHeightMm,
           .exposureStops = settings.present.exposureStops},
          settings.scene.frame};
}

void rememberCamera(Session& session) {
  session.preferences.leftScenes[session.settings.scene.kind] = leftScene(session.settings);
}

bool placeCamera(Settings& settings, const Preferences& preferences) {
  const auto found = preferences.leftScenes.find(settings.scene.kind);
  const bool wasLeft = found != preferences.leftScenes.end();
  const LeftScene scene = wasLeft ? found->second : leftScene({});
  settings.scene.typed.paths.clear();
  applyFraming(settings, scene.framing);
  settings.scene.frame = scene.frame;
  return wasLeft;
}

void placeCamera(Session& session) { session.centreCamera = !placeCamera(session.settings, session.preferences); }

void storeBookmark(Session& session, std::size_t index) {
  session.preferences.bookmarks[index] = session.settings.camera;
  session.say("Camera bookmark " + std::to_string(index + 1) + ": stored");
}

void useBookmark(Session& session, std::size_t index) {
  const auto& stored = session.preferences.bookmarks[index];
  const std::string name = "Camera bookmark " + std::to_string(index + 1);
  if (stored) {
    session.settings.camera = *stored;
    session.action = name;
  }
  session.say(name + (stored ? "" : ": empty; Ctrl Shift " + std::to_string(index + 1) + " stores the camera"));
}

}  // namespace satdof
