#pragma once
#include <filesystem>
#include <string>

#include "app/core/shot.h"
#include "app/io/notes.h"

namespace satdof {

// Reads a shot, and adds to `notes` what it leaves out. Throws UsageError if the file cannot be read.
Shot readShot(const std::filesystem::path& path, Notes& notes);

// Whether a file is a shot or a camera path, and holds no settings. Never throws for a file that cannot be read.
bool holdsShot(const std::filesystem::path& path);

// Writes the shot, with .json added to a name without an extension. Returns where. Throws std::runtime_error if that fails,
// or if another file than a shot has the name.
std::filesystem::path saveShot(std::filesystem::path path, const Shot& shot);
// The same for a text that cameraPathToJson() gives.
std::filesystem::path saveShotText(std::filesystem::path path, const std::string& json);

}  // namespace satdof
