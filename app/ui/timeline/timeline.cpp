#include "app/ui/timeline/timeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <type_traits>

#include "app/core/fields.h"
#include "app/core/files/file_names.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/formatted.h"
#include "app/core/tracking.h"
#include "app/io/codec.h"
#include "app/io/image_file.h"
#include "app/scene/registry.h"
#include "app/ui/controls.h"
#include "app/ui/edit.h"
#include "app/ui/history.h"

namespace satdof {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::string_view kFocus = "lens.focusDistanceM", kRoll = "camera.rollDegrees",
                           kTracked = "lens.trackedObject";
// Fields for which setKeys() sets keys.
constexpr std::array<std::string_view, 12> kCameraAndLens = {
    "camera.yawDegrees", "camera.pitchDegrees",       kRoll,
    "camera.distanceM",  "camera.targetXM",           "camera.targetYM",
    "camera.targetZM",   "camera.verticalFovDegrees", kFocus,
    "lens.fNumber",      "lens.focalLengthMm",        kTracked};

std::string trackLabel(const std::string& track) {
  if (track == kCameraPath) return "Camera";
  return (track.starts_with(kTechniqueB.path) ? "B: " : "") + satdof::labelOf(track);
}

std::string secondsText(double timeS) { return formatted("%.2f s", timeS); }

bool samePlace(const CameraKey& key, const CameraPlace& place) {
  constexpr float kNearM = 1e-4f;
  const auto apart = [](const glm::vec3& a, const glm::vec3& b) {
    return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
  };
  return apart(key.eyeM, place.eyeM) < kNearM && apart(key.lookAtM, place.lookAtM) < kNearM;
}

void forgetGoneKeys(Timeline& timeline) {
  std::erase_if(timeline.selected, [&](const KeyId& id) { return !hasKey(*timeline.shot, id); });
}

// Returns the first and the last frame of the played range.
std::pair<long, long> playedFrames(const Session& session) {
  constexpr double kRounding = 1e-3;  // of a frame
  const auto [fromS, toS] = playedRange(session);
  const double rate = frameRate(session);
  const long first = std::lround(std::ceil(fromS * rate - kRounding)),
             end = std::lround(std::ceil(toS * rate - kRounding));
  return {first, std::max(end - 1, first)};
}

}  // namespace

std::vector<TimelineRow> timelineRows(const Shot& shot, bool cameraOpen) {
  std::vector<TimelineRow> rows;
  if (!shot.camera.empty()) rows.push_back({.label = "Camera", .tracks = {std::string(kCameraPath)}});
  std::vector<std::string> places;
  for (const std::string_view field : kPlaceFields)
    if (animates(shot, field)) places.emplace_back(field);
  const bool groups = places.size() > 1;
  if (groups) rows.push_back({.label = "Camera", .tracks = places, .isGroup = true});
  for (const std::string& field : places)
    if (!groups || cameraOpen) rows.push_back({.label = trackLabel(field), .tracks = {field}, .inGroup = groups});
  for (const Track& track : shot.tracks) {
    TimelineRow row{.label = trackLabel(track.field), .tracks = {}};
    for (const std::string_view field : keyedWith(track.field))
      if (animates(shot, field)) row.tracks.emplace_back(field);
    if (row.tracks.front() == track.field && std::ranges::find(places, track.field) == places.end())
      rows.push_back(row);
  }
  return rows;
}

bool changeShot(Session& session, Shot shot, const std::string& action, bool dragged) {
  Timeline& timeline = session.timeline;
  if (keyCount(shot) > kMaxShotKeys) {
    session.say("A shot has at most " + countText(kMaxShotKeys, "key"));
    return false;
  }
  if (const std::string why = flawOf(shot); !why.empty()) {
    session.say(action + " is not possible: " + why);
    return false;
  }
  if (shot == *timeline.shot) return true;
  session.settings = settingsAt(changedTracks(*timeline.shot, shot), session.settings, timeline.timeS);
  timeline.shot = std::make_shared<const Shot>(std::move(shot));
  forgetGoneKeys(timeline);
  (dragged ? session.gesture : session.action) = action;
  return true;
}

void nameShot(Timeline& timeline, ShotFile file) {
  std::snprintf(timeline.fileName.data(), timeline.fileName.size(), "%s", file.path.string().c_str());
  file.path = absolutePath(file.path);
  *timeline.file = std::move(file);
}

