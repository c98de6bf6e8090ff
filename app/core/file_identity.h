#pragma once
#include <filesystem>
#include <string>

namespace satdof {

// Equal for all names of a file, by symbolic and hard links, too; on Windows without hard links.
std::string fileIdentity(const std::filesystem::path& path);

}  // namespace satdof
