#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <string_view>
#include <vector>

#include "app/io/file_limits.h"

namespace satdof {

// The inks of a JPEG with four channels, by libjpeg: stb_image mixes them without their profile.
struct JpegCmyk {
  glm::ivec2 size{0};
  std::vector<std::uint8_t> rows;  // cyan, magenta, yellow and black from 0 (none) to 255, bottom row first
};

// The number of channels that the first frame header of a JPEG states; 0: there is none.
int jpegChannels(std::string_view bytes);

// Whether this program was built with libjpeg.
bool readsJpegCmyk();

// `bytes`: one JPEG, from its first marker to its end. Throws std::runtime_error with the reason alone.
JpegCmyk decodeJpegCmyk(std::string_view bytes, const FileLimits& limits);

}  // namespace satdof
