#pragma once
#include <filesystem>

#include "app/core/settings.h"
#include "app/io/notes.h"

// Settings that show one frame of a film as a single image.
namespace satdof {

// Returns a note if the settings average the depth of a single image over frames. Throws UsageError if they show a
// frame of a video that the user's cache does not hold.
Notes notesOnFrame(const Settings& settings);

// Applies the settings of a file. Returns notes on what the image of a capture shows besides them. Throws UsageError.
Notes useSettingsFile(Settings& settings, const std::filesystem::path& file);

}  // namespace satdof
