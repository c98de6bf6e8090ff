#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "app/core/settings.h"

namespace satdof {

// "PNG or EXR": the formats whose captures hold settings.
std::string namesWithText();

// Returns the JSON of a settings file, or of the settings text in a captured image. Throws
// UsageError if the file cannot be read or is an image without settings.
std::string readSettingsText(const std::filesystem::path& path);

// Writes the JSON of settings or of a look and creates the folder of the file. Returns the path of the file: a name without an
// extension gets .json. Replaces settings files alone: throws std::runtime_error if `path` has the extension of an image,
// or if the file exists and is no settings file.
std::filesystem::path saveSettings(std::filesystem::path path, const std::string& json);

// Sets what the text of a file of settings contains, see applySettingsJson(). A relative path in it starts at the folder
// of the file or, if nothing is there, at the working directory. A name that is found at neither place keeps the path of
// `settings` to a file of this name; an aperture image may also be one of lensesDir().
void applySettingsFile(Settings& settings, std::string_view text, const std::filesystem::path& file);

// The settings for a file in `folder` that others may see. An absolute path becomes relative to the folder or, if it would
// then lead out of the user's own folders, the name of the file alone: no name of a user is left in it.
Settings withoutUserPaths(Settings settings, const std::filesystem::path& folder);

}  // namespace satdof