LeftShot leftShot(const Session& session) {
  const Timeline& timeline = session.timeline;
  return {timeline.shot, timeline.file, timeline.timeS};
}

namespace {

void leaveShot(Timeline& timeline, const LeftShot& next) {
  timeline.playing = false;
  timeline.range.reset();
  timeline.view.reset();
  timeline.file = next.file;
  timeline.timeS = next.timeS;
}

}  // namespace

void replaceShot(Session& session, const LeftShot& left) {
  Timeline& timeline = session.timeline;
  if (*left.shot == *timeline.shot) return;
  leaveShot(timeline, left);
  timeline.shot = left.shot;
  timeline.fileName = Timeline().fileName;
  session.settings = settingsAt(*left.shot, session.settings, left.timeS);
}

void openShot(Session& session, Shot shot, ShotFile file) {
  Timeline& timeline = session.timeline;
  timeline.shown = true;
  leaveShot(timeline, {});
  const std::string name = file.path.filename().string();
  nameShot(timeline, std::move(file));
  changeShot(session, std::move(shot), "Shot: " + name);
  session.say("Shot: " + name + ", " + secondsText(durationS(session.shot())) + ". Space plays");
}

namespace {

// Returns "Aperture and 2 more" for fields that have a track.
std::string labelsOf(const std::vector<std::string>& fields) {
  const std::string more = fields.size() > 1 ? " and " + std::to_string(fields.size() - 1) + " more" : "";
  return trackLabel(fields.front()) + more;
}

// Returns the edited fields that have a track; of fields with a common key, the first one.
std::vector<std::string> animatedEdits(const Session& session, const Settings& before) {
  std::vector<std::string> fields = editedFields(before, session.settings);
  std::erase_if(fields, [&](const std::string& field) {
    return trackOf(session.shot(), field) != kCameraPath && !animates(session.shot(), field);
  });
  for (std::string& field : fields) field = keyedWith(field).front();
  fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
  return fields;
}

}  // namespace

void recordEdits(Session& session, const Settings& before) {
  const Timeline& timeline = session.timeline;
  if (!timeline.recordsEdits || !timeline.shown || timeline.playing || session.sequence) return;
  const std::vector<std::string> fields = animatedEdits(session, before);
  if (fields.empty()) return;
  Shot shot = session.shot();
  for (const std::string& field : fields) setKey(shot, session.settings, field, timeline.timeS);
  changeShot(session, std::move(shot), "Key: " + labelsOf(fields), true);
}

void scrub(Session& session, double timeS) {
  Timeline& timeline = session.timeline;
  const auto lost = animatedEdits(session, settingsAt(*timeline.shot, session.settings, timeline.timeS));
  if (!lost.empty() && timeS != timeline.timeS)
    session.say("Without a key, so not kept: " + labelsOf(lost) + ". K sets keys, the red dot records edits");
  timeline.timeS = std::clamp(timeS, 0.0, kLongestShotS);
  timeline.moved = true;
  session.settings = settingsAt(*timeline.shot, session.settings, timeline.timeS);
}

double lengthS(const Session& session) {
  return std::max(durationS(session.shot()), session.inputFrames / static_cast<double>(frameRate(session)));
}

int inputFrame(const Session& session) {
  constexpr double kRounding = 1e-3;  // of a frame
  const auto frame = session.filmsShot()
                         ? session.sequence->firstOfShot + session.sequence->written
                         : std::lround(std::floor(session.timeline.timeS * frameRate(session) + kRounding));
  return static_cast<int>(std::clamp(frame, 0L, std::max(session.inputFrames - 1L, 0L)));
}

std::string frameText(const Session& session) {
  const double rate = static_cast<double>(frameRate(session));
  const long frames = std::max(std::lround(framesOf(session.shot(), frameRate(session))), long{session.inputFrames}),
             frame = std::lround(session.timeline.timeS * rate) + 1;
  if (frames <= 1) return "frame " + std::to_string(frame);
  const std::string number = frame > frames ? "after frame " : "frame " + std::to_string(frame) + " of ";
  return number + std::to_string(frames) + formatted(", %g fps", rate);
}

std::pair<double, double> playedRange(const Session& session) {
  return session.timeline.range.value_or(std::pair(0.0, lengthS(session)));
}

