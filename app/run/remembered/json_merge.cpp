#include "app/run/remembered/json_merge.h"

#include <algorithm>
#include <cstddef>

#include "app/ui/preferences.h"

namespace satdof {

namespace {

// merged() for arrays with a fixed number of slots.
StateJson mergedSlots(const StateJson& own, const StateJson& before, StateJson file) {
  if (!file.is_array()) return own;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] != before[i]) file[i] = own[i];
  return file;
}

// merged() for recent images, newest first. Those that this window has shown since come first; the others are as in
// `file`.
StateJson mergedRecent(const StateJson& own, const StateJson& before, const StateJson& file) {
  if (!file.is_array()) return own;
  const auto filesOf = [](const StateJson& image) {
    return image.is_object() ? StateJson{image.value("file", StateJson()), image.value("depth", StateJson())}
                             : StateJson();
  };
  const auto in = [&](const StateJson& list, const StateJson& image) {
    return std::ranges::find(list, filesOf(image), filesOf);
  };
  std::size_t shown = own.size();
  for (std::size_t left = before.size(); shown > 0; --shown) {
    while (left > 0 && before[left - 1] != own[shown - 1]) --left;
    if (left == 0) break;
    --left;
  }
  StateJson all = StateJson::array();
  for (std::size_t i = 0; i < shown; ++i) {
    const auto was = in(before, own[i]), found = in(file, own[i]);
    all.push_back(found == file.end() ? own[i]
                                      : merged(own[i], was == before.end() ? StateJson::object() : *was, *found));
  }
  for (const StateJson& image : file) {
    const bool removed = in(before, image) != before.end() && in(own, image) == own.end();
    if (all.size() < Preferences::kRecentImages && !removed && in(all, image) == all.end()) all.push_back(image);
  }
  return all;
}

}  // namespace

StateJson merged(const StateJson& own, const StateJson& before, const StateJson& file) {
  if (own == before) return file;
  if (!own.is_object() || !before.is_object() || !file.is_object()) return own;
  for (const char* const key : {"file", "depth", "settings"})
    if (own.value(key, StateJson()) != file.value(key, StateJson())) return own;
  StateJson all = file;
  for (const auto& [key, value] : own.items())
    if (const StateJson was = before.value(key, StateJson()); value != was)
      all[key] = merged(value, was, file.value(key, StateJson()));
  for (const auto& each : before.items())
    if (!own.contains(each.key())) all.erase(each.key());
  return all;
}

StateJson mergedPreferences(const StateJson& own, const StateJson& before, const StateJson& file) {
  if (!file.is_object()) return own;
  StateJson all = merged(own, before, file);
  for (const char* const slots : {"bookmarks", "focusMarks"})
    all[slots] = mergedSlots(own.at(slots), before.at(slots), file.value(slots, StateJson()));
  constexpr const char* kRecent = "recentImages";
  all[kRecent] = mergedRecent(own.at(kRecent), before.at(kRecent), file.value(kRecent, StateJson()));
  return all;
}

}  // namespace satdof
