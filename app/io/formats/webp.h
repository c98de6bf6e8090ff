#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/file_limits.h"

namespace satdof {

// A WebP image, decoded by libwebp.
struct WebpImage {
  glm::ivec2 size{0};
  int channels = 3;                // 4: with alpha
  std::vector<std::uint8_t> rows;  // top row first
  std::string profile{};           // ICC; empty: none
};

bool isWebp(std::string_view bytes);
// Both throw std::runtime_error with only the reason if the file is damaged, animated or too large, or this program was
// built without libwebp. `head`: the beginning of the file is enough.
glm::ivec2 webpSize(std::string_view head);
WebpImage decodeWebp(std::string_view bytes, const FileLimits& limits);
// Returns the EXIF data as a TIFF structure; empty if there is none. Usually it follows the pixels.
std::string webpExif(std::string_view bytes);
// Returns the name and version of the library; empty without libwebp.
std::string webpLibrary();

}  // namespace satdof