void togglePlaying(Session& session) {
  Timeline& timeline = session.timeline;
  timeline.playing = !timeline.playing;
  if (!timeline.playing) return scrub(session, nearestFrameS(timeline.timeS, frameRate(session)));
  const auto [fromS, toS] = playedRange(session);
  if (toS > fromS && timeline.timeS >= toS) scrub(session, fromS);
}

void advancePlayhead(Session& session, double stepS) {
  Timeline& timeline = session.timeline;
  forgetGoneKeys(timeline);
  if (session.filmsShot())
    return scrub(session, frameTimeS(*timeline.shot, session.sequence->firstOfShot + session.sequence->written,
                                     frameRate(session)));
  if (timeline.filmedFromS) scrub(session, *std::exchange(timeline.filmedFromS, std::nullopt));
  timeline.playing = timeline.playing && timeline.shown;
  if (!timeline.playing) return;
  const auto [fromS, toS] = playedRange(session);
  double timeS = std::max(timeline.timeS, fromS) + stepS;
  // Without keys the playhead runs on: the scene may be animated.
  if (toS > fromS && timeS >= toS) {
    timeline.playing = timeline.loops;
    timeS = timeline.loops ? fromS + std::fmod(timeS - fromS, toS - fromS) : toS;
  }
  scrub(session, timeS);
}

void goToEnd(Session& session, bool last) {
  const auto [fromS, toS] = playedRange(session);
  if (!last) return scrub(session, fromS);
  // The last frame of a film that is refocused begins before its end.
  const double lastS = (session.inputFrames - 1) / static_cast<double>(frameRate(session));
  const bool isWhole = session.inputFrames > 0 && toS == lengthS(session);
  scrub(session, isWhole ? std::max(lastS, durationS(session.shot())) : toS);
}

void goToKey(Session& session, bool next) {
  constexpr double kSameS = 1e-6;
  const double nowS = session.timeline.timeS;
  std::optional<double> nearest;
  const auto look = [&](double timeS) {
    const bool beyond = next ? timeS > nowS + kSameS : timeS < nowS - kSameS;
    if (beyond && (!nearest || std::abs(timeS - nowS) < std::abs(*nearest - nowS))) nearest = timeS;
  };
  for (const Track& track : session.shot().tracks)
    for (const Key& key : track.keys) look(key.timeS);
  for (const CameraKey& key : session.shot().camera) look(key.timeS);
  if (nearest) scrub(session, *nearest);
}

void stepFrames(Session& session, int frames) {
  const float rate = frameRate(session);
  scrub(session, nearestFrameS(session.timeline.timeS + frames / static_cast<double>(rate), rate));
}

void setRangeEnd(Session& session, bool last) {
  Timeline& timeline = session.timeline;
  auto [fromS, toS] = playedRange(session);
  (last ? toS : fromS) = timeline.timeS;
  if (toS <= fromS) return session.say("What is played would end before it begins");
  timeline.range = {fromS, toS};
  if (fromS == 0.0 && toS == lengthS(session)) timeline.range.reset();
  session.say("Plays from " + secondsText(fromS) + " to " + secondsText(toS));
}

namespace {

Interpolation interpolationOf(std::string_view path) {
  static const Settings any;
  Interpolation how = Interpolation::step;
  describe(any, [&](const Field& field, const auto&) {
    if (field.isAt(path)) how = field.interpolation;
  });
  return how;
}

float onAxis(Interpolation how, float value) {
  if (how == Interpolation::diopters) return -1.0f / value;
  return how == Interpolation::logarithmic && value > 0.0f ? std::log(value) : value;
}

}  // namespace

float ValueAxis::y(float value) const { return bottom - (onAxis(how, value) - low) / (high - low) * (bottom - top); }

float ValueAxis::value(float y) const {
  const float at = low + (bottom - y) / (bottom - top) * (high - low);
  if (how == Interpolation::diopters) return -1.0f / std::min(at, -1e-6f);
  return how == Interpolation::logarithmic ? std::exp(at) : at;
}

ValueAxis valueAxis(const Track& track, float top, float bottom) {
  constexpr float kMargin = 0.15f, kMin = 0.05f;  // of the range; of a constant value
  ValueAxis axis{.how = interpolationOf(track.field), .top = top, .bottom = bottom};
  // A value of 0 has no logarithm.
  const auto isPositive = [](const Key& key) { return key.value > 0.0f; };
  if (axis.how == Interpolation::logarithmic && !std::ranges::all_of(track.keys, isPositive))
    axis.how = Interpolation::linear;
  axis.low = axis.high = onAxis(axis.how, track.keys.front().value);
  for (const Key& key : track.keys) {
    axis.low = std::min(axis.low, onAxis(axis.how, key.value));
    axis.high = std::max(axis.high, onAxis(axis.how, key.value));
  }
  const float range = axis.high - axis.low;
  const float margin = range > 0.0f ? kMargin * range : std::max(std::abs(axis.low), 1.0f) * kMin;
  axis.low -= margin;
  axis.high += margin;
  return axis;
}

