#pragma once
#include <filesystem>

namespace satdof {

// Returns the parent of shaders/, assets/ and fonts/: the value of SATDOF_DATA if it is set, else
// ../share/satdof, seen from the folder of the executable. Throws std::runtime_error with the folder if shaders/
// or assets/ is missing.
const std::filesystem::path& dataDir();
// The lenses that come along.
std::filesystem::path lensesDir();

}  // namespace satdof
