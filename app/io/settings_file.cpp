#include "app/io/settings_file.h"

#include <stdexcept>

#include "app/core/file_names.h"
#include "app/core/files.h"
#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "app/io/image_file.h"
#include "app/io/picture.h"

namespace satdof {

namespace {

// Settings take a few kilobytes; in an image they stand before the pixels.
constexpr size_t kMostBytes = size_t{1} << 20;

bool isSettingsFile(const std::filesystem::path& path) {
  try {
    Settings read;
    applySettingsJson(read, readWholeFile(path, kMostBytes), path.string());
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

std::string readSettingsText(const std::filesystem::path& path) {
  const std::string expected = "; give a JSON file, or a PNG, EXR or HDR captured by satdof";
  const auto refuse = [&](const std::string& why) {
    return UsageError("cannot read settings \"" + path.string() + "\": " + why + expected);
  };
  std::string bytes;
  try {
    bytes = readFileHead(path, kMostBytes + 1);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what() + expected);
  }
  if (const auto text = imageText(bytes, kSettingsKeyword)) return *text;
  const char* const format = imageFormatName(bytes);
  if (format != nullptr && std::string_view(format) == "PFM") throw refuse("a PFM holds no settings");
  if (format != nullptr) throw refuse("an image without satdof settings in its text");
  if (bytes.size() > kMostBytes) throw refuse("larger than 1 MB");
  return bytes;
}

std::filesystem::path saveSettings(std::filesystem::path path, const Settings& settings) {
  const auto refuse = [&](const char* why) {
    return std::runtime_error(failureText("save settings to", path, why));
  };
  if (hasPictureExtension(path)) throw refuse("the name of an image; give a name ending in .json");
  if (path.has_filename() && !path.has_extension()) path += ".json";
  std::error_code unknown;  // writing says why
  if (std::filesystem::is_regular_file(path, unknown) && !isSettingsFile(path))
    throw refuse("the file exists and holds no settings that can be read; choose another name");
  createFolders(folderOf(path));
  writeWholeFile(path, settingsToJson(settings));
  return path;
}

}  // namespace satdof
