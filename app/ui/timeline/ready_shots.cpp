#include "app/ui/timeline/ready_shots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/trigonometric.hpp>

#include "app/lens/depth_of_field.h"
#include "app/scene/registry.h"
#include "app/ui/edit.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

namespace {

constexpr const char *kFocusField = "lens.focusDistanceM", *kFocalField = "lens.focalLengthMm",
                     *kYawField = "camera.yawDegrees", *kDistanceField = "camera.distanceM",
                     *kFovField = "camera.verticalFovDegrees", *kRollField = "camera.rollDegrees";

std::string viewpointMissing(const Session& session) {
  const Capability can = sceneRow(session.settings.scene.kind).capabilities.otherViewpoints;
  return can ? "" : can.missing;
}

std::string bookmarksMissing(const Session& session) {
  const auto& bookmarks = session.preferences.bookmarks;
  const auto stored = std::ranges::count_if(bookmarks, [](const auto& each) { return each.has_value(); });
  if (std::string why = viewpointMissing(session); !why.empty()) return why;
  return stored < 2 ? "two camera bookmarks are needed; Ctrl Shift 1 to 6 store them" : "";
}

std::string nothingMissing(const Session&) { return {}; }

// Builds a shot with tracks that begin at the playhead.
class ShotMaker {
 public:
  explicit ShotMaker(const Session& session) : ShotMaker(session, session.preferences.ready.lengthS) {}
  ShotMaker(const Session& session, float lengthS)
      : shot_(session.shot()),
        startS_(session.timeline.timeS),
        lengthS_(static_cast<double>(std::max(lengthS, 1.0f / frameRate(session)))),
        rate_(frameRate(session)) {}

  // Returns the time after a part, 0 to 1, of the duration.
  double at(double part) const { return nearestFrameS(startS_ + part * lengthS_, rate_); }
  // Removes the keys of a field from the playhead to a time.
  void clear(const char* field, double toS) { removeKeys(shot_, field, startS_, toS); }
  // Removes the camera path: the camera moves by tracks.
  void clearPath() { shot_.camera.clear(); }
  void set(const Settings& settings, const char* field, double timeS, Easing easing) {
    setKey(shot_, settings, field, timeS);
    setEasing(shot_, {{field, timeS}}, easing);
  }
  Shot& shot() { return shot_; }

