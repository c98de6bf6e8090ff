#pragma once
#include <filesystem>
#include <string>

namespace satdof {

// Returns the same text for all paths of one file, including symbolic and hard links (on Windows: without hard links).
std::string fileIdentity(const std::filesystem::path& path);

// Returns a text that changes when the file is replaced or changed, even if size and time of the last write stay: its
// inode and the time of the last change of its status. Empty if the file is missing, and on Windows.
std::string fileVersion(const std::filesystem::path& path);

}  // namespace satdof
