#include "app/run/window/files/settings_edit.h"

#include <algorithm>

#include "app/core/fields.h"
#include "app/core/settings_json.h"
#include "app/core/text/count_text.h"
#include "app/io/settings_file.h"
#include "app/io/shot_file.h"
#include "app/lens/presets.h"
#include "app/run/command_line/settings_text.h"
#include "app/run/film/single_frame.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

namespace {

// Replaces the settings of the session, as an undo step named `notice`.
void replaceSettings(Session& session, const Settings& settings, const std::string& notice) {
  session.settings = settings;
  session.preferences.preset.reset();
  session.forget("settings");
  session.action = notice;
  session.say(notice);
}

}  // namespace

bool isOwnPreset(const Session& session, const std::filesystem::path& path) {
  return std::ranges::find(session.ownPresets, path) != session.ownPresets.end();
}

void chooseOwnPreset(Session& session, const std::filesystem::path& path) {
  if (isOwnPreset(session, path)) session.preferences.preset = {path.stem().string(), session.settings};
}

Settings withEdit(Settings settings, const Settings& from, const Settings& to) {
  const auto use = [](const Field&, auto& value, const auto& before, const auto& edited) {
    if (edited != before) value = edited;
  };
  describeAll(use, settings, from, to);
  return settings;
}

void useSettings(Session& session, const Settings& settings, const std::string& notice) {
  const Settings before = session.settings;
  replaceSettings(session, settings, notice);
  session.settings.size = before.size;
  session.settings.present.fullScreen = before.present.fullScreen;
  session.settings.present.showUi = before.present.showUi;
  session.settings.present.vsync = before.present.vsync;
}

SessionEdit settingsEdit(const std::filesystem::path& path, const Settings& current, bool own) {
  if (holdsShot(path)) return shotEdit(path);
  if (own)
    return [path, text = readSettingsText(path)](Session& session, Opening&) {
      Settings loaded = session.settings;
      const auto ignored = applyLook(loaded, text, path.string());
      const std::string action = "Preset: " + path.stem().string();
      replaceSettings(session, loaded, action);
      if (!ignored.empty())
        session.say(action + ". Ignored, no part of a look: " + countText(ignored.size(), "setting"));
      chooseOwnPreset(session, path);
    };
  Settings loaded = current;
  std::string notice = "Settings of " + path.filename().string();
  for (const std::string& note : useSettingsFile(loaded, path)) notice += "\n" + withoutFolder(note);
  return [current, loaded, notice](Session& session, Opening&) {
    useSettings(session, withEdit(session.settings, current, loaded), notice);
  };
}

SessionEdit shotEdit(const std::filesystem::path& file) {
  Notes notes;
  std::string text;
  Shot shot = readShot(file, notes, &text);
  return [file, shot, notes, text](Session& session, Opening&) {
    openShot(session, shot, {.path = file, .text = text});
    session.forget("settings");
    if (notes.empty()) return;
    std::string notice = session.notices.text;
    for (const std::string& note : notes) notice += "\n" + note;
    session.say(notice, kSavedNoticeS);
  };
}

SessionEdit pastedSettings(const std::string& text, const Settings& current) {
  return [current, pasted = settingsFromText(current, text)](Session& session, Opening&) {
    useSettings(session, withEdit(session.settings, current, pasted), "Settings pasted");
  };
}

SessionEdit pastedLook(const std::string& text, const Settings& current) {
  return [look = lookToJson(settingsFromText(current, text))](Session& session, Opening&) {
    if (!session.strip.unread.empty())
      return session.say("Not pasted: " + session.strip.unread.filename().string() + " is still being read");
    Settings settings = session.settings;
    applyLook(settings, look, "");
    replaceSettings(session, settings, "Look pasted");
  };
}

void useLens(Session& session, const std::string& name) {
  const Notes notes = applyLensPreset(session.settings, name);
  session.forget("settings");
  if (!notes.empty()) session.say(withoutFolder(notes.front()));
}

}  // namespace satdof
