#include "app/run/remembered.h"

#include <cstdlib>
#include <stdexcept>

#include "app/core/files.h"
#include "app/core/settings_json.h"
#include "app/io/settings_file.h"

namespace satdof {

namespace fs = std::filesystem;

fs::path configFolder() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && config[0] != '\0') return fs::path(config) / "satdof";
  const char* home = std::getenv("HOME");
  return fs::path(home == nullptr ? "." : home) / ".config/satdof";
}

Remembered rememberedSettings(const fs::path& folder) {
  Remembered found;
  const fs::path path = folder / "settings.json";
  if (!fs::exists(path)) return found;
  try {
    for (const auto& problem : applyReadableSettings(found.settings, readSettingsText(path), path.string()))
      found.problem += (found.problem.empty() ? "" : "\n") + problem;
  } catch (const std::runtime_error& error) {
    found.problem = error.what();
  }
  if (found.problem.empty()) return found;
  fs::path kept = path;
  kept += ".bad";
  std::error_code failed;
  fs::copy_file(path, kept, fs::copy_options::overwrite_existing, failed);
  found.problem += failed ? "" : "; the file is kept as " + kept.string();
  return found;
}

void rememberSettings(const fs::path& folder, const Settings& settings) {
  fs::create_directories(folder);
  writeWholeFile(folder / "settings.json", settingsToJson(settings));
}

}  // namespace satdof
