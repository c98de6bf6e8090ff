#pragma once
#include <filesystem>
#include <string>

namespace satdof {

// Returns the same text for all paths of one file, including symbolic and hard links (on Windows: without hard links).
std::string fileIdentity(const std::filesystem::path& path);

}  // namespace satdof
