#pragma once
#include <filesystem>

#include "app/core/shot.h"
#include "app/io/notes.h"

namespace satdof {

// Reads a shot, and adds to `notes` what it leaves out. Throws UsageError if the file cannot be read.
Shot readShot(const std::filesystem::path& path, Notes& notes);

}  // namespace satdof
