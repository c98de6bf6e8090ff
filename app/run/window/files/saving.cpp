#include "app/run/window/files/saving.h"

#include <stdexcept>
#include <system_error>

#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/settings_json.h"
#include "app/core/shot/camera_path.h"
#include "app/core/shot/shot_json.h"
#include "app/io/settings_file.h"
#include "app/io/shot_file.h"
#include "app/run/remembered/remembered.h"
#include "app/run/window/files/settings_edit.h"
#include "app/ui/timeline/timeline.h"

namespace satdof {

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
  if (session.preferences.preset && session.preferences.preset->name == path.stem()) session.preferences.preset.reset();
  session.forget("settings");
  session.say("Preset deleted: " + path.stem().string());
}

void saveShot(Session& session, const std::filesystem::path& path) {
  Timeline& timeline = session.timeline;
  const auto& as = timeline.saveAs;
  const std::string json =
      as ? cameraPathToJson(*as, session.shot(), session.settings, frameRate(session)) : shotToJson(session.shot());
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

void tellWritten(Session& session, const std::filesystem::path& asked,
                 const std::optional<std::filesystem::path>& written, const std::string& what) {
  if (!written)
    session.say(pendingWriteText(asked), kSavedNoticeS);
  else if (what.empty())
    session.saySaved(*written);
  else
    session.saySaved(*written, what);
}

}  // namespace satdof
