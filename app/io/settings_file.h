#pragma once
#include <filesystem>
#include <string>

namespace satdof {

// Returns the JSON of a settings file, or of the settings text in a captured PNG, EXR or Radiance HDR. Throws
// UsageError if the file cannot be read or is an image without settings.
std::string readSettingsText(const std::filesystem::path& path);

}  // namespace satdof
