#include "app/ui/history.h"

#include <algorithm>

#include "app/core/fields.h"
#include "app/ui/controls.h"
#include "app/ui/edit.h"

namespace satdof {

namespace {

// Copies the fields that History leaves out.
void keepUnrecorded(const Settings& from, Settings& to) {
  to.size = from.size;
  to.scene.timeS = from.scene.timeS;
  to.present.fullScreen = from.present.fullScreen;
  to.present.showUi = from.present.showUi;
  if (from.lens.autofocus && to.lens.autofocus) to.lens.focusDistanceM = from.lens.focusDistanceM;
}

// The edited fields, as they are named: a scene before the camera and the lens that it brings along, a split without its
// position and its side B, and no shift by which the window centres the camera.
std::vector<std::string> namedFields(const Settings& from, const Settings& to) {
  auto fields = editedFields(from, to);
  if (fields.size() > 1) std::erase(fields, "camera.shiftX");
  if (from.split.enabled != to.split.enabled)
    std::erase_if(fields, [](const std::string& field) {
      return field.starts_with("split.") && field != "split.enabled";
    });
  std::stable_partition(fields.begin(), fields.end(),
                        [](const std::string& field) { return field == "scene.kind"; });
  return fields;
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
  describe(comparable, [&]<class A>(const Field& field, const A& before) {
    describe(to, [&]<class B>(const Field& same, const B& after) {
      if constexpr (std::is_same_v<A, B>)
        if (field.path() == same.path() && before != after) fields.push_back(field.path());
    });
  });
  return fields;
}

void History::observe(const Session& session, double timeS, bool held) {
  if (!held || !held_) gestureChanged_ = false;
  held_ = held;
  const Settings& now = session.settings;
  auto fields = editedFields(entries_[at_].settings, now);
  if (fields.empty()) {
    entries_[at_].preset = session.preset;
    return;
  }
  const bool together = at_ > 0 && at_ + 1 == entries_.size() &&
                        (gestureChanged_ || (timeS - changedS_ < kMergeS && fields == fields_));
  if (together) {
    entries_[at_] = {now, session.preset};
    if (editedFields(entries_[at_ - 1].settings, now).empty()) entries_.resize(at_--);
  } else {
    entries_.resize(at_ + 1);
    entries_.push_back({now, session.preset});
    if (entries_.size() > kMaxEntries) entries_.erase(entries_.begin());
    at_ = entries_.size() - 1;
  }
  fields_ = std::move(fields);
  changedS_ = timeS;
  gestureChanged_ = held;
}

void History::amendFraming(const Framing& framing) {
  Settings& settings = entries_[at_].settings;
  applyFraming(settings, framing);
  clampToRanges(settings);
}

std::string History::undo(Session& session) { return at_ == 0 ? "" : moveTo(at_ - 1, session); }

std::string History::redo(Session& session) {
  return at_ + 1 >= entries_.size() ? "" : moveTo(at_ + 1, session);
}

std::string History::moveTo(size_t entry, Session& session) {
  const auto fields = namedFields(entries_[at_].settings, entries_[entry].settings);
  Settings next = entries_[entry].settings;
  keepUnrecorded(session.settings, next);
  session.settings = next;
  session.preset = entries_[entry].preset;
  at_ = entry;
  gestureChanged_ = false;
  changedS_ = -std::numeric_limits<double>::infinity();
  if (fields.empty()) return "settings";
  if (fields.size() == 1) return labelOf(fields.front());
  return labelOf(fields.front()) + " and " +
         (fields.size() == 2 ? labelOf(fields.back()) : std::to_string(fields.size() - 1) + " more");
}

}  // namespace satdof
