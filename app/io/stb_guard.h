#pragma once
#include <stdexcept>
#include <string_view>

namespace satdof {

// Throws std::runtime_error with the reason alone if stb_image would leave its tables, overflow an integer or never end:
// found by fuzzing the versions that distributions have. Call before stb_image reads bytes.
void requireSafeForStb(std::string_view bytes);

// Why stb_image refused these bytes, the last ones.
std::runtime_error stbError(std::string_view bytes);

}  // namespace satdof
