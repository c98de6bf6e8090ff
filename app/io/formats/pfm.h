#pragma once
#include <glm/vec2.hpp>
#include <string_view>
#include <vector>

#include "app/io/file_limits.h"
#include "app/io/notes.h"

namespace satdof {

// A portable float map: 1 or 3 channels, bottom row first.
struct PfmImage {
  glm::ivec2 size{0};
  int channels = 1;
  std::vector<float> values;
  Notes notes{};
};

// Reads both byte orders. Ignores the magnitude of the scale, as is common; a note tells if it is not 1. Throws
// std::runtime_error with only the reason.
PfmImage decodePfm(std::string_view bytes, const FileLimits& limits = {});

}  // namespace satdof