 private:
  Shot shot_;
  double startS_, lengthS_;
  float rate_;
};

void turntable(Session& session) {
  const float turn = session.preferences.ready.turnDegrees;
  // At most a quarter turn between two keys: interpolation takes the shorter way around.
  const int parts = std::max(static_cast<int>(std::ceil(std::abs(turn) / 90)), 1);
  ShotMaker maker(session);
  maker.clearPath();
  maker.clear(kYawField, maker.at(1));
  Settings settings = session.settings;
  for (int i = 0; i <= parts; ++i) {
    const float part = static_cast<float>(i) / static_cast<float>(parts);
    settings.camera.yawDegrees = std::remainder(session.settings.camera.yawDegrees + part * turn, 360.0f);
    maker.set(settings, kYawField, maker.at(static_cast<double>(part)), Easing::linear);
  }
  changeShot(session, std::move(maker.shot()), "Turntable");
}

void beginPull(Session& session) {
  const auto& ready = session.preferences.ready;
  if (ready.pullToM > 0)
    return addPull(session, session.settings.lens.focusDistanceM, keyValueNear(kFocusField, ready.pullToM),
                   ready.lengthS);
  session.timeline.pullFromM = session.settings.lens.focusDistanceM;
  session.timeline.pullClicked = false;
  session.say("Rack focus from " + distanceText(*session.timeline.pullFromM) +
              ": click on the image where it ends. Esc cancels");
}

// Moves the camera to `factor` times its distance, and changes the field of view such that the target keeps its size.
// Divides by `factor` if the product would leave the range of a field.
void dollyZoom(Session& session) {
  constexpr int kParts = 16;  // keys along the way: the target keeps its size within 0.2 %
  constexpr Field kFov = fieldOf(kFovField), kDistance = fieldOf(kDistanceField);
  const Settings& from = session.settings;
  const float fromM = from.camera.distanceM, half = std::tan(glm::radians(from.camera.verticalFovDegrees) / 2);
  const auto fovAt = [&](float distanceM) { return glm::degrees(2 * std::atan(half * fromM / distanceM)); };
  const auto within = [](const Field& field, float value) {
    return value >= static_cast<float>(field.min) && value <= static_cast<float>(field.max);
  };
  const float factor = session.preferences.ready.dollyFactor;
  const bool fits = within(kDistance, factor * fromM) && within(kFov, fovAt(factor * fromM));
  const float toM = keyValueNear(kDistanceField, fits ? factor * fromM : fromM / factor);
  ShotMaker maker(session);
  const double endS = maker.at(1);
  maker.clearPath();
  for (const char* field : {kDistanceField, kFovField}) maker.clear(field, endS);
  if (!from.lens.autofocus) maker.clear(kFocusField, endS);
  if (from.lens.linkFieldOfView) maker.clear(kFocalField, endS);
  const std::array ends = {Key{.timeS = maker.at(0), .value = fromM}, Key{.timeS = endS, .value = toM}};
  Settings settings = from;
  double lastS = -1;
  for (int i = 0; i <= kParts; ++i) {
    const double timeS = maker.at(static_cast<double>(i) / kParts);
    if (timeS == lastS) continue;
    lastS = timeS;
    CameraSettings& camera = settings.camera;
    camera.distanceM = valueAt(kDistance.interpolation, ends, timeS);
    camera.verticalFovDegrees =
        std::clamp(fovAt(camera.distanceM), static_cast<float>(kFov.min), static_cast<float>(kFov.max));
    settings.lens.focusDistanceM = from.lens.focusDistanceM + camera.distanceM - fromM;
    settings.lens.focalLengthMm = focalLengthMm(camera.verticalFovDegrees, from.lens.sensorHeightMm);
    clampToRanges(settings);
    if (i == 0 || i == kParts) maker.set(settings, kDistanceField, timeS, Easing::smooth);
    maker.set(settings, kFovField, timeS, Easing::smooth);
    if (!from.lens.autofocus) maker.set(settings, kFocusField, timeS, Easing::smooth);
    if (from.lens.linkFieldOfView) maker.set(settings, kFocalField, timeS, Easing::smooth);
  }
  changeShot(session, std::move(maker.shot()), "Dolly zoom");
}

void bookmarkPath(Session& session) {
  std::vector<CameraSettings> stops;
  for (const auto& bookmark : session.preferences.bookmarks)
    if (bookmark) stops.push_back(*bookmark);
  ShotMaker maker(session);
  for (const std::string_view field : kPlaceFields) removeKeys(maker.shot(), field, 0, kLongestShotS);
  maker.clearPath();
  // Fields that the path lacks: they get tracks if a bookmark differs from the current camera.
  constexpr std::array kOthers = {std::pair(kFovField, &CameraSettings::verticalFovDegrees),
                                  std::pair(kRollField, &CameraSettings::rollDegrees)};
  for (const auto& [field, member] : kOthers) maker.clear(field, maker.at(1));
  Settings settings = session.settings;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const double timeS = maker.at(static_cast<double>(i) / static_cast<double>(stops.size() - 1));
    const CameraPlace place = placeOf(stops[i]);
    if (i > 0 && timeS <= maker.shot().camera.back().timeS) continue;
    maker.shot().camera.push_back({.timeS = timeS, .eyeM = place.eyeM, .lookAtM = place.lookAtM});
    settings.camera = stops[i];
    for (const auto& [field, member] : kOthers)
      if (std::ranges::any_of(stops, [member = member, now = session.settings.camera.*member](
                                         const CameraSettings& stop) { return stop.*member != now; }))
        maker.set(settings, field, timeS, Easing::smooth);
  }
  changeShot(session, std::move(maker.shot()), "Path through bookmarks");
}