float keyValueNear(std::string_view path, float value) {
  static const Settings any;
  describe(any, [&]<class T>(const Field& field, const T&) {
    if (!field.isAt(path)) return;
    value = std::clamp(value, static_cast<float>(field.min), static_cast<float>(field.max));
    if constexpr (std::is_enum_v<T>) value = std::clamp(value, 0.0f, static_cast<float>(entries(T{}).size() - 1));
    if constexpr (std::is_same_v<T, bool>) value = std::clamp(value, 0.0f, 1.0f);
    if constexpr (!std::is_floating_point_v<T>) value = std::round(value);
  });
  return value;
}

KeyState keyState(const Session& session, std::string_view field) {
  const Shot& shot = session.shot();
  const KeyId id{std::string(trackOf(shot, field)), session.timeline.timeS};
  KeyState state;
  state.animated = id.field == kCameraPath || animates(shot, id.field);
  state.here = hasKey(shot, id);
  if (!state.here) return state;
  if (id.field != kCameraPath) {
    state.changed = std::ranges::any_of(keyedWith(field), [&](std::string_view each) {
      const Key* const key = findKey(shot, {std::string(each), id.timeS});
      return key == nullptr || keyValue(session.settings, each) != key->value;
    });
  } else {
    const auto cameraKey = std::ranges::find(shot.camera, id.timeS, &CameraKey::timeS);
    state.changed = !samePlace(*cameraKey, placeOf(session.settings.camera));
  }
  return state;
}

void toggleKey(Session& session, std::string_view field) {
  const KeyState state = keyState(session, field);
  const std::string track(trackOf(session.shot(), field));
  Shot shot = session.shot();
  const double timeS = session.timeline.timeS;
  const bool removes = state.here && !state.changed;
  if (removes)
    for (const std::string_view each : keyedWith(track)) removeKeys(shot, each, timeS, timeS);
  else
    setKey(shot, session.settings, field, timeS);
  const std::string action = (removes ? "Remove key: " : "Key: ") + trackLabel(track);
  if (!changeShot(session, std::move(shot), action)) return;
  session.say(action + " at " + secondsText(timeS));
}

void setKeys(Session& session) {
  session.timeline.shown = true;
  Shot shot = session.shot();
  const bool moves = canMoveCamera(session), autofocus = session.settings.lens.autofocus;
  const auto needed = [&](std::string_view field) {
    if (field == kFocus) return !autofocus;  // a key of the focus would end it
    if (field == kTracked) return tracksPoint(session) && hasTrackedPoint(session.settings.lens);
    if (field == kRoll) return animates(shot, field) || session.settings.camera.rollDegrees != 0.0f;
    return true;
  };
  for (const std::string_view field : kCameraAndLens)
    if ((moves || !field.starts_with("camera.")) && needed(field))
      setKey(shot, session.settings, field, session.timeline.timeS);
  const std::string action = moves ? "Keys: camera and lens" : "Keys: lens";
  if (!changeShot(session, std::move(shot), action)) return;
  session.say(action + " at " + secondsText(session.timeline.timeS) +
              (autofocus && !needed(kTracked) ? ". The focus has none: the autofocus is on" : ""));
}

void removeSelected(Session& session) {
  const std::size_t count = session.timeline.selected.size();
  if (count == 0) return;
  Shot shot = session.shot();
  removeKeys(shot, session.timeline.selected);
  changeShot(session, std::move(shot), "Delete " + countText(count, "key"));
}

void copySelectedToPlayhead(Session& session) {
  std::set<KeyId> ids = session.timeline.selected;
  if (ids.empty()) return;
  double firstS = kLongestShotS;
  for (const KeyId& id : ids) firstS = std::min(firstS, id.timeS);
  const std::size_t count = ids.size();
  Shot shot = session.shot();
  moveKeys(shot, ids, session.timeline.timeS - firstS, true, frameRate(session));
  if (changeShot(session, std::move(shot), "Copy " + countText(count, "key")))
    session.timeline.selected = std::move(ids);
}

