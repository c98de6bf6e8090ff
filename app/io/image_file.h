#pragma once
#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/core/files/files.h"
#include "app/io/metadata/image_text.h"

namespace satdof {

// Throws UsageError if the format is unknown or cannot contain the panels (`withUi`), or if `path` is not writable.
// Leaves no file.
void requireCapturePath(const std::filesystem::path& path, bool withUi = false);

// Returns "image-0001.png" for "image.png" and 1.
std::filesystem::path numberedPath(const std::filesystem::path& path, int number);

// Returns the candidate names numberedPath(path, n): n starts after the highest number in the folder and increases. The
// names throw std::runtime_error after number 999999999.
NextName numberedNames(const std::filesystem::path& path);
// Returns the names of files of one folder that are written with numbers in this order.
std::vector<std::filesystem::path> numberedInOrder(const std::vector<std::filesystem::path>& paths);

// Writes a new file atomically under the first free name of numberedNames(). Returns the name. Throws
// std::runtime_error if no number is left or the folder is not writable.
std::filesystem::path writeNumbered(const std::filesystem::path& path, std::string_view bytes);

// Throws UsageError if the format of `path` does not support `bits` bits a channel. 0: any.
void requireBitDepth(const std::filesystem::path& path, int bits);

// Encodes linear RGB floats, bottom row first, as Radiance RGBE (1 % precision). Negative values and NaN become 0;
// values are clamped below 2^127. The texts become comments. Throws std::runtime_error if the encoder fails.
std::string encodeHdr(const std::vector<float>& rgb, glm::ivec2 size, const std::vector<ImageText>& texts = {});

// Encodes 8-bit sRGB, bottom row first, as JPEG. `quality`: 1 to 100. `exif`: a TIFF structure; empty: none. Leaves out
// texts and EXIF of more than 64 KB. Throws std::runtime_error if the encoder fails.
std::string encodeJpeg(const std::vector<std::uint8_t>& rgb, glm::ivec2 size, int quality,
                       const std::vector<ImageText>& texts, std::string_view exif);

// Encodes a portable float map of 1 or 3 channels, bottom row first, without rounding.
std::string encodePfm(const std::vector<float>& values, glm::ivec2 size, int channels = 3);

// Returns the text `keyword` of an image; nothing if it is missing, the file is damaged or the format holds no text.
// `bytes`: the beginning of the file is enough.
std::optional<std::string> imageText(std::string_view bytes, std::string_view keyword);
// Whether the beginning of a file has it. Throws std::runtime_error if the file cannot be read.
bool holdsText(const std::filesystem::path& file, std::string_view keyword);

}  // namespace satdof
