#pragma once
#include <filesystem>

namespace satdof {

// The folder that holds shaders/ and assets/: $SATDOF_DATA if set, else the nearest one found from the
// executable's folder upwards, as itself or as share/satdof. Throws std::runtime_error naming the places when
// there is none.
const std::filesystem::path& dataDir();

}  // namespace satdof
