#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "app/core/settings.h"
#include "app/io/notes.h"

namespace satdof {

// Returns the names of the formats whose captures contain settings: "PNG or EXR".
std::string namesWithText();

// Returns the JSON of a settings file, or the settings in a captured image. Adds notes on what the image shows besides
// its settings. Throws UsageError if the file cannot be read or is an image without settings.
std::string readSettingsText(const std::filesystem::path& path, Notes* notes = nullptr);

// Writes the JSON of settings or of a look, and creates its folder. Returns the path: a name without an extension gets
// .json. Replaces only settings files: throws std::runtime_error if `path` has the extension of an image or exists and
// is not a settings file.
std::filesystem::path saveSettings(std::filesystem::path path, const std::string& json);

// Applies the text of a settings file like applySettingsJson(). Looks for a relative path in the folder of the file,
// then in the working directory, and for a decoded frame of a video in the user's cache; for a capture, which may have
// the name of its photograph, only if nothing else has it. If it is in none: keeps the path in `settings` if that has
// the same file name; looks for aperture images in lensesDir().
void applySettingsFile(Settings& settings, std::string_view text, const std::filesystem::path& file);

// Returns settings for a shared file in `folder`, without the name of the user. A path becomes relative to the folder
// if both lie in the home folder or the file lies inside the folder; else only the file name remains, of a frame in the
// user's cache the path in the cache.
Settings withoutUserPaths(Settings settings, const std::filesystem::path& folder);

}  // namespace satdof
