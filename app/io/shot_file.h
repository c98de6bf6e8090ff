#pragma once
#include <filesystem>
#include <string>

#include "app/core/shot.h"
#include "app/io/notes.h"

namespace satdof {

// Reads a shot, and adds to `notes` what it leaves out. `text`: gets what the file holds. Throws UsageError if it cannot be read.
Shot readShot(const std::filesystem::path& path, Notes& notes, std::string* text = nullptr);

// Whether a file is a shot or a camera path, and holds no settings. Never throws for a file that cannot be read.
bool holdsShot(const std::filesystem::path& path);

// Writes the text of shotToJson() or cameraPathToJson(), with .json added to a name without an extension. A file that holds the text
// `replaced`, of the same shotKind(), goes; any other stays, and copyPath() names the new one. Returns where. Throws std::runtime_error.
std::filesystem::path writeShot(std::filesystem::path path, const std::string& json,
                                const std::string& replaced);

}  // namespace satdof
