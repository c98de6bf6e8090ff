#pragma once
#include <filesystem>

namespace satdof {

// Returns the parent of shaders/, assets/ and fonts/. If SATDOF_DATA is set, returns its value; else searches
// the executable's folder and the folders above, each with its share/satdof. Throws std::runtime_error with
// the searched folder if shaders/ or assets/ is missing.
const std::filesystem::path& dataDir();

}  // namespace satdof
