#include "app/ui/history.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "app/core/fields.h"
#include "app/core/tracking.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/registry.h"
#include "app/scene/scene_files.h"
#include "app/ui/controls.h"
#include "app/ui/edit.h"

namespace satdof {

namespace {

constexpr const char* kPanels = "Panels";
constexpr const char* kShot = "Shot";

// Copies the focus if the autofocus moves it.
void keepFocus(const Settings& from, Settings& to) {
  if (from.lens.autofocus && to.lens.autofocus) to.lens.focusDistanceM = from.lens.focusDistanceM;
}

// Copies the fields that History does not record.
void keepUnrecorded(const Settings& from, Settings& to) {
  to.size = from.size;
  to.scene.timeS = from.scene.timeS;
  to.present.fullScreen = from.present.fullScreen;
  to.present.showUi = from.present.showUi;
  keepFocus(from, to);
}

// Returns the edited fields that name an edit, the most important first: the scene, then its file. Without what follows
// from another edit: the shift of the camera, the focus of the autofocus, and position and side B of a split that was
// switched.
std::vector<std::string> namedFields(const Settings& from, const Settings& to) {
  auto fields = editedFields(from, to);
  for (const char* shift : {"camera.shiftX", "camera.shiftY"})
    if (fields.size() > 1) std::erase(fields, shift);
  if (to.lens.autofocus) std::erase(fields, "lens.focusDistanceM");
  if (from.split.enabled != to.split.enabled || !showsB(to))
    std::erase_if(fields,
                  [](const std::string& field) { return field.starts_with("split.") && field != "split.enabled"; });
  const auto putFirst = [&](const std::string& first) {
    std::stable_partition(fields.begin(), fields.end(), [&](const std::string& field) { return field == first; });
  };
  for (const SceneRow& row : sceneRows())
    if (!row.files.empty()) putFirst(row.files.front().field);
  putFirst("scene.kind");
  return fields;
}

// Returns the name of an edit of one field: "Scene: model", "Image: photo.jpg", "Aperture". `settings`: after the edit.
std::string nameOf(const std::string& field, const Settings& settings) {
  std::string text = labelOf(field);
  if (field == "scene.kind") return text + ": " + name(settings.scene.kind);
  const FilePath* const file = fileAt(settings, field);
  if (file != nullptr && !file->none()) text += ": " + std::filesystem::path(file->text).filename().string();
  return text;
}

// Returns the name of all edits between two settings.
std::string nameOf(const Settings& from, const Settings& to) {
  const auto fields = namedFields(from, to);
  const auto ofCamera = [](const std::string& field) { return field.starts_with("camera."); };
  if (fields.empty()) return "settings";
  std::string first = nameOf(fields.front(), to);
  if (fields.size() == 1 || first != labelOf(fields.front())) return first;
  if (fields.size() == 2) return first + " and " + labelOf(fields.back());
  if (std::ranges::all_of(fields, ofCamera)) return "Camera";
  return first + " and " + std::to_string(fields.size() - 1) + " more";
}

}  // namespace

bool sameEdits(const Settings& from, const Settings& to) {
  Settings comparable = from;
  keepUnrecorded(to, comparable);
  return comparable == to;
}

std::vector<std::string> editedFields(const Settings& from, const Settings& to) {
  std::vector<std::string> fields;
  if (sameEdits(from, to)) return fields;
  Settings comparable = from;
  keepUnrecorded(to, comparable);
  describe(comparable, to, [&](const Field& field, const auto& before, const auto& after) {
    if (before != after) fields.push_back(field.path());
  });
  return fields;
}

History::History(const Session& start, std::vector<UndoStep> before) {
  const auto unnamed = std::make_shared<ShotFile>();
  for (UndoStep& step : before)
    entries_.push_back({std::move(step.settings),
                        {},
                        panelsOf(start),
                        std::move(step.shot),
                        unnamed,
                        step.shotTimeS,
                        std::move(step.action)});
  if (!entries_.empty()) {
    Entry& last = entries_.back();
    last.settings.camera.shiftX = start.settings.camera.shiftX;  // follows the panels
    last.settings.camera.shiftY = start.settings.camera.shiftY;
    if (*last.shot == start.shot()) last.shot = start.timeline.shot;
  }
  const bool goesOn = !entries_.empty() && edited(entries_.back(), start).empty();
  if (goesOn)
    entries_.back() = entryOf(start, entries_.back().action);
  else
    entries_.push_back(entryOf(start, "Options of the start"));
  at_ = entries_.size() - 1;
  for (Entry& entry : entries_) entry.step = ++lastStep_;
}

std::vector<UndoStep> History::steps() const {
  std::vector<UndoStep> steps;
  for (std::size_t i = at_ - std::min(at_, kMaxSteps); i <= at_; ++i)
    steps.push_back({entries_[i].settings, entries_[i].shot, entries_[i].shotTimeS, entries_[i].action});
  return steps;
}

std::pair<float, float> History::panelsOf(const Session& session) {
  return {session.preferences.panelWidth, session.preferences.uiScale};
}

History::Entry History::entryOf(const Session& session, std::string action) {
  const Timeline& timeline = session.timeline;
  return {session.settings, session.preferences.preset, panelsOf(session), timeline.shot, timeline.file,
          timeline.timeS,   std::move(action)};
}

// Returns the paths of the edited fields; kPanels and kShot if panels or shot were edited.
std::vector<std::string> History::edited(const Entry& from, const Session& to) {
  auto fields = editedFields(from.settings, to.settings);
  if (from.panels != panelsOf(to)) fields.emplace_back(kPanels);
  if (from.shot != to.timeline.shot) fields.emplace_back(kShot);
  return fields;
}

void History::observe(Session& session, double timeS, bool held) {
  std::string action = std::exchange(session.action, {});
  const std::string gesture = std::exchange(session.gesture, {});
  if (!held || !held_) gestureChanged_ = false;
  held_ = held;
  auto fields = edited(entries_[at_], session);
  if (fields.empty()) {
    entries_[at_].preset = session.preferences.preset;
    keepFocus(session.settings, entries_[at_].settings);
    return;
  }
  const bool together = action.empty() && at_ > 0 && at_ + 1 == entries_.size() &&
                        (gestureChanged_ || (timeS - changedS_ < kMergeS && fields == fields_));
  if (together) {
    const long step = entries_[at_].step;
    entries_[at_] = entryOf(session, entries_[at_].action);
    entries_[at_].step = step;
    if (edited(entries_[at_ - 1], session).empty()) entries_.resize(at_--);
  } else {
    entries_.resize(at_ + 1);
    entries_.push_back(entryOf(session, action.empty() ? gesture : action));
    entries_.back().step = ++lastStep_;
    while (entries_.size() > kMaxEntries) entries_.erase(entries_.begin());
    at_ = entries_.size() - 1;
  }
  if (!action.empty()) fields.clear();  // the next edit is another step
  fields_ = std::move(fields);
  changedS_ = timeS;
  gestureChanged_ = held && action.empty();
}

void History::amendFraming(const Framing& framing) {
  Settings& settings = entries_[at_].settings;
  applyFraming(settings, framing);
  clampToRanges(settings);
}

void History::amendFrame(const FilePath& before, const Settings& now) {
  for (Entry& entry : entries_)
    if (ImageSettings& image = entry.settings.scene.image; image.file == before)
      image = withFiles(image, now.scene.image);
  Settings& settings = entries_[at_].settings;
  settings.lens.autofocusX = now.lens.autofocusX;
  settings.lens.autofocusY = now.lens.autofocusY;
  if (hasTrackedPoint(settings.lens)) return;
  settings.lens.trackedObject = now.lens.trackedObject;
  settings.lens.trackedX = now.lens.trackedX;
  settings.lens.trackedY = now.lens.trackedY;
}

void History::amendDepth(const ImageSettings& deleted, const ImageSettings& now) {
  for (Entry& entry : entries_)
    if (ImageSettings& image = entry.settings.scene.image; image.file == deleted.file && image.depth == deleted.depth) {
      image = withLevels(withReading(image, now), image == withoutLevels(image) ? now : image);
      image.depth = now.depth;
    }
  for (std::size_t i = entries_.size(); --i > 0;) {
    const Entry &before = entries_[i - 1], &after = entries_[i];
    if (!sameEdits(before.settings, after.settings) || before.panels != after.panels || before.shot != after.shot)
      continue;
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
    if (at_ >= i) --at_;
  }
}

long History::beginStroke() {
  entries_.resize(at_ + 1);
  endMerge();
  return step();
}

void History::amendCorrection(const ImageSettings& before, const ImageSettings& now, long since) {
  for (Entry& entry : entries_) {
    ImageSettings& image = entry.settings.scene.image;
    if (entry.step < since || !showsPhoto(entry.settings) || image.file != before.file || image.depth != before.depth ||
        image != withReading(image, before))
      continue;
    image = withReading(image, now);
    image.depth = now.depth;
  }
}

void History::amendShot(const Session& session) {
  Entry& now = entries_[at_];
  now.settings = settingsAt(*now.shot, now.settings, session.timeline.timeS);
  now.shotTimeS = session.timeline.timeS;
}

std::string History::undo(Session& session) { return at_ == 0 ? "" : moveTo(at_ - 1, session); }

std::string History::redo(Session& session) { return at_ + 1 >= entries_.size() ? "" : moveTo(at_ + 1, session); }

std::string History::moveTo(std::size_t entry, Session& session) {
  const std::size_t later = std::max(entry, at_);
  const std::string& action = entries_[later].action;
  const Entry &from = entries_[later - 1], &to = entries_[later];
  std::string what = !action.empty()                         ? action
                     : sameEdits(from.settings, to.settings) ? kPanels
                                                             : nameOf(from.settings, to.settings);
  Settings next = entries_[entry].settings;
  keepUnrecorded(session.settings, next);
  next.lens.focusDistanceM = entries_[entry].settings.lens.focusDistanceM;
  session.settings = next;
  Timeline& timeline = session.timeline;
  timeline.shot = entries_[entry].shot;
  timeline.file = entries_[entry].shotFile;
  if (!timeline.playing) timeline.timeS = entries_[entry].shotTimeS;
  session.preferences.preset = entries_[entry].preset;
  std::tie(session.preferences.panelWidth, session.preferences.uiScale) = entries_[entry].panels;
  forgetMissingPreset(session);
  at_ = entry;
  endMerge();
  return what;
}

}  // namespace satdof
