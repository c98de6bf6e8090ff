#pragma once
#include <filesystem>

namespace satdof {

// Returns the parent of shaders/, assets/ and fonts/: the value of SATDOF_DATA if it is set, else ../share/satdof
// relative to the folder of the executable. Throws std::runtime_error that names the folder if shaders/ or assets/ is
// missing.
const std::filesystem::path& dataDir();
// Returns the folder of the built-in lenses.
std::filesystem::path lensesDir();

}  // namespace satdof