namespace {

struct RowTimes {
  std::set<double> all, selected;
};

RowTimes timesOf(const Session& session, const std::vector<std::string>& tracks) {
  RowTimes times;
  for (const std::string& track : tracks)
    for (const double timeS : keyTimes(session.shot(), track)) {
      times.all.insert(timeS);
      if (session.timeline.selected.contains({track, timeS})) times.selected.insert(timeS);
    }
  return times;
}

void selectAt(Session& session, const std::vector<std::string>& tracks, double timeS) {
  for (const std::string& track : tracks)
    if (hasKey(session.shot(), {track, timeS})) session.timeline.selected.insert({track, timeS});
}

}  // namespace

void selectAll(Session& session) {
  auto& selected = session.timeline.selected;
  const auto before = selected;
  const auto select = [&](const std::string& track) {
    for (const double timeS : keyTimes(session.shot(), track)) selected.insert({track, timeS});
  };
  for (const std::string& track : session.timeline.keyboardAt) select(track);
  if (selected != before) return;
  for (const Track& track : session.shot().tracks) select(track.field);
  select(std::string(kCameraPath));
}

void selectNextKey(Session& session, const std::vector<std::string>& tracks, bool adds) {
  const auto [all, selected] = timesOf(session, tracks);
  if (all.empty()) return;
  const auto next = selected.empty() ? all.end() : all.upper_bound(*selected.rbegin());
  if (!adds) session.timeline.selected.clear();
  selectAt(session, tracks, next == all.end() ? *all.begin() : *next);
}

void extendSelection(Session& session, const std::vector<std::string>& tracks, bool forward) {
  const auto [all, selected] = timesOf(session, tracks);
  if (selected.empty()) return;
  const auto next = forward ? all.upper_bound(*selected.rbegin()) : all.find(*selected.begin());
  if (next == (forward ? all.end() : all.begin())) return;
  selectAt(session, tracks, forward ? *next : *std::prev(next));
}

namespace {

// Returns the value that is some hundredths of the range of its slider away; at least the next possible value.
float steppedValue(const std::string& path, float value, float hundredths) {
  const Control* const control = findControl(path);
  const bool ranges = control != nullptr && control->high > control->low;
  ValueAxis axis{.how = interpolationOf(path), .low = 0, .high = 1, .top = 0, .bottom = 100};
  if (ranges || axis.how == Interpolation::diopters) {
    axis.low = onAxis(axis.how, ranges ? static_cast<float>(control->low) : keyValueNear(path, 0));
    axis.high = onAxis(axis.how, ranges ? static_cast<float>(control->high) : kInfinity);
  } else {
    axis.how = Interpolation::linear;
    axis.high = std::max(std::abs(value), 1.0f);
  }
  const float stepped = keyValueNear(path, axis.value(axis.y(value) - hundredths));
  return stepped != value ? stepped : keyValueNear(path, value + std::copysign(1.0f, hundredths));
}

std::string nameOf(const std::set<KeyId>& ids) {
  return ids.size() > 1 ? countText(ids.size(), "key") : trackLabel(ids.begin()->field);
}

// Replaces the shot by one whose keys `ids` have moved. Says so if keys have met.
void changeShotUnlessKeysMeet(Session& session, Shot moved, std::set<KeyId> ids, const std::string& action) {
  if (keyCount(moved) < keyCount(session.shot()))
    return session.say("Another key is in the way: drag past it, or delete it");
  if (changeShot(session, std::move(moved), action, true)) session.timeline.selected = std::move(ids);
}

Shot scaled(Shot shot, std::set<KeyId>& ids, bool last, double toS, float rate) {
  const auto [firstS, lastS] = spanOf(ids);
  const double frameS = 1.0 / static_cast<double>(rate), fixedS = last ? firstS : lastS;
  toS = last ? std::max(toS, fixedS + frameS) : std::min(toS, fixedS - frameS);
  scaleKeys(shot, ids, fixedS, (toS - fixedS) / ((last ? lastS : firstS) - fixedS), rate);
  return shot;
}

}  // namespace

void moveSelected(Session& session, double byS) {
  std::set<KeyId> ids = session.timeline.selected;
  if (ids.empty()) return;
  const std::string action = "Move " + nameOf(ids);
  Shot shot = session.shot();
  moveKeys(shot, ids, byS, false, frameRate(session));
  changeShotUnlessKeysMeet(session, std::move(shot), std::move(ids), action);
}

