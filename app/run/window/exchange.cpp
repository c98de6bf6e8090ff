#include "app/run/window/exchange.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/core/camera_path.h"
#include "app/core/count_text.h"
#include "app/core/file_names.h"
#include "app/core/lens_presets.h"
#include "app/core/settings_json.h"
#include "app/io/settings_file.h"
#include "app/io/shot_file.h"
#include "app/run/remembered.h"
#include "app/run/settings_text.h"
#include "app/ui/depth_of_field.h"
#include "app/ui/timeline.h"

namespace satdof {

namespace {

// The look of copied settings, or of a command line, on the settings.
Settings lookOfText(Settings settings, const std::string& text) {
  applyLook(settings, lookToJson(settingsFromText(settings, text)), "");
  return settings;
}

// Puts the settings in place of those of the session.
void take(Session& session, const Settings& settings, const std::string& notice) {
  session.settings = settings;
  session.preferences.preset.reset();
  session.forget("settings");
  session.action = notice;
  session.say(notice);
}

void useClipboard(Session& session, WindowClipboard& clipboard) {
  switch (std::exchange(session.clipboard, Clipboard::none)) {
    case Clipboard::none:
      break;
    case Clipboard::copyJson:
      clipboard.copy(settingsToJson(session.settings));
      session.say("Settings copied as JSON");
      break;
    case Clipboard::copyOptions:
      clipboard.copy("satdof " + optionsText(session.settings));
      session.say("Settings copied as a command line");
      break;
    case Clipboard::copyLook:
      clipboard.copy(lookToJson(session.settings));
      session.say("Look copied");
      break;
    case Clipboard::pasteLook:
      clipboard.read([&session](const std::string& text) {
        take(session, lookOfText(session.settings, text), "Look pasted");
      });
      break;
    case Clipboard::paste:
      clipboard.read([&session](const std::string& text) {
        useSettings(session, settingsFromText(session.settings, text), "Settings pasted");
      });
  }
  clipboard.poll();
}

bool isOwnPreset(const Session& session, const std::filesystem::path& path) {
  return std::ranges::find(session.ownPresets, path) != session.ownPresets.end();
}

// `path`: of the file that holds the settings.
void nameOwnPreset(Session& session, const std::filesystem::path& path) {
  if (isOwnPreset(session, path)) session.preferences.preset = {path.stem().string(), session.settings};
}

void load(Session& session, const std::filesystem::path& path) {
  if (holdsShot(path)) return useShotFile(session, path);
  Settings loaded = session.settings;
  if (isOwnPreset(session, path)) {
    const auto ignored = applyLook(loaded, readSettingsText(path), path.string());
    const std::string action = "Preset: " + path.stem().string();
    take(session, loaded, action);
    if (!ignored.empty())
      session.say(action + ". Ignored, no part of a look: " + countText(ignored.size(), "setting"));
    nameOwnPreset(session, path);
    return;
  }
  applySettingsFile(loaded, readSettingsText(path), path);
  useSettings(session, loaded, "Settings of " + path.filename().string());
}

void save(Session& session, const std::filesystem::path& asked) {
  const bool isPreset = folderOf(asked) == configFolder() / "presets";
  const std::filesystem::path path =
      saveSettings(asked, isPreset ? lookToJson(session.settings) : settingsToJson(session.settings));
  session.ownPresets = ownPresets(configFolder());
  nameOwnPreset(session, path);
  session.forget("settings");
  session.say(isOwnPreset(session, path) ? "Preset saved: " + path.stem().string()
                                         : "Settings saved to " + path.string());
}

void removePreset(Session& session, const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error) throw std::runtime_error(failureText("delete", path, error.message()));
  session.ownPresets = ownPresets(configFolder());
  if (session.preferences.preset && session.preferences.preset->name == path.stem())
    session.preferences.preset.reset();
  session.forget("settings");
  session.say("Preset deleted: " + path.stem().string());
}

}  // namespace

void useSettings(Session& session, const Settings& settings, const std::string& notice) {
  const Settings before = session.settings;
  take(session, settings, notice);
  session.settings.size = before.size;
  session.settings.present.fullScreen = before.present.fullScreen;
  session.settings.present.showUi = before.present.showUi;
  session.settings.present.vsync = before.present.vsync;
}

void useShotFile(Session& session, const std::filesystem::path& file) {
  Notes notes;
  Shot shot = readShot(file, notes);
  openShot(session, std::move(shot), file);
  session.forget("settings");
  if (notes.empty()) return;
  std::string told = session.notice;
  for (const std::string& note : notes) told += "\n" + note;
  session.say(told);
  session.noticeAgeS = kNoticeS - kSavedNoticeS;
}

void exchangeFiles(Session& session) {
  if (const auto path = std::exchange(session.timeline.saveFile, std::nullopt)) {
    const std::filesystem::path written =
        session.timeline.saveAs
            ? saveShotText(*path, cameraPathToJson(*session.timeline.saveAs, session.shot(), session.settings,
                                                   frameRate(session)))
            : saveShot(*path, session.shot());
    session.forget("settings");
    session.saySaved(written);
  }
  if (const auto lens = std::exchange(session.lensPreset, std::nullopt)) {
    const Settings before = session.settings;
    applyLensPreset(session.settings, *lens);
    linkFieldOfView(before, session.settings);
    session.forget("settings");
  }
  if (const auto path = std::exchange(session.loadFile, std::nullopt)) load(session, *path);
  if (const auto path = std::exchange(session.saveFile, std::nullopt)) save(session, *path);
  if (const auto path = std::exchange(session.deleteFile, std::nullopt)) removePreset(session, *path);
}

void exchangeSettings(Session& session, GlfwWindow& window, WindowClipboard& clipboard, Opening& opening,
                      Chooser& chooser, StripServer& strip, DepthMaker& depth) {
  try {
    useClipboard(session, clipboard);
    if (opening.loading() && std::exchange(session.cancelLoading, false)) opening.cancel();
    if (const auto files = window.takeDropped(); !files.empty()) opening.drop(session, files);
    chooser.serve(session, opening);
    strip.serve(session, opening);
    depth.serve(session, opening);
    exchangeFiles(session);
  } catch (const std::runtime_error& error) {
    session.report("settings", error.what());
  }
}

void rememberFiles(std::vector<RecentImage>& recent, const RecentImage& files) {
  if (!recent.empty() && recent.front() == files) return;
  std::erase(recent, files);
  recent.insert(recent.begin(), files);
  recent.resize(std::min(recent.size(), Preferences::kRecentImages));
}

}  // namespace satdof