std::string autofocusMissing(const Session& session) {
  if (keyCount(session.shot()) == 0 && session.inputFrames == 0) return "the shot has no keys";
  return session.settings.lens.autofocus ? "" : "the autofocus is off; key A";
}

void autofocusKeys(Session& session) { session.request({Command::setFocusKeys}); }

std::string modelCameraMissing(const Session& session) {
  return session.shown.cameraShot ? "" : "the scene shows no file with a camera that moves";
}

// Copies the camera of the model file from 0 s on, in step with its clip.
void modelCamera(Session& session) {
  Shot shot = session.shot();
  for (const std::string_view field : kPlaceFields) removeKeys(shot, field, 0, kLongestShotS);
  shot.camera = session.shown.cameraShot->camera;
  for (const Track& track : session.shown.cameraShot->tracks) {
    std::erase_if(shot.tracks, [&](const Track& each) { return each.field == track.field; });
    shot.tracks.push_back(track);
  }
  changeShot(session, std::move(shot), "Camera of the model");
}

constexpr std::array kReadyShots = {
    ReadyShot{"Turntable", "The camera goes around its target, at one speed", viewpointMissing, turntable,
              ReadyNumber{&ReadyNumbers::turnDegrees, -360, 360, 5, "%.0f\u00b0", "",
                          "How far it turns; a negative angle turns the other way"}},
    ReadyShot{"Rack focus", "From the current focus to a distance, or to the surface that is clicked next",
              nothingMissing, beginPull,
              ReadyNumber{&ReadyNumbers::pullToM, 0, 20, 0.1f, "to %.2f m", "to a click",
                          "Where the focus ends; 0: at the surface that is clicked next"}},
    ReadyShot{"Dolly zoom",
              "The camera moves away and its field of view narrows: the target keeps its size. The focus stays on "
              "the same surface",
              viewpointMissing, dollyZoom,
              ReadyNumber{&ReadyNumbers::dollyFactor, 0.25f, 4, 0.05f, "distance x %.2f", "",
                          "The distance at the end, in distances of now; below 1 the camera comes closer"}},
    ReadyShot{"Path through bookmarks", "The camera passes through its bookmarks, in the order of their numbers",
              bookmarksMissing, bookmarkPath},
    ReadyShot{"Keys of the autofocus",
              "The focus that the autofocus follows, with its speed and its delay, over all of the shot. It is "
              "then off",
              autofocusMissing, autofocusKeys},
    ReadyShot{"Camera of the model", "The camera of the file moves as its clip says, from 0 s on", modelCameraMissing,
              modelCamera},
};

}  // namespace

std::span<const ReadyShot> readyShots() { return kReadyShots; }

void finishRackFocus(Session& session, bool focusKnown) {
  Timeline& timeline = session.timeline;
  if (!timeline.pullFromM) return;
  timeline.pullClicked |= session.focus.at.has_value();
  if (!timeline.pullClicked || session.focus.at || !focusKnown) return;
  const float fromM = *std::exchange(timeline.pullFromM, std::nullopt);
  addPull(session, fromM, session.settings.lens.focusDistanceM, session.preferences.ready.lengthS);
}

void addPull(Session& session, float fromM, float toM, float lengthS) {
  Settings settings = session.settings;
  settings.lens.focusDistanceM = toM;
  ShotMaker maker(session, lengthS);
  const double fromS = maker.at(0), toS = maker.at(1);
  maker.clear(kFocusField, toS);
  maker.set(settings, kFocusField, toS, Easing::smooth);
  settings.lens.focusDistanceM = fromM;
  maker.set(settings, kFocusField, fromS, Easing::smooth);
  if (!changeShot(session, std::move(maker.shot()), "Rack focus")) return;
  session.say("Rack focus: " + distanceText(fromM) + " to " + distanceText(toM) + ". Space plays");
}

}  // namespace satdof