void stepSelected(Session& session, int frames, float hundredths) {
  const std::set<KeyId>& ids = session.timeline.selected;
  if (frames != 0) moveSelected(session, frames / static_cast<double>(frameRate(session)));
  if (ids.empty() || hundredths == 0) return;
  Shot shot = session.shot();
  for (const KeyId& id : ids)
    if (const Key* const key = findKey(shot, id); key != nullptr && keyedWith(id.field).size() == 1)
      setValue(shot, id, steppedValue(id.field, key->value, hundredths));
  changeShot(session, std::move(shot), "Value: " + nameOf(ids), true);
}

void scaleTo(Session& session, const Shot& before, std::set<KeyId> ids, bool last, double toS) {
  Shot shot = scaled(before, ids, last, toS, frameRate(session));
  changeShot(session, std::move(shot), "Scale " + countText(ids.size(), "key"), true);
  session.timeline.selected = std::move(ids);
}

void scaleSelected(Session& session, int frames) {
  std::set<KeyId> ids = session.timeline.selected;
  if (ids.empty()) return;
  const auto [firstS, lastS] = spanOf(ids);
  if (lastS == firstS) return session.say("Scale: select keys at two times");
  const float rate = frameRate(session);
  Shot shot = scaled(session.shot(), ids, true, nearestFrameS(lastS + frames / static_cast<double>(rate), rate), rate);
  const std::string action = "Scale " + countText(ids.size(), "key");
  changeShotUnlessKeysMeet(session, std::move(shot), std::move(ids), action);
}

void easeSelected(Session& session, Easing easing) {
  const Shot& before = session.shot();
  Shot shot = before;
  for (const KeyId& id : session.timeline.selected) {
    const auto times = keyTimes(before, id.field);
    const auto i = static_cast<std::size_t>(std::ranges::lower_bound(times, id.timeS) - times.begin());
    const auto track = std::ranges::find(before.tracks, id.field, &Track::field);
    setEasing(shot, {id}, easing,
              easing != Easing::bezier  ? kHandles
              : id.field == kCameraPath ? handlesLike(before.camera, i)
                                        : handlesLike(interpolationOf(id.field), track->keys, i));
  }
  changeShot(session, std::move(shot), std::string("Easing: ") + name(easing));
}

std::string filmName(const Session& session) {
  const CaptureSettings& capture = session.preferences.capture;
  const bool video = capture.video && session.videoMissing.empty();
  return video ? captureName(session) : capture.name.empty() ? "sequence" : capture.name;
}

std::string filmFiles(const Session& session) try {
  const CaptureSettings& capture = session.preferences.capture;
  std::filesystem::path file = std::filesystem::absolute(std::filesystem::path(capture.folder) / filmName(session));
  if (capture.video && session.videoMissing.empty())
    return "Writes " + pathText(numberedNames(file += capture.videoFormat)());
  file += captureChoice(capture.format).codec->extensions.front();
  const auto [first, last] = playedFrames(session);
  const auto nameOf = [&](long frame) { return numberedPath(file, static_cast<int>(frame) + 1); };
  std::string text = "Writes " + pathText(nameOf(first)) + " to " + pathText(nameOf(last).filename());
  if (!isThere(nameOf(first))) return text;
  return text + ", on the disk: the same film goes on, another one is " + filmName(session) + "-2";
} catch (const std::runtime_error& error) {
  return error.what();
}

double filmFrames(const Session& session) {
  const auto [first, last] = playedFrames(session);
  return static_cast<double>(last - first + 1);
}

void toggleFilm(Session& session) {
  if (session.sequence || !session.timeline.shown || (keyCount(session.shot()) == 0 && session.inputFrames == 0))
    return toggleRecording(session);
  constexpr double kMaxFrames = 1e6;
  if (filmFrames(session) > kMaxFrames)
    return session.say("A film has at most " + countText(static_cast<std::size_t>(kMaxFrames), "frame"));
  toggleRecording(session);
  session.timeline.playing = false;
  session.timeline.filmedFromS = session.timeline.timeS;
  session.sequence->frames = static_cast<int>(filmFrames(session));
  session.sequence->ofShot = true;
  session.sequence->firstOfShot = playedFrames(session).first;
}

}  // namespace satdof
