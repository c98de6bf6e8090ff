#include "app/run/window/files/exchange.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>

#include "app/core/fields.h"
#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/settings_json.h"
#include "app/core/shot/camera_path.h"
#include "app/core/shot/shot_json.h"
#include "app/core/text/count_text.h"
#include "app/io/settings_file.h"
#include "app/io/shot_file.h"
#include "app/lens/presets.h"
#include "app/run/command_line/settings_text.h"
#include "app/run/film/film_input.h"
#include "app/run/remembered.h"
#include "app/scene/image/depth_map.h"
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

// Chooses the own preset, if the file of the settings is one.
void chooseOwnPreset(Session& session, const std::filesystem::path& path) {
  if (isOwnPreset(session, path)) session.preferences.preset = {path.stem().string(), session.settings};
}

}  // namespace

bool isOwnPreset(const Session& session, const std::filesystem::path& path) {
  return std::ranges::find(session.ownPresets, path) != session.ownPresets.end();
}

Settings withEdit(Settings settings, const Settings& from, const Settings& to) {
  const auto use = [](const Field&, auto& value, const auto& before, const auto& edited) {
    if (edited != before) value = edited;
  };
  describeAll(use, settings, from, to);
  return settings;
}

SessionEdit settingsEdit(const std::filesystem::path& path, const Settings& current, bool own) {
  if (holdsShot(path)) return shotEdit(path);
  const std::string text = readSettingsText(path);
  if (own)
    return [path, text](Session& session, Opening&) {
      Settings loaded = session.settings;
      const auto ignored = applyLook(loaded, text, path.string());
      const std::string action = "Preset: " + path.stem().string();
      replaceSettings(session, loaded, action);
      if (!ignored.empty())
        session.say(action + ". Ignored, no part of a look: " + countText(ignored.size(), "setting"));
      chooseOwnPreset(session, path);
    };
  Settings loaded = current;
  applySettingsFile(loaded, text, path);
  return [path, current, loaded](Session& session, Opening&) {
    useSettings(session, withEdit(session.settings, current, loaded),
                "Settings of " + path.filename().string());
  };
}

void saveSettings(Session& session, const std::filesystem::path& asked) {
  const bool isPreset = folderOf(asked) == configFolder() / "presets";
  const std::string json = isPreset ? lookToJson(session.settings) : settingsToJson(session.settings);
  const auto path = writeWithTimeout(asked, [asked, json] { return saveSettings(asked, json); });
  session.forget("settings");
  if (!path) return tellWritten(session, asked, path);
  session.ownPresets = ownPresets(configFolder());
  chooseOwnPreset(session, *path);
  session.say(isOwnPreset(session, *path) ? "Preset saved: " + path->stem().string()
                                          : "Settings saved to " + path->string());
}

void deletePreset(Session& session, const std::filesystem::path& path) {
  const std::error_code error = readWithTimeout(path, [path] {
    std::error_code failed;
    std::filesystem::remove(path, failed);
    return failed;
  });
  if (error) throw std::runtime_error(failureText("delete", path, error.message()));
  session.ownPresets = ownPresets(configFolder());
  if (session.preferences.preset && session.preferences.preset->name == path.stem())
    session.preferences.preset.reset();
  session.forget("settings");
  session.say("Preset deleted: " + path.stem().string());
}

void useLens(Session& session, const std::string& name) {
  const Notes notes = applyLensPreset(session.settings, name);
  session.forget("settings");
  if (!notes.empty()) session.say(withoutFolder(notes.front()));
}

void saveShot(Session& session, const std::filesystem::path& path) {
  Timeline& timeline = session.timeline;
  const auto& as = timeline.saveAs;
  const std::string json = as ? cameraPathToJson(*as, session.shot(), session.settings, frameRate(session))
                              : shotToJson(session.shot());
  const ShotFile& file = *timeline.file;
  const std::string replaced = file.path == absolutePath(path) && file.of == as ? file.text : "";
  const auto written = writeWithTimeout(path, [=] { return writeShot(path, json, replaced); });
  if (written) nameShot(timeline, {*written, as, json});
  session.forget("settings");
  const bool stays = written && written->stem() != path.stem();
  tellWritten(session, path, written,
              stays ? "Saved as " + written->filename().string() + ", for " + path.stem().string() +
                          ".json holds something else,"
                    : "");
}

void pasteSettings(Session& session, const std::string& text) {
  useSettings(session, settingsFromText(session.settings, text), "Settings pasted");
}

void pasteLook(Session& session, const std::string& text) {
  if (!session.strip.unread.empty())
    return session.say("Not pasted: " + session.strip.unread.filename().string() + " is still being read");
  Settings settings = session.settings;
  applyLook(settings, lookToJson(settingsFromText(settings, text)), "");
  replaceSettings(session, settings, "Look pasted");
}

