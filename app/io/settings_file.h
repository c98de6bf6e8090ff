#pragma once
#include <filesystem>
#include <string>

#include "app/core/settings.h"

namespace satdof {

// Returns the JSON of a settings file, or of the settings text in a captured PNG, EXR or Radiance HDR. Throws
// UsageError if the file cannot be read or is an image without settings.
std::string readSettingsText(const std::filesystem::path& path);

// Writes the settings as JSON and creates the folder of the file. Returns the path of the file: a name without an
// extension gets .json. Replaces settings files alone: throws std::runtime_error if `path` has the extension of an image,
// or if the file exists and is no settings file.
std::filesystem::path saveSettings(std::filesystem::path path, const Settings& settings);

}  // namespace satdof
