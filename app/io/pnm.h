#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <string_view>
#include <vector>

#include "app/io/file_limits.h"

namespace satdof {

// A portable grey map or pixel map, as text (P2, P3) or binary (P5, P6).
struct PnmImage {
  glm::ivec2 size{0};
  int channels = 1;   // 3: red, green and blue
  int largest = 255;  // number of white: 1 to 65535; from 256 on, binary samples have two bytes
  std::vector<std::uint16_t> samples;  // from 0 to `largest`, bottom row first
};

bool isPnm(std::string_view bytes);

// The functions below throw std::runtime_error with the reason alone. The first reads no samples.
PnmImage decodePnmHeader(std::string_view bytes);
PnmImage decodePnm(std::string_view bytes, const FileLimits& limits = {});

}  // namespace satdof
