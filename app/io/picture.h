#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <glm/gtc/packing.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <string_view>
#include <vector>

#include "app/io/file_limits.h"
#include "app/io/notes.h"

namespace satdof {

// The colours of an image file.
struct Picture {
  glm::ivec2 size{0};
  // Red, green, blue and 1 as half floats: linear light, sRGB primaries, not negative, bottom row first.
  std::vector<std::uint16_t> rgba;
  bool photograph = false;  // from 8 or 16 bits: values in [0, 1] with the tone curve of a camera
  Notes notes{};            // what was converted, assumed or ignored
};

// Returns the linear light of pixel `i`.
inline glm::vec3 lightAt(const Picture& picture, std::size_t i) {
  const std::uint16_t* const c = &picture.rgba[4 * i];
  return {glm::unpackHalf1x16(c[0]), glm::unpackHalf1x16(c[1]), glm::unpackHalf1x16(c[2])};
}

// Reads an image; the content tells the format. Applies the EXIF orientation and the ICC profile; blends transparent
// pixels over black. Throws std::runtime_error that names the file and the cause.
Picture readPicture(const std::filesystem::path& path, const FileLimits& limits = {});

// The same from memory. Throws std::runtime_error with only the reason.
Picture decodePicture(std::string_view bytes, const FileLimits& limits = {});

// Returns the size of the image in a file after its orientation. Throws like readPicture().
glm::ivec2 pictureSize(const std::filesystem::path& path, const FileLimits& limits = {});

}  // namespace satdof
