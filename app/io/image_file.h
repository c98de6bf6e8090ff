#pragma once
#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/core/files.h"
#include "app/io/image_text.h"

namespace satdof {

// Throws UsageError if the extension is unknown or cannot hold the panels (`withUi`), or if no file can be
// made at `path`. Leaves no file.
void requireCapturePath(const std::filesystem::path& path, bool withUi = false);

// "image.png" -> "image-0001.png".
std::filesystem::path numberedPath(const std::filesystem::path& path, int number);

// "image.png" -> "image-0001.png": first the number after the highest in the folder, then the following ones. The names
// throw std::runtime_error after number 999999999.
NextName numberedNames(const std::filesystem::path& path);
// The names that files of one folder get which are written in this order.
std::vector<std::filesystem::path> numberedInOrder(const std::vector<std::filesystem::path>& paths);

// Writes a new file with the first of these numbers that is free. Returns its name. Throws std::runtime_error if no number
// is left or the folder is not writable. The file is complete or absent, whatever ends the program.
std::filesystem::path writeNumbered(const std::filesystem::path& path, std::string_view bytes);

// Throws UsageError if the format of `path` has no such number of bits a channel. 0: the format's own.
void requireBitDepth(const std::filesystem::path& path, int bits);

// Encodes linear light, three floats a pixel, bottom row first, as Radiance RGBE: 1 % precision; negative values and NaN
// become 0, values above 2^127 become that; the texts become comments. Throws std::runtime_error if the encoder fails.
std::string encodeHdr(const std::vector<float>& rgb, glm::ivec2 size,
                      const std::vector<ImageText>& texts = {});

// Encodes sRGB of three bytes a pixel, bottom row first, as JPEG. `quality`: 1 to 100. `exif`: a TIFF; empty: none. Texts
// and EXIF of more than 64 KB are left out. Throws std::runtime_error if the encoder fails.
std::string encodeJpeg(const std::vector<std::uint8_t>& rgb, glm::ivec2 size, int quality,
                       const std::vector<ImageText>& texts, std::string_view exif);

// Encodes a portable float map of 1 or 3 channels, bottom row first: exact.
std::string encodePfm(const std::vector<float>& values, glm::ivec2 size, int channels = 3);

// Returns the text `keyword` of an image; none if it is missing, the file is damaged or its format holds no text.
// `bytes`: the file, or its first part.
std::optional<std::string> imageText(std::string_view bytes, std::string_view keyword);

}  // namespace satdof
