#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <string_view>
#include <vector>

#include "app/io/file_limits.h"

namespace satdof {

// A CMYK JPEG, decoded by libjpeg: stb_image converts CMYK without its profile.
struct JpegCmyk {
  glm::ivec2 size{0};
  std::vector<std::uint8_t> rows;  // cyan, magenta, yellow, black from 0 (no ink) to 255, bottom row first
};

// Returns the number of channels in the first frame header of a JPEG; 0 if there is none.
int jpegChannels(std::string_view bytes);

// Whether this program was built with libjpeg.
bool readsJpegCmyk();

// Decodes one JPEG, from its first marker to its end. Throws std::runtime_error with only the reason.
JpegCmyk decodeJpegCmyk(std::string_view bytes, const FileLimits& limits);

}  // namespace satdof