void useSettings(Session& session, const Settings& settings, const std::string& notice) {
  const Settings before = session.settings;
  replaceSettings(session, settings, notice);
  session.settings.size = before.size;
  session.settings.present.fullScreen = before.present.fullScreen;
  session.settings.present.showUi = before.present.showUi;
  session.settings.present.vsync = before.present.vsync;
}

SessionEdit shotEdit(const std::filesystem::path& file) {
  Notes notes;
  std::string text;
  Shot shot = readShot(file, notes, &text);
  return [file, shot, notes, text](Session& session, Opening&) {
    openShot(session, shot, {.path = file, .text = text});
    session.forget("settings");
    if (notes.empty()) return;
    std::string notice = session.notice;
    for (const std::string& note : notes) notice += "\n" + note;
    session.say(notice, kSavedNoticeS);
  };
}

void tellWritten(Session& session, const std::filesystem::path& asked,
                 const std::optional<std::filesystem::path>& written, const std::string& what) {
  if (!written)
    session.say(pendingWriteText(asked), kSavedNoticeS);
  else if (what.empty())
    session.saySaved(*written);
  else
    session.saySaved(*written, what);
}

RecentImage shownImage(const Session& session) {
  const ImageSettings& image = session.settings.scene.image;
  RecentImage shown{image.file, image.depth, withReading({}, image)};
  const auto& recent = session.preferences.recentImages;
  if (!session.strip.shown() || !session.strip.has(image.file.text)) {
    const auto known = std::ranges::find(recent, image.file, &RecentImage::file);
    if (known != recent.end()) shown.left = known->left;
  } else if (session.strip.ownLooks) {
    shown.left = session.settings;
  }
  return shown;
}

PhotoStrip stripOf(const std::vector<std::filesystem::path>& photos, const std::vector<RecentImage>& recent) {
  PhotoStrip strip;
  strip.film = nameOfFrames(photos).value_or("");
  std::optional<std::ptrdiff_t> last;  // in `recent`
  for (const auto& file : photos) {
    strip.photos.push_back({file, {}});
    PhotoStrip::Photo& photo = strip.photos.back();
    const auto known = std::ranges::find(recent, FilePath{file.string()}, &RecentImage::file);
    if (known == recent.end()) continue;
    const auto at = known - recent.begin();
    if (!last || at < *last) strip.ownLooks = known->left.has_value();
    last = std::min(at, last.value_or(at));
    if (!(photo.left = known->left)) continue;
    ImageSettings& image = photo.left->scene.image;
    image = withReading({}, known->reading);
    image.file = known->file;
    if (isRegularFile(known->depth.text)) image.depth = known->depth;
    photo.left->scene.frame = false;
  }
  return strip;
}

PhotoStrip lastStrip(const std::vector<std::string>& files, const FilePath& shown,
                     const std::vector<RecentImage>& recent) {
  if (std::ranges::find(files, shown.text) == files.end()) return {};
  std::vector<std::filesystem::path> photos;
  for (const std::string& file : files)
    if (file == shown.text || isRegularFile(file)) photos.emplace_back(file);
  return stripOf(photos, recent);
}

void restoreLeft(Settings& settings, const Settings& left, bool ownLook) {
  ImageSettings& image = settings.scene.image;
  if (image.depth.none()) image.depth = left.scene.image.depth;
  image = withReading(image, left.scene.image);
  if (ownLook) applyLook(settings, lookToJson(left), "");
  settings.lens.focusDistanceM = left.lens.focusDistanceM;
  settings.scene.frame = left.scene.frame;
}

void rememberFiles(std::vector<RecentImage>& recent, const RecentImage& files) {
  if (!recent.empty() && recent.front() == files) return;
  std::erase_if(recent, [&](const RecentImage& shown) {
    return std::pair(shown.file, shown.depth) == std::pair(files.file, files.depth);
  });
  recent.insert(recent.begin(), files);
  recent.resize(std::min(recent.size(), Preferences::kRecentImages));
}

ImageSettings withRememberedReading(const ImageSettings& image, const std::vector<RecentImage>& recent) {
  const auto whole = [](const FilePath& file) {
    return file.none() ? std::filesystem::path() : absolutePath(file.text);
  };
  const auto isEstimate = [](const FilePath& depth) { return isCached(depth.text, "depth"); };
  const std::pair files(whole(image.file), whole(image.depth));
  auto known = std::ranges::find_if(recent, [&](const RecentImage& shown) {
    return std::pair(whole(shown.file), whole(shown.depth)) == files;
  });
  if (known == recent.end() && isEstimate(image.depth))
    known = std::ranges::find_if(recent, isEstimate, &RecentImage::depth);
  return known == recent.end() ? image : withReading(image, known->reading);
}

}  // namespace satdof
