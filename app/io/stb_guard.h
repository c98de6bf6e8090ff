#pragma once
#include <cctype>
#include <stdexcept>
#include <string_view>

#include "app/io/jpeg.h"

namespace satdof {

// Throws std::runtime_error with the reason alone if stb_image would leave its tables or overflow an integer: found by
// fuzzing the versions that distributions have. Call before stb_image reads bytes.
inline void requireSafeForStb(std::string_view bytes) {
  if (bytes.starts_with('\xff')) requireSoundTables(bytes);
  if (!bytes.starts_with("P5") && !bytes.starts_with("P6")) return;
  constexpr int kMostDigits = 9, kNumbers = 3;
  size_t at = 2;
  for (int number = 0; number < kNumbers && at < bytes.size();) {
    const auto isDigit = [&] {
      return at < bytes.size() && std::isdigit(static_cast<unsigned char>(bytes[at])) != 0;
    };
    if (bytes[at] == '#') {
      while (at < bytes.size() && bytes[at] != '\n' && bytes[at] != '\r') ++at;
    } else if (!isDigit()) {
      ++at;
    } else {
      const size_t from = at;
      while (isDigit()) ++at;
      if (at - from > kMostDigits) throw std::runtime_error("a number of its header is too large");
      ++number;
    }
  }
}

}  // namespace satdof
