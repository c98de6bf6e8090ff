#include "app/ui/history.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "app/core/fields.h"

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

std::string inWords(const std::string& key) {
  std::string name = key.substr(key.rfind('.') + 1);
  for (const std::string_view unit : {"Degrees", "Stops", "Mm", "Px", "M", "S"})
    if (name.ends_with(unit)) {
      name.resize(name.size() - unit.size());
      break;
    }
  if (name == "kind" || name == "enabled")
    name = key.substr(0, key.rfind('.')), name = name.substr(name.rfind('.') + 1);
  std::string words;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isupper(letter) != 0) words += ' ';
    words += static_cast<char>(std::tolower(letter));
  }
  return words == "f number" ? "f-number" : words;
}

void History::observe(const Settings& now, double timeS, bool held) {
  if (!held || !held_) gestureChanged_ = false;
  held_ = held;
  auto fields = editedFields(values_[at_], now);
  if (fields.empty()) return;
  const bool together = at_ > 0 && at_ + 1 == values_.size() &&
                        (gestureChanged_ || (timeS - changedS_ < kMergeS && fields == fields_));
  if (together) {
    values_[at_] = now;
    if (editedFields(values_[at_ - 1], now).empty()) values_.resize(at_--);
  } else {
    values_.resize(at_ + 1);
    values_.push_back(now);
    if (values_.size() > kMaxEntries) values_.erase(values_.begin());
    at_ = values_.size() - 1;
  }
  fields_ = std::move(fields);
  changedS_ = timeS;
  gestureChanged_ = held;
}

std::string History::undo(Settings& settings) { return at_ == 0 ? "" : moveTo(at_ - 1, settings); }

std::string History::redo(Settings& settings) {
  return at_ + 1 >= values_.size() ? "" : moveTo(at_ + 1, settings);
}

std::string History::moveTo(size_t entry, Settings& settings) {
  const auto fields = editedFields(values_[at_], values_[entry]);
  Settings next = values_[entry];
  keepUnrecorded(settings, next);
  settings = next;
  at_ = entry;
  gestureChanged_ = false;
  changedS_ = -std::numeric_limits<double>::infinity();
  if (fields.empty()) return "settings";
  if (fields.size() == 1) return inWords(fields.front());
  return inWords(fields.front()) + " and " +
         (fields.size() == 2 ? inWords(fields.back()) : std::to_string(fields.size() - 1) + " more");
}

}  // namespace satdof
