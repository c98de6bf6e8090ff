#pragma once
#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <string_view>
#include <vector>

#include "app/io/file_limits.h"
#include "app/io/notes.h"

namespace satdof {

// The colours of an image file.
struct Picture {
  glm::ivec2 size{0};
  // Red, green, blue and 1 as half floats: linear light, sRGB primaries, no negative values, bottom row first.
  std::vector<std::uint16_t> rgba;
  bool photograph = false;  // of 8 or 16 bits: values from 0 to 1, with the tone curve of a camera
  Notes notes{};            // what was converted, assumed or ignored
};

// Formats by content: codecs(). Images are turned by their EXIF orientation, colours converted by their ICC profile,
// transparent pixels blended over black. Throws std::runtime_error that names the file and the cause.
Picture readPicture(const std::filesystem::path& path, const FileLimits& limits = {});

// The same from memory. Throws std::runtime_error with the reason alone.
Picture decodePicture(std::string_view bytes, const FileLimits& limits = {});

// The size of the image in a file, as shown. Throws like readPicture().
glm::ivec2 pictureSize(const std::filesystem::path& path, const FileLimits& limits = {});

}  // namespace satdof
