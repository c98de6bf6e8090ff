#pragma once
#include <cstddef>
#include <string>

namespace satdof {

// "1 clip", "2 clips".
inline std::string countText(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace satdof
