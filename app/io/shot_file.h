#pragma once
#include <filesystem>
#include <string>

#include "app/core/shot/shot.h"
#include "app/io/notes.h"

namespace satdof {

// Reads a shot or a camera path. Adds a note for each part that a shot cannot hold. Stores the contents of the file in
// `text`. Throws UsageError if the file cannot be read.
Shot readShot(const std::filesystem::path& path, Notes& notes, std::string* text = nullptr);

// Whether a file is a shot or a camera path. False if it cannot be read.
bool holdsShot(const std::filesystem::path& path);

// Writes the text of shotToJson() or cameraPathToJson(). A name without an extension gets .json. Replaces a file only
// if it contains the text `replaced` of the same shotKind(); else writes to the next copyPath(). Returns the path.
// Throws std::runtime_error.
std::filesystem::path writeShot(std::filesystem::path path, const std::string& json, const std::string& replaced);

}  // namespace satdof
