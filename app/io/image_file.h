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

enum class ImageFormat { png, jpeg, hdr, pfm, exr };

// Whether files of the format hold the image as displayed, with 8 or 16 bits; else linear light.
inline bool isDisplayed(ImageFormat format) {
  return format == ImageFormat::png || format == ImageFormat::jpeg;
}

// Returns the format of the extension. Throws UsageError listing the known extensions.
ImageFormat imageFormat(const std::filesystem::path& path);

// Throws UsageError if the extension is unknown or cannot hold the panels (`withUi`), or if no file can be
// made at `path`. Leaves no file.
void requireCapturePath(const std::filesystem::path& path, bool withUi = false);

// "image.png" -> "image-0001.png".
std::filesystem::path numberedPath(const std::filesystem::path& path, int number);

// "image.png" -> "image-0001.png": first the number after the highest in the folder, then the following ones. The names
// throw std::runtime_error after number 999999999.
NextName numberedNames(const std::filesystem::path& path);

// Writes a new file with the first of these numbers that is free. Returns its name. Throws std::runtime_error if no number
// is left or the folder is not writable. The file is complete or absent, whatever ends the program.
std::filesystem::path writeNumbered(const std::filesystem::path& path, std::string_view bytes);

// Throws UsageError if the format of `path` has no such number of bits a channel. 0: the format's own.
void requireBitDepth(const std::filesystem::path& path, int bits);

// Encodes linear light as Radiance RGBE (ImageFormat::hdr: 1 % precision; negative values and NaN become 0, values above
// 2^127 become that; the texts become comments) or as a portable float map (ImageFormat::pfm: exact; holds no text). `rgb`: size.x * size.y * 3
// floats, bottom row first. Throws std::runtime_error if the encoder fails.
std::string encodeLinear(ImageFormat format, const std::vector<float>& rgb, glm::ivec2 size,
                         const std::vector<ImageText>& texts = {});

// Encodes sRGB of three bytes a pixel, bottom row first, as JPEG. `quality`: 1 to 100. `exif`: a TIFF; empty: none. Texts
// and EXIF of more than 64 KB are left out. Throws std::runtime_error if the encoder fails.
std::string encodeJpeg(const std::vector<std::uint8_t>& rgb, glm::ivec2 size, int quality,
                       const std::vector<ImageText>& texts, std::string_view exif);

// Encodes a portable float map of 1 or 3 channels, bottom row first.
std::string encodeFloatMap(const std::vector<float>& values, glm::ivec2 size, int channels);

// Returns the text `keyword` of a PNG, a JPEG, an EXR or a Radiance HDR; none if it is missing, the file is damaged or
// has another format. `bytes`: the file, or its first part.
std::optional<std::string> imageText(std::string_view bytes, std::string_view keyword);
// "PNG", "JPEG", "EXR", "Radiance HDR" or "PFM"; null if the bytes begin no image of these formats.
const char* imageFormatName(std::string_view bytes);

}  // namespace satdof
