#pragma once
#include <stdexcept>
#include <string_view>

namespace satdof {

// Call before stb_image reads `bytes`. Throws std::runtime_error with only the reason for input on which the packaged
// versions of stb_image overflow a table or an integer, or never end. Fuzzing found these cases.
void requireSafeForStb(std::string_view bytes);

// Returns the error of the last call of stb_image, which refused `bytes`.
std::runtime_error stbError(std::string_view bytes);

}  // namespace satdof
